import assert from 'node:assert/strict';
import { isAlive, planFor } from '../../support/fakeAgents';
import {
  answer,
  answered,
  end,
  expectCall,
  OPTIONS,
  preset,
  refuse,
  Replay,
  request,
  update,
} from '../../support/replayScript';
import { text, tool } from '../../support/session';
import { SessionHarness } from '../../support/sessionHarness';

const commands = (...names: string[]) => ({
  sessionUpdate: 'available_commands_update',
  availableCommands: names.map((name) => ({ name, description: name })),
});
const LOGIN = preset('initialize', { authMethods: [{ id: 'login', name: 'Sign in' }] });

/** For scripts that play a later session/new themselves: they have to play the first one as well. */
const opened = [expectCall('session/new', 'first'), answer('first', { sessionId: '$SESSION' })];

describe('opening a session', () => {
  it('SE-2 SE-5 shows the updates that come before the answer to session/new', async () => {
    const run = new Replay(
      expectCall('session/new', 'n', {
        check: { 'params.cwd': { $exists: true }, 'params.mcpServers': [] },
      }),
      update(commands('early')),
      update(text('not mine'), 'someone-else'),
      update({ sessionUpdate: 'usage_update', used: 10, size: 1000 }),
      update(text('welcome')),
      answer('n', { sessionId: '$SESSION' }),
      update(commands('early', 'late')),
    );
    const harness = await SessionHarness.open(run);
    assert.equal(harness.state.connection.status, 'ready');
    assert.deepEqual(harness.state.usage, { used: 10, size: 1000 });
    assert.deepEqual(harness.messages(), ['agent: welcome']);
    await harness.until(() => harness.state.commands.length === 2);
    await harness.end();
  });

  it('IN-8 shows what the agent calls itself', async () => {
    const harness = await SessionHarness.open(new Replay());
    const { agent, connection, sessionId, cwd } = harness.state;
    assert.deepEqual(agent, {
      id: 'replay',
      title: 'Replay Agent',
      name: 'replay-agent',
      version: '1.0.0',
    });
    assert.equal(connection.status, 'ready');
    assert.equal(sessionId, 'sess-replay-1');
    assert.equal(cwd, harness.cwd);
    await harness.end();
  });

  it('TR-1 shows a banner for an agent that nobody knows', async () => {
    const harness = new SessionHarness({}, 'nobody');
    assert.equal(await harness.rejectionOf(harness.controller.prompt('go')), 'no agent nobody');
    assert.equal(harness.state.banner?.message, 'no agent nobody');
    assert.equal(harness.state.connection.status, 'none');
    assert.deepEqual(harness.state.entries, []);
    await harness.end();
  });

  it('AU-2 AU-5 RP-7 waits for the sign-in when session/new answers -32000, then opens the session', async () => {
    const run = new Replay(
      LOGIN,
      expectCall('session/new', 'n'),
      refuse('n', -32000, 'Authentication required'),
      expectCall('authenticate', 'a', { check: { params: { methodId: 'login' } } }),
      answer('a', {}),
      expectCall('session/new', 'm'),
      answer('m', { sessionId: '$SESSION' }),
      expectCall('session/prompt', 'p'),
      update(text('SIGNED-IN')),
      end('p'),
    );
    const harness = await SessionHarness.open(run);
    assert.equal(harness.state.connection.status, 'auth');
    assert.deepEqual(
      harness.state.authMethods.map(({ id, supported }) => [id, supported]),
      [['login', true]],
    );
    assert.equal(harness.state.banner, null);
    assert.equal(await harness.rejectionOf(harness.controller.prompt('go')), 'sign in to Replay Agent');
    await harness.controller.authenticate('login');
    assert.equal(harness.state.connection.status, 'ready');
    assert.equal((await harness.controller.prompt('go')).text, 'SIGNED-IN');
    assert.equal(harness.connected.length, 1);
    await harness.end();
  });

  it('AU-2 tells a sign-in that failed and lets the person try again', async () => {
    const run = new Replay(
      LOGIN,
      expectCall('session/new', 'n'),
      refuse('n', -32000, 'Authentication required'),
      expectCall('authenticate', 'a'),
      refuse('a', -32603, 'Internal error', { details: 'the window was closed' }),
      expectCall('authenticate', 'b'),
      answer('b', {}),
      expectCall('session/new', 'm'),
      answer('m', { sessionId: '$SESSION' }),
    );
    const harness = await SessionHarness.open(run);
    const failure = await harness.rejectionOf(harness.controller.authenticate('login'));
    assert.equal(failure, 'the window was closed');
    assert.equal(harness.state.connection.status, 'auth');
    await harness.controller.authenticate('login');
    assert.equal(harness.state.connection.status, 'ready');
    await harness.end();
  });

  it('AU-5 keeps the agent that waits for a sign-in when the view opens again', async () => {
    const run = new Replay(LOGIN, expectCall('session/new', 'n'), refuse('n', -32000, 'sign in'));
    const harness = await SessionHarness.open(run);
    await harness.controller.ensureConnected();
    assert.equal(harness.connected.length, 1);
    assert.equal(harness.state.connection.status, 'auth');
    await harness.end();
  });

  it('IN-12 stop ends a start that is never answered', async () => {
    const harness = new SessionHarness({ silent: [planFor('neverAnswers')] }, 'silent');
    const start = harness.controller.ensureConnected();
    await harness.controller.stop();
    await start;
    assert.equal(harness.state.connection.status, 'none');
    assert.equal(harness.state.banner, null);
  });

  it('SE-2 stop ends an agent that never answers session/new, and another one can be selected', async () => {
    const silent = new Replay(expectCall('session/new', 'n'));
    const harness = new SessionHarness({ replay: [silent], other: [new Replay()] });
    const start = harness.controller.ensureConnected();
    await harness.until(() => harness.state.agent.title === 'Replay Agent');
    const pid = harness.connected[0]?.process.pid ?? 0;
    await harness.controller.selectAgent('other');
    await start;
    assert.ok(!isAlive(pid));
    assert.equal(harness.state.agent.id, 'other');
    assert.equal(harness.state.connection.status, 'ready');
    assert.equal(harness.state.banner, null);
    await harness.controller.stop();
    assert.equal(harness.state.connection.status, 'none');
  });

  it('TR-8 selectAgent ends the process of the agent before and empties the transcript', async () => {
    const first = new Replay(expectCall('session/prompt', 'p'), update(text('OLD')), end('p'));
    const harness = new SessionHarness({ replay: [first], other: [new Replay()] });
    await harness.controller.prompt('go');
    const pid = harness.connected[0]?.process.pid ?? 0;
    assert.ok(isAlive(pid));
    await harness.controller.selectAgent('other');
    assert.ok(!isAlive(pid));
    assert.deepEqual(harness.state.entries, []);
    assert.equal(harness.state.agent.id, 'other');
    assert.equal(harness.state.connection.status, 'ready');
    assert.equal(harness.state.banner, null);
    await harness.end();
  });

  it('TR-8 two selections at once leave the agent that was selected last', async () => {
    const harness = new SessionHarness({ replay: [new Replay()], a: [new Replay()], b: [new Replay()] });
    await harness.controller.ensureConnected();
    await Promise.all([harness.controller.selectAgent('a'), harness.controller.selectAgent('b')]);
    assert.equal(harness.state.agent.id, 'b');
    assert.equal(harness.state.connection.status, 'ready');
    const alive = harness.connected.filter(({ process }) => isAlive(process.pid));
    assert.equal(alive.length, 1);
    await harness.end();
  });

  it('TR-8 a prompt while the agent is being stopped starts it again', async () => {
    const run = new Replay(expectCall('session/prompt', 'p'), update(text('AGAIN')), end('p'));
    const harness = await SessionHarness.open(new Replay(), run);
    const restart = harness.controller.restart();
    // As when the view opens in the middle of it.
    const connected = harness.controller.ensureConnected();
    await Promise.all([restart, connected]);
    await harness.controller.ensureConnected();
    assert.equal((await harness.controller.prompt('go')).text, 'AGAIN');
    assert.equal(harness.connected.filter(({ process }) => isAlive(process.pid)).length, 1);
    await harness.end();
  });

  it('SE-4 newSession opens a second session with the process that runs', async () => {
    const run = new Replay(
      ...opened,
      expectCall('session/prompt', 'p'),
      update(text('OLD')),
      end('p'),
      expectCall('session/new', 'n'),
      update(text('of the old one')),
      answer('n', { sessionId: '$SESSION2' }),
      expectCall('session/prompt', 'q', { check: { 'params.sessionId': '$SESSION2' } }),
      update(text('NEW'), '$SESSION2'),
      end('q'),
    );
    const harness = await SessionHarness.open(run);
    await harness.controller.prompt('go');
    await harness.controller.newSession();
    assert.deepEqual(harness.state.entries, []);
    assert.deepEqual(harness.released, ['sess-replay-1']);
    await harness.controller.prompt('go');
    assert.deepEqual(harness.messages(), ['user: go', 'agent: NEW']);
    assert.equal(harness.connected.length, 1);
    await harness.end();
  });

  it('SE-4 keeps the session, and what was said in it meanwhile, when a new one is refused', async () => {
    const run = new Replay(
      ...opened,
      expectCall('session/prompt', 'p'),
      update(text('OLD')),
      end('p'),
      expectCall('session/new', 'n'),
      update(text(' AND MORE')),
      update({ sessionUpdate: 'session_info_update', title: 'A title' }),
      refuse('n', -32603, 'no more sessions'),
      expectCall('session/prompt', 'q', { check: { 'params.sessionId': '$SESSION' } }),
      end('q'),
    );
    const harness = await SessionHarness.open(run);
    await harness.controller.prompt('go');
    await harness.controller.newSession();
    assert.match(harness.state.banner?.message ?? '', /requestFailed/);
    assert.equal(harness.state.title, 'A title');
    await harness.controller.prompt('go on');
    await harness.end();
  });

  it('SE-4 newSession while a turn runs ends that turn and its process', async () => {
    const first = new Replay(
      expectCall('session/prompt', 'p'),
      update(tool('a', { status: 'in_progress' })),
      request(1, 'session/request_permission', {
        sessionId: '$SESSION',
        toolCall: { toolCallId: 'a' },
        options: OPTIONS,
      }),
    );
    const second = new Replay(
      expectCall('session/prompt', 'p'),
      request(2, 'session/request_permission', {
        sessionId: '$SESSION',
        toolCall: { toolCallId: 'b' },
        options: OPTIONS,
      }),
      answered(2, { 'result.outcome.optionId': 'opt-once' }),
      update(text('NEW')),
      end('p'),
    );
    const harness = await SessionHarness.open(first, second);
    const old = harness.rejectionOf(harness.controller.prompt('old'));
    await harness.until(() => harness.openQuestions.length === 1);
    await harness.controller.newSession();
    assert.deepEqual(harness.openQuestions, []);
    assert.deepEqual(harness.state.entries, []);
    const turn = harness.controller.prompt('new');
    await harness.until(() => harness.openQuestions.length === 1);
    await old;
    assert.equal(
      harness.openQuestions.length,
      1,
      'the end of the old turn touches no question of the new one',
    );
    harness.answerFirst('opt-once');
    assert.equal((await turn).text, 'NEW');
    assert.deepEqual(harness.messages(), ['user: new', 'agent: NEW']);
    assert.deepEqual(harness.entries('error'), []);
    assert.equal(harness.state.banner, null);
    await harness.end();
  });
});
