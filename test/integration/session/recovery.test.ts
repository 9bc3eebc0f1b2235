import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LaunchPlan } from '../../../src/acp/agentProcess';
import { asObject, type JsonObject } from '../../../src/core/json';
import { planFor } from '../../support/fakeAgents';
import {
  answer,
  answered,
  end,
  expectCall,
  preset,
  refuse,
  Replay,
  request,
  update,
} from '../../support/replayScript';
import { text } from '../../support/session';
import { SessionHarness } from '../../support/sessionHarness';

const OPENS = ['session/new', 'session/load', 'session/resume'];
const opensOf = ({ calls }: SessionHarness): string[] => calls.filter((call) => OPENS.includes(call));
const paramsOf = ({ sent }: SessionHarness, method: string): JsonObject[] =>
  sent.filter((message) => message['method'] === method).map(({ params }) => asObject(params));
const notices = (harness: SessionHarness): string[] => harness.entries('notice').map(({ title }) => title);
const CAN_LOAD = preset('initialize', { agentCapabilities: { loadSession: true } });
const SAID = ['user: one', 'agent: one, the 1. prompt'];

describe('a session of an earlier window', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'parley-recovery-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const plan = (...without: string[]): LaunchPlan =>
    planFor('sessions', '--store', join(folder, 'store.json'), '--without', without.join(','));

  /** A window after another one in which a prompt was sent; each with an agent that lacks some capabilities. */
  async function again(before: string[], ...after: string[][]): Promise<SessionHarness> {
    const first = new SessionHarness({ sessions: [plan(...before)] }, 'sessions');
    await first.sessions.restore();
    await first.prompt('one');
    const archive = await first.leave();
    const harness = new SessionHarness(
      { sessions: after.map((without) => plan(...without)) },
      'sessions',
      archive,
    );
    await harness.sessions.restore();
    await harness.controller.ensureConnected();
    return harness;
  }

  it('SE-10 SE-11 is resumed where the agent can, without a replay', async () => {
    const harness = await again([], []);
    assert.deepEqual(opensOf(harness), ['session/resume']);
    assert.deepEqual(harness.messages(), SAID);
    assert.equal((await harness.prompt('two')).text, 'two, the 2. prompt');
    assert.deepEqual(notices(harness), []);
    await harness.end();
  });

  it('SE-6 SE-7 SE-8 is loaded where it can do no more; the replay replaces the transcript', async () => {
    const harness = await again([], ['resume']);
    assert.deepEqual(opensOf(harness), ['session/load']);
    assert.deepEqual(harness.messages(), SAID);
    assert.equal((await harness.prompt('two')).text, 'two, the 2. prompt');
    await harness.end();
  });

  it('SE-8 is the same after a second load', async () => {
    const harness = await again([], ['resume'], ['resume']);
    const kinds = harness.state.entries.map(({ kind }) => kind);
    await harness.controller.restart();
    assert.deepEqual(opensOf(harness), ['session/load', 'session/load']);
    assert.deepEqual(harness.messages(), SAID);
    assert.deepEqual(
      harness.state.entries.map(({ kind }) => kind),
      kinds,
    );
    await harness.end();
  });

  it('SE-6 SE-10 goes on as a new one where the agent can do neither, and says so once', async () => {
    const neither = ['resume', 'load'];
    const harness = await again([], neither, neither, neither);
    await harness.controller.restart();
    assert.deepEqual(opensOf(harness), ['session/new', 'session/new']);
    assert.deepEqual(harness.messages(), SAID);
    assert.deepEqual(notices(harness), ['Sessions has no memory']);
    assert.equal((await harness.prompt('two')).text, 'two, the 1. prompt');
    await harness.controller.restart();
    assert.equal(notices(harness).length, 2, 'what was said since is forgotten as well');
    await harness.end();
  });

  it('SE-3 SE-23 keeps its folder, and sends it with all further ones each time', async () => {
    const first = new SessionHarness({ sessions: [plan()] }, 'sessions');
    await first.sessions.restore();
    await first.prompt('one');
    first.store.state.cwd = folder;
    const archive = await first.leave();
    for (const [without, method] of [
      ['', 'session/resume'],
      ['resume', 'session/load'],
      ['resume,load', 'session/new'],
    ] as const) {
      const harness = new SessionHarness({ sessions: [plan(without)] }, 'sessions', archive);
      harness.others = ['/lib', '/docs'];
      await harness.sessions.restore();
      await harness.controller.ensureConnected();
      const [params] = paramsOf(harness, method);
      assert.deepEqual([params?.['cwd'], params?.['additionalDirectories']], [folder, ['/lib', '/docs']]);
      assert.equal(harness.state.cwd, folder);
      await harness.end();
    }
  });

  it('SE-21 SE-22 SE-25 sends further folders only to an agent that takes them', async () => {
    const harness = new SessionHarness({ sessions: [plan('roots'), plan()] }, 'sessions');
    harness.others = ['/lib'];
    assert.equal((await harness.prompt('roots')).text, JSON.stringify([harness.cwd]));
    await harness.controller.restart();
    assert.equal((await harness.prompt('roots')).text, JSON.stringify([harness.cwd, '/lib']));
    const sent = [...paramsOf(harness, 'session/new'), ...paramsOf(harness, 'session/resume')];
    assert.deepEqual(
      sent.map((params) => params['additionalDirectories']),
      [undefined, ['/lib']],
    );
    await harness.end();
  });

  it('RP-8 is opened anew after the agent said that it has it no more', async () => {
    const harness = await again([], []);
    assert.match(await harness.rejectionOf(harness.prompt('gone')), /Session not found/);
    assert.equal(harness.state.turn.status, 'failed');
    assert.equal((await harness.prompt('two')).text, 'two, the 1. prompt');
    assert.deepEqual(opensOf(harness).slice(-1), ['session/new']);
    assert.equal(harness.connected.length, 1);
    assert.deepEqual(notices(harness), ['Sessions has no memory']);
    await harness.end();
  });
});

describe('a session whose agent is started again', () => {
  const turn = (as: string, words: string) => [
    expectCall('session/prompt', as),
    update(text(words), 'sess-replay-1'),
    end(as),
  ];

  it('SE-7 keeps our transcript, queue and controls where the load fails half-way', async () => {
    const second = new Replay(
      CAN_LOAD,
      expectCall('session/load', 'l'),
      update(text('someone else', 'user_message'), 'sess-replay-1'),
      update({ sessionUpdate: 'session_info_update', title: 'Wrong' }, 'sess-replay-1'),
      refuse('l', -32603, 'corrupt'),
      expectCall('session/new', 'n'),
      answer('n', { sessionId: 'other' }),
    );
    const harness = await SessionHarness.open(new Replay(CAN_LOAD, ...turn('p', 'ONE')), second);
    await harness.prompt('go');
    await harness.controller.restart();
    assert.deepEqual(harness.messages(), ['user: go', 'agent: ONE']);
    assert.equal(harness.state.title, null);
    assert.equal(harness.state.sessionId, 'other');
    assert.equal(harness.state.connection.status, 'ready');
    await harness.end();
  });

  it('SE-8 PT-7 keeps what the person did to the queue during the load', async () => {
    const second = new Replay(
      CAN_LOAD,
      expectCall('session/load', 'l'),
      update(text('go', 'user_message'), 'sess-replay-1'),
      request(1, 'fs/read_text_file', { sessionId: 'sess-replay-1', path: '/a' }),
      answered(1, { 'result.content': 'read' }),
      answer('l', {}),
    );
    const harness = new SessionHarness({ replay: [new Replay(CAN_LOAD, ...turn('p', 'ONE')), second] });
    // The agent reads in the middle of the load; that is when the person acts.
    harness.morePorts = {
      files: {
        readTextFile: () => {
          harness.controller.queue.remove('a');
          return Promise.resolve({ content: 'read' });
        },
        writeTextFile: () => Promise.reject(new Error('not expected')),
      },
    };
    await harness.prompt('go');
    const items = ['a', 'b'].map((id) => ({ id, text: id, attachments: [] }));
    harness.store.dispatch({ type: 'queueChanged', queue: { items, paused: true } });
    await harness.controller.restart();
    assert.deepEqual(harness.messages(), ['user: go']);
    assert.deepEqual(
      harness.state.queue.items.map(({ id }) => id),
      ['b'],
    );
    assert.equal(harness.state.connection.status, 'ready');
    await harness.end();
  });

  it('SE-8 an empty replay keeps the transcript and takes what else came; a late one replaces it', async () => {
    const mode = { id: 'fast', name: 'Fast', type: 'boolean', currentValue: true };
    const second = new Replay(
      CAN_LOAD,
      expectCall('session/load', 'l'),
      update({ sessionUpdate: 'session_info_update', title: 'Early' }, 'sess-replay-1'),
      answer('l', { configOptions: [mode] }),
      expectCall('session/set_config_option', 's'),
      answer('s', { configOptions: [mode] }),
      update(text('late', 'user_message'), 'sess-replay-1'),
      ...turn('p', 'TWO'),
    );
    const harness = await SessionHarness.open(new Replay(CAN_LOAD, ...turn('p', 'ONE')), second);
    await harness.prompt('go');
    await harness.controller.restart();
    assert.deepEqual(harness.messages(), ['user: go', 'agent: ONE']);
    assert.equal(harness.state.title, 'Early');
    await harness.controller.setConfig('fast', false);
    await harness.until(() => harness.messages().length === 1);
    assert.deepEqual(harness.messages(), ['user: late']);
    assert.deepEqual([harness.state.title, harness.state.config.length], ['Early', 1]);
    assert.equal(harness.state.connection.status, 'ready');
    assert.equal((await harness.prompt('two')).text, 'TWO');
    await harness.end();
  });

  it('CF-6 SE-6 a new session gets again what the person chose in the controls', async () => {
    const fast = (currentValue: boolean) => ({ id: 'fast', name: 'Fast', type: 'boolean', currentValue });
    const fresh = preset('session/new', { configOptions: [fast(false)] });
    const first = new Replay(
      fresh,
      expectCall('session/set_config_option', 's'),
      answer('s', { configOptions: [fast(true)] }),
    );
    const second = new Replay(
      fresh,
      expectCall('session/set_config_option', 's', {
        check: { 'params.configId': 'fast', 'params.value': true },
      }),
      answer('s', { configOptions: [fast(true)] }),
    );
    const harness = await SessionHarness.open(first, second);
    await harness.controller.setConfig('fast', true);
    await harness.controller.restart();
    assert.deepEqual(
      harness.state.config.map(({ value }) => value),
      [true],
    );
    assert.equal(second.paramsOf('session/set_config_option').length, 1);
    await harness.end();
  });

  it('SE-6 says once that it has no memory, also to an agent that greets', async () => {
    const greets = (): Replay =>
      new Replay(
        expectCall('session/new', 'n'),
        answer('n', { sessionId: 'sess-replay-1' }),
        update(text('Welcome'), 'sess-replay-1'),
      );
    const harness = await SessionHarness.open(new Replay(...turn('p', 'ONE')), greets(), greets());
    await harness.prompt('go');
    for (const count of [1, 2]) {
      await harness.controller.restart();
      const welcomes = () => harness.messages().join('').split('Welcome').length - 1;
      await harness.until(() => welcomes() === count);
    }
    assert.deepEqual(notices(harness), ['Replay Agent has no memory']);
    await harness.end();
  });
});
