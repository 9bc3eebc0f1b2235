import assert from 'node:assert/strict';
import { answer, expectCall, Replay } from '../../support/replayScript';
import {
  isAuth,
  LOGIN,
  open,
  opened,
  refused,
  resumes,
  says,
  signsIn,
  times,
  waiting,
  waits,
} from './signInScripts';

describe('a sign-in for several sessions', () => {
  /** Two sessions of one agent, each with a turn that waits. */
  const bothWait = [
    ...opened,
    ...waits,
    expectCall('session/new', 'second'),
    answer('second', { sessionId: '$SESSION2' }),
    expectCall('session/prompt', 'q'),
    refused('q'),
  ];

  async function twoWaiting(...runs: Replay[]) {
    const [harness, first] = await waiting(...runs);
    const one = harness.sessions.current;
    await harness.sessions.create();
    assert.notEqual(harness.sessions.current, one);
    const second = harness.prompt('go on');
    await harness.until(() => harness.state.turn.status === 'running' && isAuth(harness));
    return { harness, one, turns: [first, second] };
  }
  const textsOf = async (turns: Promise<{ text: string }>[]) =>
    (await Promise.all(turns)).map(({ text: said }) => said);

  it('RP-7 all go on after one signed in', async () => {
    const run = new Replay(
      LOGIN,
      ...bothWait,
      ...signsIn,
      ...says('r', 'ONE'),
      ...says('s', 'TWO', '$SESSION2'),
    );
    const { harness, turns } = await twoWaiting(run);
    await harness.controller.authenticate('login');
    assert.deepEqual(await textsOf(turns), ['ONE', 'TWO']);
    assert.equal(times(harness, 'authenticate'), 1);
    await harness.end();
  });

  it('AU-9 RP-7 all go on with the new process after a sign-in at the terminal', async () => {
    const second = new Replay(
      LOGIN,
      ...resumes('r', 'sess-replay-1'),
      ...resumes('s', 'sess-replay-2'),
      ...says('t', 'ONE', 'sess-replay-1'),
      ...says('u', 'TWO', 'sess-replay-2'),
    );
    const { harness, one, turns } = await twoWaiting(new Replay(LOGIN, ...bothWait), second);
    harness.signInTerminal = () => Promise.resolve(0);
    await one.controller.authenticate('shell');
    assert.deepEqual(await textsOf(turns), ['ONE', 'TWO']);
    assert.equal(harness.connected.length, 2);
    await harness.end();
  });

  it('AU-9 one that was ready is opened again after the restart', async () => {
    const first = new Replay(
      LOGIN,
      ...opened,
      ...says('p', 'BEFORE'),
      expectCall('session/new', 'n'),
      refused('n'),
    );
    const second = new Replay(LOGIN, ...resumes('r', 'sess-replay-1'), expectCall('session/new'));
    const harness = open({ replay: [first, second] });
    await harness.prompt('go');
    const one = harness.sessions.current;
    await harness.sessions.create();
    harness.signInTerminal = () => Promise.resolve(0);
    void harness.controller.authenticate('shell');
    const isReady = (): boolean =>
      one.store.state.connection.status === 'ready' && one.controller.live !== undefined;
    await harness.until(() => harness.connected.length === 2 && isReady());
    await harness.sessions.stop();
  });

  it('RP-7 a start that is refused while another session signs in is done again', async () => {
    const run = new Replay(
      LOGIN,
      ...opened,
      ...waits,
      expectCall('session/new', 'n'),
      ...signsIn,
      ...says('q', 'ONE'),
      refused('n'),
      expectCall('session/new', 'm'),
      answer('m', { sessionId: '$SESSION2' }),
    );
    const [harness, turn] = await waiting(run);
    const one = harness.sessions.current;
    const start = harness.sessions.create();
    while (times(harness, 'session/new') < 2) await new Promise(setImmediate);
    await one.controller.authenticate('login');
    await start;
    assert.equal((await turn).text, 'ONE');
    assert.equal(harness.state.connection.status, 'ready');
    assert.equal(times(harness, 'session/new'), 3);
    await harness.end();
  });

  it('AU-9 a start that the restart interrupts is done again', async () => {
    const first = new Replay(LOGIN, ...opened, ...waits, expectCall('session/new', 'never'));
    const second = new Replay(
      LOGIN,
      ...resumes('r', 'sess-replay-1'),
      ...says('q', 'ONE', 'sess-replay-1'),
      expectCall('session/new', 'n'),
      answer('n', { sessionId: 'another' }),
    );
    const [harness, turn] = await waiting(first, second);
    const one = harness.sessions.current;
    const start = harness.sessions.create();
    while (times(harness, 'session/new') < 2) await new Promise(setImmediate);
    harness.signInTerminal = () => Promise.resolve(0);
    await one.controller.authenticate('shell');
    await start;
    assert.equal((await turn).text, 'ONE');
    assert.equal(harness.state.connection.status, 'ready');
    assert.equal(harness.state.sessionId, 'another');
    await harness.end();
  });
});
