import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/core/json';
import type { SessionState } from '../../../src/core/session/state';
import { keptSession, PLACE } from '../acp/memoryAgent';
import { agentWith, CAN_ALL, SessionWindow, type Answers } from './sessionWindow';

const titled = (state: SessionState, title: string): SessionState => ({ ...state, title });

describe('the list of sessions', () => {
  const listing = (...sessions: JsonObject[]): Answers => ({ 'session/list': () => ({ sessions }) });
  const listed = (sessionId: string, title: string, updatedAt: string) => ({
    sessionId,
    cwd: PLACE.cwd,
    title,
    updatedAt,
  });

  it('SE-15 SE-19 has each session once: open, on disk, and with the agent alone', async () => {
    const agent = agentWith(
      CAN_ALL,
      listing(
        listed('new-1', 'Of the agent', '1970-01-01T00:00:02Z'),
        listed('s-old', 'Of the agent', '1970-01-01T00:00:03Z'),
        listed('s-far', 'Far', '1970-01-01T00:00:00.500Z'),
        { title: 'without an id' },
        listed('s-far', 'Far, again', '1970-01-01T00:00:00.500Z'),
      ),
    );
    const window = new SessionWindow({ memory: agent });
    window.archive.states.set('old', titled(keptSession('s-old'), 'Old'));
    await window.sessions.restore();
    const { key } = await window.use('mine');
    window.archive.states.set(key, window.sessions.state);
    await window.sessions.refresh();
    assert.deepEqual(
      window.rows.toSorted(),
      [
        [key, 'open', 'mine'],
        ['old', 'kept', 'Old'],
        ['agent:memory:s-far', 'agent', 'Far, again'],
      ].toSorted(),
    );
    assert.equal(window.sessions.list().loading, false);
    assert.deepEqual(
      agent.calls.filter((call) => call === 'session/load'),
      [],
      'listing opens nothing',
    );
  });

  it('SE-15 is in the order of use, with what nobody dated last', async () => {
    const agent = agentWith(
      CAN_ALL,
      listing(
        { sessionId: 'undated', cwd: PLACE.cwd },
        listed('older', 'Older', '1970-01-01T00:00:00.100Z'),
        listed('newer', 'Newer', '2026-01-01T00:00:00Z'),
      ),
    );
    const window = new SessionWindow({ memory: agent });
    await window.use('mine');
    await window.sessions.refresh();
    assert.deepEqual(
      window.sessions.list().rows.map(({ sessionId }) => sessionId),
      ['newer', 'new-1', 'older', 'undated'],
    );
  });

  it('SE-15 keeps two agents apart whose sessions have the same id', async () => {
    const one = agentWith(CAN_ALL, listing(listed('same', 'One', '2026-01-01T00:00:00Z')));
    const two = agentWith(CAN_ALL, listing(listed('same', 'Two', '2026-01-02T00:00:00Z')));
    const window = new SessionWindow({ memory: one, other: two });
    await window.use();
    await window.sessions.create('other');
    await window.use();
    await window.sessions.refresh();
    assert.deepEqual(window.rows.slice(0, 2), [
      ['agent:other:same', 'agent', 'Two'],
      ['agent:memory:same', 'agent', 'One'],
    ]);
  });

  it('SE-15 takes a list without sessions for an empty one', async () => {
    let gone = false;
    const flaky = agentWith(CAN_ALL, {
      'session/list': () => ({ sessions: gone ? null : [listed('a', 'A', '2026-01-01T00:00:00Z')] }),
    });
    const window = new SessionWindow({ memory: flaky });
    await window.use();
    await window.sessions.refresh();
    assert.equal(window.sessions.list().rows.length, 2);
    gone = true;
    await window.sessions.refresh();
    assert.equal(window.sessions.list().rows.length, 1);
    assert.equal(window.sessions.list().problem, null);
  });

  it('SE-15 asks only the agents that run and can list', async () => {
    const [idle, without] = [agentWith(), agentWith({})];
    const window = new SessionWindow({ memory: without, other: idle });
    await window.use();
    await window.sessions.refresh();
    assert.ok(!without.calls.includes('session/list'));
    assert.deepEqual(idle.calls, []);
  });

  it('SE-15 loads while agents are asked', async () => {
    const window = new SessionWindow();
    await window.use();
    const refreshed = window.sessions.refresh();
    assert.equal(window.sessions.list().loading, true);
    let told = 0;
    window.sessions.onDidChangeList(() => told++);
    await refreshed;
    assert.equal(window.sessions.list().loading, false);
    assert.ok(told > 0);
  });

  it('SE-19 SE-8 opens a session of the agent by a load, even where it can resume', async () => {
    const agent = agentWith(CAN_ALL, listing(listed('s-far', 'Far', '2026-01-01T00:00:00Z')));
    const window = new SessionWindow({ memory: agent });
    await window.use();
    await window.sessions.refresh();
    await window.sessions.show('agent:memory:s-far');
    assert.deepEqual(agent.paramsOf('session/load'), [
      { sessionId: 's-far', cwd: PLACE.cwd, mcpServers: [] },
    ]);
    assert.ok(!agent.calls.includes('session/resume'));
    const { rows } = window.sessions.list();
    assert.equal(rows.filter(({ sessionId }) => sessionId === 's-far').length, 1);
    assert.equal(rows.find(({ current }) => current)?.title, 'Far');
  });

  it('SE-19 two clicks on a session of the agent open it once', async () => {
    const agent = agentWith(CAN_ALL, listing(listed('s-far', 'Far', '2026-01-01T00:00:00Z')));
    const window = new SessionWindow({ memory: agent });
    await window.use();
    await window.sessions.refresh();
    const show = (): Promise<void> => window.sessions.show('agent:memory:s-far');
    await Promise.all([show(), show()]);
    assert.equal(agent.paramsOf('session/load').length, 1);
    assert.equal(window.sessions.list().rows.length, 2);
  });
});
