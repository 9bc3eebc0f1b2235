import assert from 'node:assert/strict';
import { isAlive, planFor } from '../../support/fakeAgents';
import {
  answer,
  askFor,
  answered,
  end,
  expectCall,
  preset,
  refuse,
  Replay,
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
    assert.equal(await harness.rejectionOf(harness.prompt('go')), 'no agent nobody');
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
      harness.state.authMethods.map(({ id, type }) => [id, type]),
      [['login', 'agent']],
    );
    assert.equal(harness.state.banner, null);
    assert.equal(await harness.rejectionOf(harness.prompt('go')), 'sign in to Replay Agent');
    await harness.controller.authenticate('login');
    assert.equal(harness.state.connection.status, 'ready');
    assert.equal((await harness.prompt('go')).text, 'SIGNED-IN');
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
    await harness.sessions.stop();
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
    await harness.sessions.create('other');
    await start;
    assert.ok(!isAlive(pid));
    assert.equal(harness.state.agent.id, 'other');
    assert.equal(harness.state.connection.status, 'ready');
    assert.equal(harness.state.banner, null);
    await harness.sessions.stop();
    assert.equal(harness.state.connection.status, 'none');
  });

  it('SE-4 selecting another agent leaves the session of the first one open', async () => {
    const first = new Replay(
      expectCall('session/prompt', 'p'),
      update(text('OLD')),
      end('p'),
      expectCall('session/prompt', 'q'),
      end('q'),
    );
    const harness = new SessionHarness({ replay: [first], other: [new Replay()] });
    await harness.prompt('go');
    const { key } = harness.sessions.current;
    await harness.sessions.create('other');
    assert.deepEqual(harness.state.entries, []);
    assert.equal(harness.state.agent.id, 'other');
    assert.equal(harness.state.connection.status, 'ready');
    assert.equal(harness.state.banner, null);
    await harness.sessions.show(key);
    assert.deepEqual(harness.messages(), ['user: go', 'agent: OLD']);
    await harness.prompt('on');
    assert.equal(harness.connected.length, 2);
    await harness.end();
  });

  it('TR-8 selecting another agent ends one whose session was never used', async () => {
    const harness = new SessionHarness({ replay: [new Replay()], other: [new Replay()] });
    await harness.controller.ensureConnected();
    const pid = harness.connected[0]?.process.pid ?? 0;
    assert.ok(isAlive(pid));
    await harness.sessions.create('other');
    assert.ok(!isAlive(pid));
    assert.equal(harness.sessions.list().rows.length, 1);
    await harness.end();
  });

  it('TR-8 two selections at once leave the agent that was selected last', async () => {
    const harness = new SessionHarness({ replay: [new Replay()], a: [new Replay()], b: [new Replay()] });
    await harness.controller.ensureConnected();
    await Promise.all([harness.sessions.create('a'), harness.sessions.create('b')]);
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
    assert.equal((await harness.prompt('go')).text, 'AGAIN');
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
    await harness.prompt('go');
    await harness.sessions.create();
    assert.deepEqual(harness.state.entries, []);
    assert.deepEqual(harness.released, [], 'the commands of the first session go on');
    await harness.prompt('go');
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
    await harness.prompt('go');
    const { key } = harness.sessions.current;
    await harness.sessions.create();
    assert.match(harness.state.banner?.message ?? '', /requestFailed/);
    assert.equal(harness.row(key).title, 'A title');
    await harness.sessions.show(key);
    assert.deepEqual(harness.messages(), ['user: go', 'agent: OLD', 'agent:  AND MORE']);
    await harness.prompt('go on');
    await harness.end();
  });

  it('SE-4 SU-8 a new session leaves the turn of the other one running, and each gets its own traffic', async () => {
    const run = new Replay(
      ...opened,
      expectCall('session/prompt', 'p'),
      update(tool('a', { status: 'in_progress' })),
      askFor(1, 'a'),
      expectCall('session/new', 'n'),
      answer('n', { sessionId: '$SESSION2' }),
      expectCall('session/prompt', 'q', { check: { 'params.sessionId': '$SESSION2' } }),
      update(text('NEW'), '$SESSION2'),
      update(text('OLD ')),
      askFor(2, 'b', '$SESSION2'),
      answered(2, { 'result.outcome.optionId': 'opt-once' }),
      end('q'),
      answered(1, { 'result.outcome.optionId': 'opt-no' }),
      update(text('DONE')),
      end('p'),
    );
    const harness = await SessionHarness.open(run);
    const old = harness.prompt('old');
    await harness.until(() => harness.openQuestions.length === 1);
    const { key } = harness.sessions.current;
    assert.equal(harness.row(key).badge, 'waiting');
    await harness.sessions.create();
    assert.equal(harness.openQuestions.length, 1, 'the question of the other session stays open');
    const turn = harness.prompt('new');
    await harness.until(() => harness.openQuestions.length === 2);
    assert.ok(harness.permissions.answer(harness.openQuestions[1]?.requestId ?? '', 'opt-once'));
    assert.equal((await turn).text, 'NEW');
    assert.equal(harness.row(key).badge, 'waiting');
    assert.ok(harness.answerFirst('opt-no'));
    assert.equal((await old).text, 'OLD DONE');
    assert.equal(harness.row(key).badge, 'done', 'a turn ended while another session was shown');
    assert.deepEqual(harness.messages(), ['user: new', 'agent: NEW']);
    await harness.sessions.show(key);
    assert.equal(harness.row(key).badge, 'idle');
    assert.equal(harness.connected.length, 1);
    await harness.end();
  });
});
