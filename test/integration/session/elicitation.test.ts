import assert from 'node:assert/strict';
import { planFor } from '../../support/fakeAgents';
import { answered, end, expectCall, Replay, request, update } from '../../support/replayScript';
import { text } from '../../support/session';
import { SessionHarness } from '../../support/sessionHarness';

const FORM = {
  mode: 'form',
  message: 'Your name?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
};
const elicits = (): SessionHarness => new SessionHarness({ elicits: [planFor('elicits')] }, 'elicits');

/** The id of the newest question, when it is there. */
async function asked(harness: SessionHarness, count = 1): Promise<string> {
  await harness.until(() => harness.entries('elicitation').length === count);
  return harness.entries('elicitation').at(-1)?.requestId ?? assert.fail('no question');
}
const answersOf = async (turn: Promise<{ text: string }>): Promise<unknown> => JSON.parse((await turn).text);

describe('questions by form', () => {
  it('EL-1 EL-3 EL-4 EL-11 gives the answers of the person, once they are valid', async () => {
    const harness = elicits();
    const turn = harness.prompt('form');
    const id = await asked(harness);
    const [entry] = harness.entries('elicitation');
    assert.equal(entry?.message, 'Please fill in');
    assert.equal(entry.form?.fields.length, 9);
    await assert.rejects(
      harness.elicitations.answer(id, 'accept', { name: 'x', copies: 2 }),
      /^Error: name: /,
    );
    await harness.elicitations.answer(id, 'accept', { name: 'demo', copies: 3, tags: ['a'] });
    assert.deepEqual(await answersOf(turn), {
      action: 'accept',
      content: { name: 'demo', copies: 3, tags: ['a'] },
    });
    assert.equal(harness.entries('elicitation')[0]?.outcome, 'accept');
    await harness.end();
  });

  for (const action of ['decline', 'cancel'] as const) {
    it(`EL-2 EL-4 tells the agent ${action}, without content`, async () => {
      const harness = elicits();
      const turn = harness.prompt('small');
      await harness.elicitations.answer(await asked(harness), action);
      assert.deepEqual(await answersOf(turn), { action });
      await harness.end();
    });
  }

  it('EL-5 refuses a mode that nobody announced and declines a form of an unknown kind', async () => {
    const harness = elicits();
    assert.match((await harness.prompt('unknown')).text, /"code":-32602/);
    assert.deepEqual(await answersOf(harness.prompt('odd')), { action: 'decline' });
    assert.deepEqual(harness.entries('elicitation'), []);
    await harness.end();
  });

  it('EL-7 CA-7 CA-8 closes a question that the agent takes back', async () => {
    const harness = elicits();
    assert.match((await harness.prompt('withdraw')).text, /"code":-32800/);
    assert.notEqual(harness.entries('elicitation')[0]?.outcome, undefined);
    assert.equal(harness.elicitations.openCount, 0);
    await harness.end();
  });
});

describe('questions by web page', () => {
  it('EL-20 EL-22 EL-23 opens the page after the consent and not before', async () => {
    const harness = elicits();
    const turn = harness.prompt('url');
    const id = await asked(harness);
    assert.deepEqual(harness.pages, []);
    assert.equal(harness.entries('elicitation')[0]?.url, 'https://example.com/sign-in?id=page-1');
    await harness.elicitations.answer(id, 'accept');
    assert.deepEqual(harness.pages, ['https://example.com/sign-in?id=page-1']);
    assert.deepEqual(await answersOf(turn), { action: 'accept' });
    assert.notEqual(harness.entries('elicitation')[0]?.completed, true);
    await harness.end();
  });

  it('EL-26 takes a completion once and ignores ids that it does not know', async () => {
    const harness = elicits();
    const turn = harness.prompt('complete');
    await harness.elicitations.answer(await asked(harness), 'accept');
    await turn;
    assert.equal(harness.entries('elicitation')[0]?.completed, true);
    assert.equal(harness.actions.filter(({ type }) => type === 'elicitationCompleted').length, 1);
    await harness.end();
  });
});

describe('where a question belongs', () => {
  it('EL-6 one of a sign-in goes to the session that is at the front, though it is not open', async () => {
    const harness = elicits();
    await harness.prompt('nothing');
    const first = harness.sessions.current;
    await harness.sessions.create();
    const signIn = harness.controller.authenticate('ask');
    await harness.elicitations.answer(await asked(harness), 'accept', { name: 'me' });
    await signIn;
    assert.ok(!first.store.state.entries.some(({ kind }) => kind === 'elicitation'));
    await harness.end();
  });

  it('EL-6 one of a request without a session is answered', async () => {
    const harness = elicits();
    const turn = harness.prompt('request');
    await harness.elicitations.answer(await asked(harness), 'accept', { name: 'me' });
    assert.deepEqual(await answersOf(turn), { action: 'accept', content: { name: 'me' } });
    await harness.end();
  });

  it('EL-1 EL-6 the session counts where both are named; neither is -32602', async () => {
    const run = new Replay(
      expectCall('session/new', 'n'),
      { send: { jsonrpc: '2.0', id: '$ID:n', result: { sessionId: '$SESSION' } } },
      expectCall('session/prompt', 'p'),
      update(text('READY')),
      expectCall('session/new', 'm'),
      { send: { jsonrpc: '2.0', id: '$ID:m', result: { sessionId: '$SESSION2' } } },
      request('both', 'elicitation/create', { sessionId: '$SESSION', requestId: '$ID:p', ...FORM }),
      answered('both', { 'result.action': 'decline' }),
      request('neither', 'elicitation/create', FORM),
      answered('neither', { 'error.code': -32602 }),
      end('p'),
    );
    const harness = await SessionHarness.open(run);
    const turn = harness.prompt('go');
    const first = harness.sessions.current;
    await harness.until(() => harness.messages().includes('agent: READY'));
    await harness.sessions.create();
    const question = () => first.store.state.entries.find((entry) => entry.kind === 'elicitation');
    await harness.until(() => question() !== undefined);
    assert.deepEqual(harness.entries('elicitation'), []);
    await harness.elicitations.answer(question()?.requestId ?? '', 'decline');
    await turn;
    await harness.end();
  });
});

describe('questions that are not answered', () => {
  it('EL-7 CA-3 Stop answers cancel, then tells the agent', async () => {
    const run = new Replay(
      expectCall('session/prompt', 'p'),
      request('q', 'elicitation/create', { sessionId: '$SESSION', ...FORM }),
      expectCall('session/cancel'),
      answered('q', { result: { action: 'cancel' } }),
      request('late', 'elicitation/create', { sessionId: '$SESSION', ...FORM }),
      answered('late', { result: { action: 'cancel' } }),
      end('p', 'cancelled'),
    );
    const harness = await SessionHarness.open(run);
    const turn = harness.prompt('go');
    await asked(harness);
    harness.controller.cancelTurn();
    assert.equal((await turn).stopReason, 'cancelled');
    assert.deepEqual(run.calls.slice(-3), ['answer "q"', 'session/cancel', 'answer "late"']);
    assert.equal(harness.elicitations.openCount, 0);
    await harness.end();
  });

  it('EL-7 TR-9 the end of the agent closes them', async () => {
    const run = new Replay(
      expectCall('session/prompt', 'p'),
      request('q', 'elicitation/create', { sessionId: '$SESSION', ...FORM }),
      expectCall('session/cancel'),
    );
    const harness = await SessionHarness.open(run);
    const turn = harness.rejectionOf(harness.prompt('go'));
    const id = await asked(harness);
    harness.connected[0]?.process.kill();
    assert.match(await turn, /SIGKILL/);
    assert.equal(harness.entries('elicitation')[0]?.outcome, 'cancel');
    await assert.rejects(harness.elicitations.answer(id, 'accept', { name: 'x' }), /gone/);
    await harness.sessions.stop();
  });

  it('EL-7 TR-9 the end of the agent ends the waiting for a page too', async () => {
    const harness = elicits();
    const turn = harness.prompt('url');
    const id = await asked(harness);
    await harness.elicitations.answer(id, 'accept');
    await turn;
    await harness.sessions.restartAgents().catch(() => undefined);
    await harness.until(() => harness.entries('elicitation')[0]?.outcome === 'cancel');
    assert.equal(harness.entries('elicitation')[0]?.outcome, 'cancel');
    await assert.rejects(harness.elicitations.answer(id, 'accept'), /gone/);
    await harness.sessions.stop();
  });
});
