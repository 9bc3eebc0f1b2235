import assert from 'node:assert/strict';
import { textOf } from '../../../src/core/session/select';
import { planFor } from '../../support/fakeAgents';
import { SessionHarness } from '../../support/sessionHarness';

const reference = (starts = 1, ...args: string[]): SessionHarness => {
  const plans = Array.from({ length: starts }, () => planFor('reference', ...args));
  return new SessionHarness({ reference: plans }, 'reference');
};
const paramsOf = (harness: SessionHarness, method: string): unknown[] =>
  harness.sent.filter((message) => message['method'] === method).map(({ params }) => params);
const ask = (harness: SessionHarness, what: string): Promise<unknown> =>
  harness.prompt(what).then(({ text }) => JSON.parse(text) as unknown);

describe('a session with the official SDK on the other side', () => {
  it('SE-15 SE-16 SE-17 SE-20 is listed with all pages, closed and deleted', async () => {
    const harness = reference();
    for (let i = 0; i < 3; i++) {
      if (i > 0) await harness.sessions.create();
      await harness.prompt('mode');
    }
    const { key } = harness.sessions.current;
    await harness.sessions.refresh();
    const { rows, problem } = harness.sessions.list();
    assert.equal(problem, null);
    assert.deepEqual(rows.map(({ sessionId }) => sessionId).sort(), [
      'reference-1',
      'reference-2',
      'reference-3',
    ]);
    const { cwd } = harness;
    assert.deepEqual(paramsOf(harness, 'session/list'), [{ cwd }, { cwd, cursor: '2' }]);
    await harness.sessions.remove(key);
    for (const method of ['session/close', 'session/delete'])
      assert.deepEqual(paramsOf(harness, method), [{ sessionId: 'reference-3' }]);
    await harness.sessions.refresh();
    assert.deepEqual(
      harness.sessions
        .list()
        .rows.map(({ sessionId }) => sessionId)
        .sort(),
      ['reference-1', 'reference-2'],
    );
    await harness.end();
  });

  it('SE-10 SE-8 is loaded where a new process can not resume it', async () => {
    const harness = reference(2);
    await harness.prompt('mode');
    await harness.controller.restart();
    assert.deepEqual(harness.messages(), ['agent: of old']);
    assert.deepEqual(harness.calls.slice(-2), ['session/resume', 'session/load']);
    assert.equal(harness.state.connection.status, 'ready');
    assert.deepEqual(harness.entries('notice'), []);
    await harness.prompt('mode');
    await harness.end();
  });

  it('CF-7 CF-9 MO-4 has its options set', async () => {
    const harness = reference();
    await harness.controller.ensureConnected();
    const values = () => harness.state.config.map(({ id, value }) => [id, value]);
    assert.deepEqual(values(), [
      ['model', 'small'],
      ['fast', false],
    ]);
    await harness.controller.setConfig('model', 'large');
    assert.deepEqual(values(), [
      ['model', 'large'],
      ['fast', false],
    ]);
    await harness.controller.setConfig('fast', true);
    assert.deepEqual(values(), [
      ['model', 'small'],
      ['fast', true],
    ]);
    await harness.prompt('mode');
    assert.equal(values().length, 2, 'modes do not count where there are options');
    await harness.end();
  });

  it('AU-2 AU-10 AU-11 RP-7 is signed in, out, and in again', async () => {
    const harness = reference(1, '--auth');
    await harness.controller.ensureConnected();
    assert.equal(harness.state.connection.status, 'auth');
    await harness.controller.authenticate('login');
    await harness.prompt('mode');
    await harness.sessions.signOut();
    assert.equal(harness.state.connection.status, 'auth');
    await harness.controller.authenticate('login');
    assert.equal((await harness.prompt('mode')).stopReason, 'end_turn');
    assert.equal(paramsOf(harness, 'logout').length, 1);
    await harness.end();
  });

  it('EL-1 EL-20 EL-26 asks by form and by page', async () => {
    const harness = reference();
    const form = ask(harness, 'form');
    await harness.until(() => harness.entries('elicitation').length === 1);
    await harness.elicitations.answer(harness.entries('elicitation')[0]?.requestId ?? '', 'accept', {
      name: 'me',
    });
    assert.deepEqual(await form, { action: 'accept', content: { name: 'me' } });
    const page = ask(harness, 'url');
    await harness.until(() => harness.entries('elicitation').length === 2);
    await harness.elicitations.answer(harness.entries('elicitation')[1]?.requestId ?? '', 'accept');
    assert.deepEqual(await page, { action: 'accept' });
    assert.deepEqual(harness.pages, ['https://example.com/']);
    assert.equal(harness.entries('elicitation')[1]?.completed, true);
    await harness.end();
  });

  it('CC-5 CC-6 NO-1 NO-3 NO-4 shows notices and compactions, which it announced', async () => {
    const harness = reference();
    const announced = await ask(harness, 'capabilities');
    assert.deepEqual(announced, {
      fs: { readTextFile: false, writeTextFile: false },
      terminal: false,
      auth: { terminal: false },
      session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
      elicitation: { form: {}, url: {} },
      _meta: { 'parley.agentLoop': { turnEvents: true, syntheticMessages: true } },
    });
    await harness.prompt('compact');
    await harness.prompt('kinds');
    assert.deepEqual(
      harness.entries('compaction').map(({ status, summary }) => [status, textOf(summary)]),
      [['completed', 'All in short.']],
    );
    assert.deepEqual(
      harness.entries('notice').map(({ severity, title }) => `${severity}: ${title}`),
      ['warning: Take care'],
    );
    await harness.end();
  });

  it('CA-1 CA-2 PE-1 asks for a permission and is cancelled', async () => {
    const harness = reference();
    const permission = ask(harness, 'permission');
    await harness.until(() => harness.openQuestions.length === 1);
    assert.ok(harness.answerFirst('no'));
    assert.deepEqual(await permission, { outcome: 'selected', optionId: 'no' });
    const turn = harness.prompt('wait');
    await harness.until(() => harness.messages().includes('agent: READY'));
    harness.controller.cancelTurn();
    assert.equal((await turn).stopReason, 'cancelled');
    await harness.end();
  });
});
