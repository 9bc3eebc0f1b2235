import assert from 'node:assert/strict';
import type { FileSystemPort, TerminalPort } from '../../../src/acp/agentClient';
import { asObject, type JsonObject } from '../../../src/core/json';
import { planFor } from '../../support/fakeAgents';
import {
  answer,
  answered,
  end,
  expectCall,
  preset,
  Replay,
  request,
  update,
} from '../../support/replayScript';
import { text } from '../../support/session';
import { MemoryArchive, SessionHarness } from '../../support/sessionHarness';

/** What the ports were asked, and for which session of Parley. */
class Ports {
  readonly calls: string[] = [];

  readonly files: FileSystemPort = {
    readTextFile: (params) => {
      this.calls.push(`read ${String(params['sessionId'])}`);
      return Promise.resolve({ content: 'early bird' });
    },
    writeTextFile: () => assert.fail('not expected'),
  };

  readonly terminals: TerminalPort = {
    create: (params) => {
      this.calls.push(`create ${String(params['sessionId'])}`);
      return Promise.resolve({ terminalId: 'term-1' });
    },
    output: () => assert.fail('not expected'),
    waitForExit: () => assert.fail('not expected'),
    kill: () => assert.fail('not expected'),
    release: () => assert.fail('not expected'),
  };
}

function early(ports: Ports, earlyWait?: number, ...args: string[]): SessionHarness {
  const harness = new SessionHarness(
    { early: [planFor('earlyRequests', ...args)] },
    'early',
    new MemoryArchive(),
    earlyWait === undefined ? {} : { earlyWait },
  );
  const { files, terminals } = ports;
  harness.morePorts = { files, terminals };
  return harness;
}

async function answerForm(harness: SessionHarness, content: object): Promise<void> {
  await harness.until(() => harness.entries('elicitation').length === 1);
  const [form] = harness.entries('elicitation');
  await harness.elicitations.answer(form?.requestId ?? '', 'accept', { ...content });
}

describe('what an agent sends before it answered session/new', () => {
  it('SE-5 SU-6 updates and requests wait for the answer and are served then', async () => {
    const ports = new Ports();
    const harness = early(ports);
    await harness.controller.ensureConnected();
    const { key } = harness.sessions.current;
    assert.equal(harness.state.title, 'An early bird');
    assert.deepEqual(
      harness.state.commands.map(({ name }) => name),
      ['early'],
    );
    await harness.until(() => harness.openQuestions.length === 1);
    assert.ok(harness.answerFirst('yes'));
    await answerForm(harness, { here: true });
    const said: unknown = JSON.parse((await harness.prompt('answers')).text);
    assert.deepEqual(said, {
      permission: { outcome: { outcome: 'selected', optionId: 'yes' } },
      file: { content: 'early bird' },
      terminal: { terminalId: 'term-1' },
      form: { action: 'accept', content: { here: true } },
    });
    assert.deepEqual(ports.calls, [`read ${key}`, `create ${key}`]);
    assert.equal(harness.messages()[0], 'agent: Good morning.');
    await harness.end();
  });

  it('SE-5 SU-7 what the session shows of it is in the order of the wire, after its opening', async () => {
    const harness = early(new Ports());
    await harness.controller.ensureConnected();
    await harness.until(
      () => harness.openQuestions.length === 1 && harness.entries('elicitation').length === 1,
    );
    const shown = ['sessionOpened', 'update', 'permissionRequested', 'elicitationRequested'];
    assert.deepEqual(
      harness.actions.map(({ type }) => type).filter((type) => shown.includes(type)),
      ['sessionOpened', 'update', 'update', 'update', 'permissionRequested', 'elicitationRequested'],
    );
    await harness.end();
  });

  it('SE-5 an agent that needs an answer before it answers session/new gets one after a while', async () => {
    const harness = early(new Ports(), 50, '--wait', 'permission,form');
    await harness.controller.ensureConnected();
    assert.equal(harness.state.connection.status, 'ready');
    const said = asObject(JSON.parse((await harness.prompt('answers')).text));
    for (const kind of ['permission', 'form', 'file', 'terminal'])
      assert.deepEqual(asObject(said[kind])['code'], -32002, kind);
    assert.deepEqual(harness.asked, []);
    assert.equal(harness.log.filter((line) => line.endsWith(' early')).length, 1);
    await harness.end();
  });

  it('SU-6 ids that never open get -32002 and one line in the log', async () => {
    const ask = (id: string, sessionId: string): JsonObject =>
      request(id, 'session/request_permission', { sessionId, toolCall: { toolCallId: id }, options: [] });
    const unknown = { 'error.code': -32002, 'error.data.sessionId': 'ghost' };
    const run = new Replay(
      expectCall('session/new', 'n'),
      ask('a', 'ghost'),
      update(text('boo'), 'ghost'),
      ask('b', 'ghost'),
      answer('n', { sessionId: '$SESSION' }),
      answered('a', unknown),
      answered('b', unknown),
      ask('c', 'ghost'),
      answered('c', unknown),
      update(text('boo again'), 'ghost'),
      update({ sessionUpdate: 'session_info_update', title: 'Mine' }),
    );
    const harness = await SessionHarness.open(run);
    await harness.until(() => harness.state.title === 'Mine');
    assert.equal(harness.log.filter((line) => line.includes('ghost')).length, 1);
    assert.deepEqual(harness.messages(), []);
    assert.deepEqual(harness.asked, []);
    await harness.end();
  });

  it('SE-12 SU-6 a session that is closed before the answer is given back to the agent', async () => {
    const run = new Replay(
      preset('initialize', { agentCapabilities: { sessionCapabilities: { close: {} } } }),
      expectCall('session/new', 'n'),
      answer('n', { sessionId: 'first' }),
      expectCall('session/prompt', 'p'),
      end('p'),
      expectCall('session/new', 'm'),
      update(text('READY'), 'first'),
      expectCall('session/prompt', 'q', { where: { sessionId: 'first' } }),
      answer('m', { sessionId: 'second' }),
      expectCall('session/close', 'c', { check: { 'params.sessionId': 'second' } }),
      answer('c', {}),
      update(text('nobody is there'), 'second'),
      end('q'),
    );
    const harness = await SessionHarness.open(run);
    await harness.prompt('go');
    const first = harness.sessions.current;
    const start = harness.sessions.create();
    await harness.until(() => first.store.state.entries.some(({ kind }) => kind === 'agent'));
    await harness.sessions.close(harness.sessions.current.key);
    assert.equal(harness.sessions.current, first);
    await harness.prompt('on');
    await start;
    assert.equal(harness.log.filter((line) => line.endsWith(' second')).length, 1);
    await harness.end();
  });

  it('SU-6 a refused session/new gives up what came for it', async () => {
    const run = new Replay(
      expectCall('session/new', 'n'),
      update(text('lost'), 'never'),
      request('q', 'fs/read_text_file', { sessionId: 'never', path: '/a' }),
      { send: { jsonrpc: '2.0', id: '$ID:n', error: { code: -32603, message: 'full' } } },
      answered('q', { 'error.code': -32002 }),
    );
    const harness = new SessionHarness({ replay: [run] });
    const { files } = new Ports();
    harness.morePorts = { files };
    await harness.controller.ensureConnected();
    while (!run.finished) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(harness.log.filter((line) => line.includes('never')).length, 1);
    await harness.end();
  });
});
