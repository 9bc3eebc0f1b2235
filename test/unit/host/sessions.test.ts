import assert from 'node:assert/strict';
import { emptySession, type SessionState } from '../../../src/core/session/state';
import { MemoryArchive } from '../../support/sessionHarness';
import { TestSession, text } from '../../support/session';
import { keptSession, LATER } from '../acp/memoryAgent';
import { agentWith, CAN_ALL, SessionWindow } from './sessionWindow';

const titled = (state: SessionState, title: string): SessionState => ({ ...state, title });

describe('the sessions of a window', () => {
  it('SE-4 a new session is the shown one, if nothing happened in that', async () => {
    const agent = agentWith();
    const window = new SessionWindow({ memory: agent });
    await window.sessions.create();
    const { key } = window;
    await window.sessions.create();
    assert.equal(window.key, key);
    assert.deepEqual(agent.calls, ['session/new']);
    await window.use();
    await window.sessions.create();
    assert.notEqual(window.key, key);
    assert.equal(window.sessions.list().rows.length, 2);
  });

  it('SE-4 a session of another agent takes the place of one that was never used', async () => {
    const memory = agentWith();
    const window = new SessionWindow({ memory, other: agentWith() });
    await window.sessions.create();
    const before = window.key;
    await window.sessions.create('other');
    assert.equal(window.sessions.state.agent.id, 'other');
    assert.equal(window.sessions.find(before), undefined);
    assert.deepEqual(window.stopped, [before]);
    assert.deepEqual(memory.paramsOf('session/close'), [{ sessionId: 'new-1' }]);
    await window.use();
    await window.sessions.create();
    assert.equal(window.sessions.state.agent.id, 'other', 'the next one is of the same agent');
  });

  it('SE-4 what was written in a session that was never used goes to the one that takes its place', async () => {
    const window = new SessionWindow({ memory: agentWith(), other: agentWith() });
    const { sessions } = window;
    await sessions.create();
    const seen: unknown[] = [];
    sessions.onDidReplace((keys) => seen.push({ ...keys, shown: window.key }));
    const from = window.key;
    await sessions.create('other');
    assert.deepEqual(seen, [{ from, to: window.key, shown: from }], 'told before the other is shown');

    await window.use();
    await sessions.create('memory');
    assert.equal(seen.length, 1, 'a session that was used keeps its place');
  });

  it('SE-4 shows the chosen session, once told, and marks its row', async () => {
    const window = new SessionWindow();
    const first = await window.use('one');
    await window.sessions.create();
    const second = await window.use('two');
    window.switches.length = 0;
    await window.sessions.show(first.key);
    assert.equal(window.sessions.current, first);
    assert.deepEqual(window.switches, [first.key]);
    assert.deepEqual(
      window.sessions.list().rows.map(({ key, current }) => [key, current]),
      [
        [first.key, true],
        [second.key, false],
      ],
    );
    assert.deepEqual(window.archive.last, { key: first.key, agentId: 'memory' });
    await window.sessions.show('unknown');
    assert.equal(window.sessions.current, first);
  });

  it('SE-12 closing the shown session shows the one that was used last', async () => {
    const window = new SessionWindow();
    const first = await window.use('one');
    await window.sessions.create();
    const second = await window.use('two');
    await window.sessions.create();
    await window.sessions.close(window.key);
    assert.ok([first, second].includes(window.sessions.current));
    await window.sessions.close(first.key);
    await window.sessions.close(second.key);
    assert.equal(window.sessions.list().rows.length, 1);
    assert.deepEqual(window.sessions.state.entries, []);
    assert.equal(window.sessions.state.connection.status, 'ready');
  });

  it('SE-12 closing a session that is not shown leaves the shown one', async () => {
    const agent = agentWith();
    const window = new SessionWindow({ memory: agent });
    const first = await window.use('one');
    await window.sessions.create();
    const { key } = window;
    window.switches.length = 0;
    await window.sessions.close(first.key);
    assert.equal(window.key, key);
    assert.deepEqual(window.switches, []);
    assert.deepEqual(agent.paramsOf('session/close'), [{ sessionId: 'new-1' }]);
    assert.deepEqual(window.stopped, [first.key]);
    assert.deepEqual(window.archive.removed, [], 'its transcript stays');
  });

  it('SE-20 removing a session deletes it here and with the agent, which closes it first', async () => {
    const agent = agentWith();
    const window = new SessionWindow({ memory: agent });
    const { key } = await window.use('one');
    await window.sessions.remove(key);
    assert.deepEqual(window.archive.removed, [key]);
    assert.notEqual(window.key, key);
    const calls = agent.calls.filter((call) => /close|delete/.test(call));
    assert.deepEqual(calls, ['session/close', 'session/delete']);
    assert.deepEqual(agent.paramsOf('session/delete'), [{ sessionId: 'new-1' }]);
    assert.equal(window.sessions.list().rows.length, 1);
  });

  it('SE-20 removing the last session of an agent tells the agent before it ends', async () => {
    const agent = agentWith();
    const window = new SessionWindow({ memory: agent, other: agentWith() });
    const { key } = await window.use('one');
    await window.sessions.create('other');
    await window.sessions.remove(key);
    const calls = agent.calls.filter((call) => /close|delete/.test(call));
    assert.deepEqual(calls, ['session/close', 'session/delete']);
  });

  it('SE-20 removing a session that is only on disk needs no agent', async () => {
    const window = new SessionWindow();
    window.archive.states.set('old', titled(keptSession('s-old'), 'Old'));
    await window.sessions.restore();
    await window.sessions.remove('old');
    assert.deepEqual(window.archive.removed, ['old']);
    assert.ok(!window.sessions.list().rows.some(({ key }) => key === 'old'));
  });
});

describe('a session that is closed', () => {
  it('SE-14 SE-12 is gone at once, however long the agents take', async () => {
    const agent = agentWith(CAN_ALL, { 'session/close': () => LATER, 'session/prompt': () => LATER });
    const window = new SessionWindow({ memory: agent });
    const { current } = window.sessions;
    await window.sessions.create();
    void current.controller.prompt({ text: 'go', attachments: [] });
    await agent.until('session/prompt');
    const closed = window.sessions.close(current.key);
    assert.equal(window.sessions.find(current.key), undefined);
    assert.notEqual(window.key, current.key);
    await agent.until('session/close');
    agent.settle('session/close', {});
    await closed;
    assert.equal(current.store.state.turn.status, 'idle');
  });

  it('SE-12 does not wait for an agent that never answers', async () => {
    const agent = agentWith(CAN_ALL, { 'session/close': () => LATER });
    const window = new SessionWindow({ memory: agent });
    const { key } = await window.use();
    await window.sessions.remove(key);
    assert.deepEqual(window.archive.removed, [key]);
    assert.deepEqual(window.stopped, [key]);
  });

  it('SE-12 is closed once, also by two clicks', async () => {
    const agent = agentWith();
    const window = new SessionWindow({ memory: agent });
    const { key } = await window.use();
    await Promise.all([window.sessions.close(key), window.sessions.close(key)]);
    assert.equal(agent.paramsOf('session/close').length, 1);
    assert.deepEqual(window.stopped, [key]);
  });
});

describe('the badge of a session', () => {
  it('PT-6 PE-1 tells what a session that is not shown does', async () => {
    const window = new SessionWindow();
    const { key, store } = await window.use('one');
    await window.sessions.create();
    assert.equal(window.badgeOf(key), 'idle');
    const steps = new TestSession();
    store.dispatch({ type: 'promptSubmitted', blocks: [], at: 1 });
    assert.equal(window.badgeOf(key), 'running');
    store.dispatch({
      type: 'permissionRequested',
      requestId: 'q',
      patch: { toolCallId: 'a' },
      options: [],
      at: 1,
    });
    assert.equal(window.badgeOf(key), 'waiting');
    store.dispatch({ type: 'permissionAnswered', requestId: 'q', optionId: null, at: 1 });
    assert.equal(window.badgeOf(key), 'running');
    store.dispatch(steps.action(text('words change no badge')));
    store.dispatch({ type: 'turnEnded', turn: 2, stopReason: 'end_turn', at: 2 });
    assert.equal(window.badgeOf(key), 'done');
    await window.sessions.show(key);
    assert.equal(window.badgeOf(key), 'idle');
    store.dispatch({ type: 'promptSubmitted', blocks: [], at: 3 });
    store.dispatch({ type: 'turnEnded', turn: 3, stopReason: 'end_turn', at: 4 });
    assert.equal(window.badgeOf(key), 'idle', 'the person saw the end');
  });

  it('PT-11 TR-9 tells of a failed turn and of an agent that ended', async () => {
    const window = new SessionWindow();
    const { key, store } = await window.use('one');
    store.dispatch({ type: 'promptSubmitted', blocks: [], at: 1 });
    store.dispatch({ type: 'turnFailed', turn: 2, error: { message: 'no' }, at: 2 });
    assert.equal(window.badgeOf(key), 'failed');
    store.dispatch({ type: 'promptSubmitted', blocks: [], at: 3 });
    assert.equal(window.badgeOf(key), 'running');
    store.dispatch({ type: 'turnEnded', turn: 3, stopReason: 'end_turn', at: 4 });
    assert.equal(window.badgeOf(key), 'idle');
    store.dispatch({ type: 'connectionChanged', status: 'exited', at: 5 });
    assert.equal(window.badgeOf(key), 'failed');
  });

  it('PE-1 EL-6 waits for a sign-in and for a form', async () => {
    const window = new SessionWindow();
    const { key, store } = await window.use('one');
    store.dispatch({ type: 'elicitationRequested', requestId: 'e', message: 'name?' });
    assert.equal(window.badgeOf(key), 'waiting');
    store.dispatch({ type: 'elicitationAnswered', requestId: 'e', action: 'cancel' });
    assert.equal(window.badgeOf(key), 'idle');
    store.dispatch({ type: 'connectionChanged', status: 'auth', at: 5 });
    assert.equal(window.badgeOf(key), 'waiting');
  });
});

describe('what a window brings back', () => {
  const lasting = (key: string, agentId = 'memory'): MemoryArchive => {
    const archive = new MemoryArchive();
    archive.last = { key, agentId };
    return archive;
  };

  it('SE-10 is the session that was shown last, under its key', async () => {
    const archive = lasting('old');
    archive.states.set('older', keptSession('s-older'));
    archive.states.set('old', keptSession('s-old'));
    const window = new SessionWindow(undefined, archive);
    await window.sessions.restore();
    assert.equal(window.key, 'old');
    assert.equal(window.sessions.state.sessionId, 's-old');
    assert.equal(window.sessions.state.entries.length, 2);
    assert.deepEqual(
      window.sessions
        .list()
        .rows.map(({ key }) => key)
        .toSorted(),
      ['old', 'older'],
    );
  });

  it('SE-10 is an empty one under the same key, with the same agent, where nothing had been said', async () => {
    const window = new SessionWindow({ memory: agentWith(), other: agentWith() }, lasting('draft', 'other'));
    await window.sessions.restore();
    assert.equal(window.key, 'draft');
    assert.equal(window.sessions.state.agent.id, 'other');
    assert.equal(window.sessions.list().rows.length, 1);
  });

  it('SE-10 is one of the default agent where the settings do not know the agent any more', async () => {
    const window = new SessionWindow(undefined, lasting('draft', 'gone'));
    await window.sessions.restore();
    assert.equal(window.key, 'draft');
    assert.equal(window.sessions.state.agent.id, 'memory');
  });

  it('SE-10 is a new one in a window that never showed any', async () => {
    const window = new SessionWindow();
    await window.sessions.restore();
    assert.deepEqual(window.sessions.state.entries, []);
    assert.deepEqual(window.archive.last, { key: window.key, agentId: 'memory' });
  });

  it('SE-10 takes the place of an empty one that the page asked for meanwhile', async () => {
    const archive = lasting('old');
    archive.states.set('old', keptSession('s-old'));
    const window = new SessionWindow(undefined, archive);
    const early = window.key;
    await window.sessions.restore();
    assert.equal(window.key, 'old');
    assert.equal(window.sessions.find(early), undefined);
    assert.deepEqual(window.switches, ['old']);
  });

  it('SE-10 does not take the place of one that the person began meanwhile', async () => {
    const archive = lasting('old');
    archive.states.set('old', keptSession('s-old'));
    const window = new SessionWindow(undefined, archive);
    const restored = window.sessions.restore();
    const { key, store } = window.sessions.current;
    store.dispatch({ type: 'promptSubmitted', blocks: [], at: 1 });
    await restored;
    assert.equal(window.key, key);
    assert.deepEqual(archive.last, { key, agentId: 'memory' });
  });

  it('SE-10 is read once', async () => {
    const archive = lasting('old');
    archive.states.set('old', keptSession('s-old'));
    const window = new SessionWindow(undefined, archive);
    await Promise.all([window.sessions.restore(), window.sessions.restore()]);
    await window.sessions.create();
    const { key } = window;
    await window.sessions.restore();
    assert.equal(window.key, key);
  });

  it('SE-10 shows a kept session whose file is gone as an empty one', async () => {
    const archive = lasting('old');
    archive.states.set('old', keptSession('s-old'));
    archive.load = () => Promise.resolve(undefined);
    const window = new SessionWindow(undefined, archive);
    await window.sessions.restore();
    assert.equal(window.key, 'old');
    assert.deepEqual(window.sessions.state.entries, emptySession('x').entries);
  });

  it('SE-10 two that show the same kept session get one', async () => {
    const window = new SessionWindow();
    window.archive.states.set('old', keptSession('s-old'));
    await window.sessions.restore();
    await Promise.all([window.sessions.show('old'), window.sessions.show('old')]);
    assert.equal(window.sessions.list().rows.filter(({ key }) => key === 'old').length, 1);
    assert.equal(window.sessions.find('old'), window.sessions.current);
  });
});
