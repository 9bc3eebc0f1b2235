import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LaunchPlan } from '../../../src/acp/agentProcess';
import { planFor } from '../../support/fakeAgents';
import { answer, end, expectCall, preset, refuse, Replay } from '../../support/replayScript';
import { SessionHarness } from '../../support/sessionHarness';

const CAN_LIST = preset('initialize', { agentCapabilities: { sessionCapabilities: { list: {} } } });

const idsOf = ({ sessions }: SessionHarness): (string | null)[] =>
  sessions.list().rows.map(({ sessionId }) => sessionId);

describe('sessions of an agent in the list', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'parley-list-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const plan = (...args: string[]): LaunchPlan =>
    planFor('sessions', '--store', join(folder, 'store.json'), ...args);

  /** A window in which some sessions were used. */
  async function used(count: number, ...plans: LaunchPlan[]): Promise<SessionHarness> {
    const harness = new SessionHarness({ sessions: plans }, 'sessions');
    for (let i = 1; i <= count; i++) {
      await harness.sessions.create();
      await harness.prompt(`prompt ${i}`);
    }
    return harness;
  }

  it('SE-15 SE-16 SE-17 SE-19 are listed page by page in another window, and opened with their replay when chosen', async () => {
    const first = await used(5, plan());
    await first.end();
    const harness = new SessionHarness({ sessions: [plan('--page', '2')] }, 'sessions');
    await harness.controller.ensureConnected();
    await harness.sessions.refresh();
    const lists = harness.sent.filter(({ method }) => method === 'session/list');
    // Five old ones and that of the new window.
    assert.equal(lists.length, 3);
    const listed = harness.sessions.list().rows.filter(({ origin }) => origin === 'agent');
    assert.deepEqual(
      listed.map(({ title }) => title).toSorted(),
      [1, 2, 3, 4, 5].map((n) => `prompt ${n}`),
    );
    assert.ok(!harness.calls.includes('session/load'), 'a list opens nothing');
    const row = listed.find(({ title }) => title === 'prompt 3');
    await harness.sessions.show(row?.key ?? '');
    assert.deepEqual(harness.messages(), ['user: prompt 3', 'agent: prompt 3, the 1. prompt']);
    assert.equal(harness.state.sessionId, row?.sessionId);
    await harness.prompt('more');
    assert.equal(harness.messages().at(-1), 'agent: more, the 2. prompt');
    assert.equal(idsOf(harness).filter((id) => id === row?.sessionId).length, 1);
    await harness.end();
  });

  it('SE-16 come to an end where the agent names the same cursor for ever', async () => {
    const harness = await used(1, plan('--endless'));
    await harness.sessions.refresh();
    assert.equal(harness.calls.filter((call) => call === 'session/list').length, 2);
    assert.deepEqual(idsOf(harness).toSorted(), ['again', 'kept-1']);
    assert.equal(harness.sessions.list().loading, false);
    await harness.end();
  });

  it('SE-15 SE-20 SE-12 are not asked for, closed or deleted where the agent can not', async () => {
    const harness = await used(2, plan('--without', 'list,close,delete'));
    await harness.sessions.refresh();
    assert.equal(harness.sessions.list().problem, null);
    const [newest, oldest] = harness.sessions.list().rows;
    await harness.sessions.close(newest?.key ?? '');
    await harness.sessions.remove(oldest?.key ?? '');
    assert.deepEqual(
      harness.calls.filter((call) => /list|close|delete/.test(call)),
      [],
    );
    await harness.end();
  });

  it('SE-12 SE-20 are closed and deleted where it can, and are gone from its list', async () => {
    const harness = await used(2, plan());
    const [one, two] = harness.sessions.list().rows.map(({ key }) => key);
    await harness.sessions.close(one ?? '');
    await harness.sessions.remove(two ?? '');
    assert.deepEqual(
      harness.calls.filter((call) => /close|delete/.test(call)),
      ['session/close', 'session/close', 'session/delete'],
    );
    await harness.sessions.refresh();
    assert.ok(!idsOf(harness).includes('kept-1') || !idsOf(harness).includes('kept-2'));
    assert.deepEqual(harness.archive.removed, [two]);
    await harness.end();
  });

  it('SE-20 a session that only the agent has is deleted there', async () => {
    const first = await used(1, plan());
    await first.end();
    const harness = await used(1, plan());
    await harness.sessions.refresh();
    await harness.sessions.remove('agent:sessions:kept-1');
    assert.deepEqual(
      harness.sent.flatMap(({ method, params }) => (method === 'session/delete' ? [params] : [])),
      [{ sessionId: 'kept-1' }],
    );
    assert.deepEqual(idsOf(harness), ['kept-2']);
    await harness.end();
  });

  it('RP-8 SE-13 an agent that does not know a session any more alarms nobody', async () => {
    const harness = new SessionHarness({
      replay: [
        new Replay(
          preset('initialize', { agentCapabilities: { sessionCapabilities: { close: {}, delete: {} } } }),
          expectCall('session/prompt', 'p'),
          end('p'),
          expectCall('session/close', 'c'),
          refuse('c', -32002, 'Session not found'),
          expectCall('session/delete', 'd'),
          refuse('d', -32002, 'Session not found'),
        ),
      ],
    });
    await harness.prompt('go');
    const { key } = harness.sessions.current;
    await harness.sessions.remove(key);
    assert.deepEqual(harness.archive.removed, [key]);
    assert.equal(harness.state.banner, null);
    assert.equal(harness.sessions.list().problem, null);
    assert.deepEqual(harness.entries('error'), []);
    assert.notEqual(harness.sessions.current.key, key);
    await harness.end();
  });

  it('SE-15 RP-9 a list that fails is told with the reason, and what was listed before stays', async () => {
    const run = new Replay(
      CAN_LIST,
      expectCall('session/prompt', 'p'),
      end('p'),
      expectCall('session/list', 'l'),
      answer('l', { sessions: [{ sessionId: 'a', cwd: '/' }] }),
      expectCall('session/list', 'm'),
      refuse('m', -32603, 'Internal error', { details: 'disk full' }),
      expectCall('session/list', 'n'),
      answer('n', { sessions: [] }),
    );
    const harness = await SessionHarness.open(run);
    await harness.prompt('go');
    await harness.sessions.refresh();
    assert.equal(harness.sessions.list().rows.length, 2);
    await harness.sessions.refresh();
    const failed = harness.sessions.list();
    assert.equal(failed.problem, 'Replay Agent: disk full');
    assert.deepEqual([failed.rows.length, failed.loading], [2, false]);
    await harness.sessions.refresh();
    assert.deepEqual([harness.sessions.list().problem, harness.sessions.list().rows.length], [null, 1]);
    await harness.end();
  });

  it('SE-16 a later page that fails ends the list with what came before it', async () => {
    const run = new Replay(
      CAN_LIST,
      expectCall('session/list', 'l'),
      answer('l', { sessions: [{ sessionId: 'a', cwd: '/' }], nextCursor: 'next' }),
      expectCall('session/list', 'm', { check: { 'params.cursor': 'next' } }),
      refuse('m', -32602, 'Unknown cursor'),
    );
    const harness = await SessionHarness.open(run);
    await harness.sessions.refresh();
    assert.ok(idsOf(harness).includes('a'));
    await harness.end();
  });

  it('SE-19 choosing what is shown asks the agent for it again', async () => {
    const harness = await used(1, plan());
    const { key } = harness.sessions.current;
    await harness.sessions.refresh();
    const before = harness.messages();
    await harness.sessions.show(key);
    assert.equal(harness.calls.filter((call) => call === 'session/load').length, 1);
    assert.deepEqual(harness.messages(), before);
    await harness.sessions.show(key);
    assert.deepEqual(harness.messages(), before, 'twice gives the same');
    assert.equal(harness.state.connection.status, 'ready');
    await harness.prompt('more');
    assert.equal(harness.messages().at(-1), 'agent: more, the 2. prompt');
    await harness.end();
  });
});
