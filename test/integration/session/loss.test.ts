import assert from 'node:assert/strict';
import { isAlive } from '../../support/fakeAgents';
import { answer, askFor, end, expectCall, preset, refuse, Replay, update } from '../../support/replayScript';
import { text, tool } from '../../support/session';
import { SessionHarness } from '../../support/sessionHarness';

const CAN_LOAD = preset('initialize', { agentCapabilities: { loadSession: true } });

/** An agent that dies in the middle of its first turn. */
const mortal = (...before: Record<string, unknown>[]): Replay =>
  new Replay(
    ...before,
    expectCall('session/prompt', 'p'),
    update(text('HALF')),
    update(tool('a', { status: 'in_progress' })),
    { stderr: 'fatal: token store is locked\n' },
    { exit: 3 },
  );

describe('an agent that goes away', () => {
  it('TR-9 fails the turn with exit code and last words, and interrupts its calls', async () => {
    const harness = await SessionHarness.open(mortal());
    const message = await harness.rejectionOf(harness.prompt('go'));
    assert.equal(message, 'Replay Agent ended with 3');
    const { turn, connection, banner } = harness.state;
    assert.equal(turn.status, 'failed');
    assert.equal(connection.status, 'exited');
    assert.equal(banner?.detail, 'fatal: token store is locked');
    assert.deepEqual(
      harness.entries('error').map(({ error }) => error),
      [{ message: 'Replay Agent ended with 3', detail: 'fatal: token store is locked' }],
    );
    assert.equal(harness.tool('a').status, 'interrupted');
    assert.deepEqual(harness.released, [harness.sessions.current.key]);
    await harness.end();
  });

  it('TR-9 CA-3 takes back the questions of the agent', async () => {
    const harness = await SessionHarness.open(
      new Replay(expectCall('session/prompt', 'p'), askFor(1, 'a'), expectCall('session/cancel'), {
        exit: 1,
      }),
    );
    const turn = harness.rejectionOf(harness.prompt('go'));
    await harness.until(() => harness.openQuestions.length === 1);
    const [question] = harness.openQuestions;
    harness.connected[0]?.process.kill();
    assert.match(await turn, /SIGKILL/);
    assert.deepEqual(harness.openQuestions, []);
    assert.equal(harness.permissions.answer(question?.requestId ?? '', 'opt-once'), false);
    assert.equal(harness.tool('a').status, 'interrupted');
    await harness.sessions.stop();
  });

  it('TR-9 tells of an agent that ends between two turns', async () => {
    const harness = await SessionHarness.open(
      new Replay(expectCall('session/prompt', 'p'), end('p'), { exit: 0 }),
    );
    await harness.prompt('go');
    await harness.until(() => harness.state.connection.status === 'exited');
    assert.equal(harness.state.banner?.message, 'Replay Agent ended with 0');
    assert.equal(harness.state.turn.status, 'idle');
    await harness.end();
  });

  it('SE-6 starts a new process for the next prompt and says that it has no memory', async () => {
    const second = new Replay(expectCall('session/prompt', 'p'), update(text('NEW')), end('p'));
    const harness = await SessionHarness.open(mortal(), second);
    await assert.rejects(harness.prompt('go'));
    assert.equal((await harness.prompt('again')).text, 'NEW');
    assert.deepEqual(second.calls, ['initialize', 'session/new', 'session/prompt']);
    assert.deepEqual(harness.messages(), ['user: go', 'agent: HALF', 'user: again', 'agent: NEW']);
    assert.deepEqual(
      harness.entries('notice').map(({ title }) => title),
      ['Replay Agent has no memory'],
    );
    assert.equal(harness.state.banner, null);
    await harness.end();
  });

  it('SE-8 loads the session where the agent can, and shows the replay once', async () => {
    const second = new Replay(
      CAN_LOAD,
      expectCall('session/load', 'l', {
        check: {
          'params.sessionId': 'sess-replay-1',
          'params.cwd': { $exists: true },
          'params.mcpServers': [],
        },
      }),
      update(text('go', 'user_message')),
      update(text('HALF OF IT')),
      update(tool('a', { status: 'failed' })),
      answer('l', { configOptions: null, modes: null }),
      expectCall('session/prompt', 'p', { check: { 'params.sessionId': 'sess-replay-1' } }),
      update(text('NEW')),
      end('p'),
    );
    const harness = await SessionHarness.open(mortal(CAN_LOAD), second);
    await assert.rejects(harness.prompt('go'));
    assert.equal((await harness.prompt('again')).text, 'NEW');
    assert.deepEqual(harness.messages(), ['user: go', 'agent: HALF OF IT', 'user: again', 'agent: NEW']);
    assert.equal(harness.entries('tool').length, 1);
    assert.equal(harness.tool('a').status, 'failed');
    assert.deepEqual(harness.entries('notice'), []);
    assert.ok(!second.calls.includes('session/new'));
    await harness.end();
  });

  it('SE-8 takes what comes after the answer to session/load for replay as well', async () => {
    const second = new Replay(
      CAN_LOAD,
      expectCall('session/load', 'l'),
      answer('l', {}),
      update(text('go', 'user_message'), 'sess-replay-1'),
      update(text('HALF OF IT')),
      update({ sessionUpdate: 'session_info_update', title: 'Replayed' }),
      expectCall('session/prompt', 'p'),
      update(text('NEW')),
      end('p'),
    );
    const harness = await SessionHarness.open(mortal(CAN_LOAD), second);
    await assert.rejects(harness.prompt('go'));
    await harness.controller.ensureConnected();
    await harness.until(() => harness.state.title === 'Replayed');
    assert.equal(harness.state.turn.status, 'idle');
    await harness.prompt('again');
    assert.deepEqual(harness.messages(), ['user: go', 'agent: HALF OF IT', 'user: again', 'agent: NEW']);
    await harness.end();
  });

  it('SE-7 keeps the transcript and opens a new session where the load fails half-way', async () => {
    const second = new Replay(
      CAN_LOAD,
      expectCall('session/load', 'l'),
      update(text('PARTIAL'), 'sess-replay-1'),
      refuse('l', -32603, 'No previous sessions found'),
      expectCall('session/new', 'n'),
      answer('n', { sessionId: 'another' }),
      expectCall('session/prompt', 'p', { check: { 'params.sessionId': 'another' } }),
      update(text('NEW'), 'another'),
      end('p'),
    );
    const harness = await SessionHarness.open(mortal(CAN_LOAD), second);
    await assert.rejects(harness.prompt('go'));
    assert.equal((await harness.prompt('again')).text, 'NEW');
    assert.deepEqual(harness.messages(), ['user: go', 'agent: HALF', 'user: again', 'agent: NEW']);
    assert.equal(harness.entries('notice').length, 1);
    assert.ok(harness.log.some((line) => line.includes('No previous sessions found')));
    await harness.end();
  });

  it('TR-9 tells of an agent that ends while it opens the session', async () => {
    const run = new Replay(expectCall('session/new'), { stderr: 'no licence\n' }, { exit: 4 });
    const harness = new SessionHarness({ replay: [run] });
    assert.equal(await harness.rejectionOf(harness.prompt('go')), 'Replay Agent ended with 4');
    assert.equal(harness.state.connection.status, 'exited');
    assert.equal(harness.state.banner?.detail, 'no licence');
    assert.deepEqual(harness.state.entries, []);
    await harness.end();
  });

  it('SE-2 does not send to a session that a new process refused to open, and asks it again', async () => {
    const second = new Replay(
      expectCall('session/new', 'n'),
      refuse('n', -32603, 'no more sessions'),
      expectCall('session/new', 'm'),
      answer('m', { sessionId: 'third' }),
      expectCall('session/prompt', 'p', { check: { 'params.sessionId': 'third' } }),
      end('p'),
    );
    const harness = await SessionHarness.open(mortal(), second);
    await assert.rejects(harness.prompt('go'));
    assert.match(await harness.rejectionOf(harness.prompt('again')), /requestFailed/);
    assert.deepEqual(second.calls, ['initialize', 'session/new']);
    await harness.prompt('again');
    assert.equal(harness.connected.length, 2);
    assert.equal(harness.state.banner, null);
    assert.deepEqual(harness.messages(), ['user: go', 'agent: HALF', 'user: again']);
    await harness.end();
  });

  it('TR-8 restart ends the process and keeps the transcript', async () => {
    const run = new Replay(expectCall('session/prompt', 'p'), update(text('ONE')), end('p'));
    const harness = await SessionHarness.open(run, new Replay());
    await harness.prompt('go');
    const pid = harness.connected[0]?.process.pid ?? 0;
    await harness.controller.restart();
    assert.ok(!isAlive(pid));
    assert.deepEqual(harness.messages(), ['user: go', 'agent: ONE']);
    assert.equal(harness.state.connection.status, 'ready');
    await harness.end();
  });
});
