import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LaunchPlan } from '../../../src/acp/agentProcess';
import type { AuthMethod } from '../../../src/core/agents/introduction';
import { planFor } from '../../support/fakeAgents';
import { answer, end, expectCall, preset, Replay, update } from '../../support/replayScript';
import { text } from '../../support/session';
import { SessionHarness, type Agents } from '../../support/sessionHarness';
import {
  isAuth,
  LOGIN,
  METHODS,
  open,
  refused,
  resumes,
  says,
  signsIn,
  times,
  waiting,
  waits,
} from './signInScripts';

const folder = mkdtempSync(join(tmpdir(), 'parley-auth-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

/** Starts of the agent that wants a sign-in, which it keeps over a restart. */
function needsSignIn(starts: number, ...args: string[]): Agents {
  const plan = planFor('authRequired', '--state', join(folder, `${++files}`), ...args);
  plan.env = { ...plan.env, AUTH_STYLE: 'of the settings' };
  return { agent: Array<LaunchPlan>(starts).fill(plan) };
}

/** Runs the program as the terminal does, and types a password. */
function runSignIn(
  { command, args, env, cwd }: LaunchPlan,
  method: AuthMethod,
  password: string,
): Promise<{ code: number; printed: string }> {
  const child = spawn(command, [...args, ...(method.args ?? [])], { cwd, env: { ...env, ...method.env } });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (printed += piece));
  child.stdin.write(`${password}\n`);
  return new Promise((resolve) => child.on('close', (code) => resolve({ code: code ?? -1, printed })));
}

describe('signing in', () => {
  it('AU-2 AU-4 AU-5 AU-12 signs in by a way of the agent, when it is asked for and not before', async () => {
    const harness = open(needsSignIn(1, '--odd'));
    await harness.controller.ensureConnected();
    assert.ok(isAuth(harness));
    assert.deepEqual(harness.calls, ['initialize', 'session/new']);
    assert.deepEqual(
      harness.state.authMethods.map(({ id, type }) => `${id} ${type}`),
      ['key agent', 'terminal terminal', 'browser unknown'],
    );
    const failure = await harness.rejectionOf(harness.controller.authenticate('browser'));
    assert.equal(failure, 'sign-in to agent ended with undefined');
    assert.ok(isAuth(harness));
    await harness.controller.authenticate('key');
    assert.equal(harness.state.connection.status, 'ready');
    assert.equal((await harness.prompt('who')).text, 'signed in by key');
    assert.deepEqual(harness.calls.slice(2), ['authenticate', 'session/new', 'session/prompt']);
    await harness.end();
  });

  it('AU-3 AU-6 AU-7 AU-8 AU-9 RP-7 runs the agent in a terminal, then starts it again and asks once more', async () => {
    const harness = open(needsSignIn(2));
    let printed = '';
    harness.signInTerminal = async (plan, method) => {
      const run = await runSignIn(plan, method, 'secret');
      printed = run.printed;
      return run.code;
    };
    await harness.controller.ensureConnected();
    await harness.controller.authenticate('terminal');
    assert.match(printed, /Sign in \(fancy\)/, 'the environment of the method counts');
    assert.equal(harness.state.connection.status, 'ready');
    assert.equal((await harness.prompt('who')).text, 'signed in by terminal');
    assert.deepEqual(harness.calls, [
      'initialize',
      'session/new',
      'initialize',
      'session/new',
      'session/prompt',
    ]);
    await harness.end();
  });

  it('AU-8 a terminal that fails or is closed is told in a sentence, and nothing is asked again', async () => {
    const harness = open(needsSignIn(1));
    await harness.controller.ensureConnected();
    harness.signInTerminal = async (plan, method) => (await runSignIn(plan, method, 'wrong')).code;
    const sentence = await harness.rejectionOf(harness.controller.authenticate('terminal'));
    assert.equal(sentence, 'sign-in to agent ended with 1');
    harness.signInTerminal = () => Promise.resolve(undefined);
    const closed = await harness.rejectionOf(harness.controller.authenticate('terminal'));
    assert.equal(closed, 'sign-in to agent ended with undefined');
    assert.ok(isAuth(harness));
    assert.deepEqual(harness.calls, ['initialize', 'session/new']);
    await harness.end();
  });

  it('AU-6 AU-7 takes no command from the agent', async () => {
    const shell = { ...METHODS[1], command: '/bin/evil', env: { A: 'b' } };
    const run = new Replay(
      preset('initialize', { authMethods: [shell] }),
      expectCall('session/new', 'n'),
      refused('n'),
    );
    const harness = open({ replay: [run] });
    const ran: [LaunchPlan, AuthMethod][] = [];
    harness.signInTerminal = (plan, method) => {
      ran.push([plan, method]);
      return Promise.resolve(undefined);
    };
    await harness.controller.ensureConnected();
    await assert.rejects(harness.controller.authenticate('shell'));
    const name = 'Sign in at the terminal';
    assert.deepEqual(ran, [
      [run.plan, { id: 'shell', name, type: 'terminal', args: ['--login'], env: { A: 'b' } }],
    ]);
    await harness.end();
  });

  it('AU-8 a second click waits for the terminal that is open', async () => {
    const harness = open({
      replay: [new Replay(LOGIN, expectCall('session/new', 'n'), refused('n')), new Replay()],
    });
    let ended: (code: number) => void = () => undefined;
    let runs = 0;
    harness.signInTerminal = () => {
      runs++;
      return new Promise((resolve) => (ended = resolve));
    };
    await harness.controller.ensureConnected();
    const clicks = [harness.controller.authenticate('shell'), harness.controller.authenticate('shell')];
    while (runs === 0) await new Promise(setImmediate);
    await new Promise(setImmediate);
    ended(0);
    await Promise.all(clicks);
    assert.equal(runs, 1);
    assert.equal(harness.connected.length, 2);
    assert.equal(harness.state.connection.status, 'ready');
    await harness.end();
  });

  for (const way of ['session/load', 'session/resume']) {
    it(`RP-7 asks when ${way} is refused, and calls it once more`, async () => {
      const abilities =
        way === 'session/load' ? { loadSession: true } : { sessionCapabilities: { resume: {} } };
      const says = preset('initialize', { authMethods: METHODS, agentCapabilities: abilities });
      const second = new Replay(
        says,
        expectCall(way, 'l'),
        refused('l'),
        ...signsIn,
        expectCall(way, 'm', { check: { 'params.sessionId': 'sess-replay-1' } }),
        answer('m', {}),
      );
      const harness = open({
        replay: [new Replay(says, expectCall('session/prompt', 'p'), update(text('KEPT')), end('p')), second],
      });
      await harness.prompt('go');
      await harness.controller.restart();
      assert.ok(isAuth(harness));
      await harness.controller.authenticate('login');
      assert.equal(harness.state.connection.status, 'ready');
      assert.deepEqual(harness.messages(), ['user: go', 'agent: KEPT']);
      assert.ok(!second.calls.includes('session/new'));
      await harness.end();
    });
  }
});

describe('signing in, in the middle of a turn', () => {
  for (const method of ['key', 'terminal']) {
    it(`RP-7 AU-9 sends the prompt once more after the sign-in by ${method}; the turn runs meanwhile`, async () => {
      const harness = open(needsSignIn(2));
      harness.signInTerminal = async (plan, chosen) => {
        assert.equal(harness.state.turn.status, 'running');
        return (await runSignIn(plan, chosen, 'secret')).code;
      };
      await harness.controller.ensureConnected();
      await harness.controller.authenticate('key');
      const turn = harness.prompt('expire');
      await harness.until(() => isAuth(harness));
      assert.equal(harness.state.turn.status, 'running');
      await harness.controller.authenticate(method);
      assert.deepEqual(await turn, { stopReason: 'end_turn', text: `signed in by ${method}, again` });
      assert.equal(times(harness, 'session/prompt'), 2);
      assert.equal(times(harness, 'session/load'), method === 'key' ? 0 : 1);
      assert.deepEqual(harness.messages(), ['user: expire', `agent: signed in by ${method}, again`]);
      await harness.end();
    });
  }

  it('RP-7 tells a second refusal as the error of the turn, and asks again', async () => {
    const run = new Replay(LOGIN, ...waits, ...signsIn, expectCall('session/prompt', 'q'), refused('q'));
    const [harness, turn] = await waiting(run);
    await harness.controller.authenticate('login');
    assert.equal(await harness.rejectionOf(turn), 'Authentication required');
    assert.equal(harness.state.turn.status, 'failed');
    assert.ok(isAuth(harness));
    await harness.end();
  });

  it('CA-2 Stop ends the waiting; the prompt is not sent again', async () => {
    const run = new Replay(LOGIN, ...waits, expectCall('session/cancel'), ...signsIn);
    const [harness, turn] = await waiting(run);
    harness.controller.cancelTurn();
    assert.equal((await turn).stopReason, 'cancelled');
    await harness.controller.authenticate('login');
    assert.equal(harness.state.connection.status, 'ready');
    assert.equal(times(harness, 'session/prompt'), 1);
    assert.deepEqual(harness.entries('error'), []);
    await harness.end();
  });

  it('SE-14 closing the session ends the waiting', async () => {
    const [harness, turn] = await waiting(new Replay(LOGIN, ...waits));
    await harness.sessions.close(harness.sessions.current.key);
    assert.equal((await turn).stopReason, 'cancelled');
    assert.equal(times(harness, 'session/prompt'), 1);
    await harness.sessions.stop();
  });

  it('TR-9 a restart ends the waiting, and the session is ready without it', async () => {
    const second = new Replay(LOGIN, ...resumes('r', 'sess-replay-1'));
    const [harness, turn] = await waiting(new Replay(LOGIN, ...waits), second);
    await harness.controller.restart();
    assert.equal(await harness.rejectionOf(turn), 'sign in to Replay Agent');
    assert.equal(harness.state.connection.status, 'ready');
    await harness.end();
  });

  it('TR-9 tells that the agent ended during the sign-in, by the turn and by the sign-in', async () => {
    const run = new Replay(LOGIN, ...waits, expectCall('authenticate'), { exit: 7 });
    const [harness, turn] = await waiting(run);
    const failures = [turn, harness.controller.authenticate('login')].map((promise) =>
      harness.rejectionOf(promise),
    );
    assert.deepEqual(await Promise.all(failures), Array(2).fill('Replay Agent ended with 7'));
    assert.equal(harness.state.connection.status, 'exited');
    assert.equal(harness.state.turn.status, 'failed');
    await harness.end();
  });

  it('AU-9 TR-9 goes on with a new process where the old one ended while the person was at the terminal', async () => {
    const second = new Replay(
      LOGIN,
      ...resumes('r', 'sess-replay-1'),
      ...says('q', 'AGAIN', 'sess-replay-1'),
    );
    const [harness, turn] = await waiting(new Replay(LOGIN, ...waits), second);
    harness.signInTerminal = async () => {
      harness.connected[0]?.process.kill();
      await harness.until(() => harness.state.connection.status === 'exited');
      return 0;
    };
    await harness.controller.authenticate('shell');
    assert.match(await harness.rejectionOf(turn), /SIGKILL/);
    assert.equal(harness.state.connection.status, 'ready');
    assert.equal(harness.state.banner, null);
    assert.equal((await harness.prompt('again')).text, 'AGAIN');
    await harness.sessions.stop();
  });

  it('AU-9 fails the turn where the agent does not start again', async () => {
    const harness = open({ replay: [new Replay(LOGIN, ...waits), planFor('exitAtOnce')] });
    harness.signInTerminal = () => Promise.resolve(0);
    const turn = harness.prompt('go');
    await harness.until(() => isAuth(harness));
    const failure = harness.rejectionOf(turn);
    await harness.controller.authenticate('shell');
    assert.equal(await failure, harness.state.banner?.message);
    assert.equal(harness.state.connection.status, 'exited');
    assert.equal(harness.state.turn.status, 'failed');
    await harness.end();
  });
});

describe('signing out', () => {
  it('AU-10 AU-11 signs out, and the next prompt waits for a sign-in', async () => {
    const harness = open(needsSignIn(1));
    await harness.controller.ensureConnected();
    await harness.controller.authenticate('key');
    await harness.sessions.signOut();
    assert.equal(times(harness, 'logout'), 1);
    assert.ok(isAuth(harness));
    assert.equal(await harness.rejectionOf(harness.prompt('who')), 'sign in to agent');
    await harness.controller.authenticate('key');
    assert.equal((await harness.prompt('who')).text, 'signed in by key');
    await harness.end();
  });

  it('AU-10 never where the agent did not say that it can', async () => {
    const harness = open(needsSignIn(1, '--no-logout'));
    await harness.controller.ensureConnected();
    await harness.controller.authenticate('key');
    await harness.sessions.signOut();
    assert.equal(times(harness, 'logout'), 0);
    assert.equal(harness.state.connection.status, 'ready');
    await harness.end();
  });

  it('AU-11 RP-7 a list that is refused leaves the sessions alone and says why', async () => {
    const run = new Replay(
      preset('initialize', {
        agentCapabilities: { sessionCapabilities: { list: {} } },
        authMethods: METHODS,
      }),
      expectCall('session/list', 'l'),
      refused('l'),
    );
    const harness = await SessionHarness.open(run);
    await harness.sessions.refresh();
    assert.equal(harness.sessions.list().problem, 'Replay Agent: Authentication required');
    await harness.end();
  });
});
