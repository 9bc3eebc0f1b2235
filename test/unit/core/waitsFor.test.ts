import assert from 'node:assert/strict';
import type { SessionAction } from '../../../src/core/session/actions';
import { isSign, lastSignOf, waitsFor } from '../../../src/core/session/waitsFor';
import { patch, TestSession, text, tool } from '../../support/session';

const started = (terminalId: string, at: number, more: { agents?: true } = {}): SessionAction => ({
  type: 'terminalStarted',
  terminalId,
  command: `run ${terminalId}`,
  cwd: '/w',
  at,
  ...more,
});
const exited = (terminalId: string): SessionAction => ({
  type: 'terminalExited',
  terminalId,
  code: 0,
  signal: null,
  at: 9_000,
});
const shows = (terminalId: string) => ({ content: [{ type: 'terminal', terminalId }] });
const connection = (status: 'connecting' | 'ready' | 'auth', at = 500): SessionAction => ({
  type: 'connectionChanged',
  status,
  at,
});
const session = (): TestSession => new TestSession().apply(connection('ready'));

describe('what a session waits for', () => {
  it('waits for nothing while no turn runs', () => {
    assert.equal(waitsFor(session().state), null);
    assert.equal(waitsFor(session().prompt().end().state), null);
    const failed = session().prompt();
    failed.apply({ type: 'turnFailed', turn: 1, error: { message: 'no' }, at: 2_000 });
    assert.equal(waitsFor(failed.state), null);
  });

  it('waits for the model where nothing else runs', () => {
    assert.deepEqual(waitsFor(session().prompt().wire(text('Let me think.')).state), { for: 'model' });
    const done = session()
      .prompt()
      .wire(tool('a'), patch('a', { status: 'completed' }));
    assert.deepEqual(waitsFor(done.state), { for: 'model' });
  });

  it('names the oldest open call, and how many run beside it', () => {
    const calls = session()
      .prompt()
      .wire(tool('old', { status: 'completed' }));
    calls.now = 2_000;
    calls.wire(tool('Run tests', { kind: 'execute', status: 'in_progress' }), tool('b'));
    const wait = { for: 'tool', name: 'Run tests', toolKind: 'execute', more: 1, since: 2_000 };
    assert.deepEqual(waitsFor(calls.state), wait);
  });

  it('puts a command of ours before calls, and the answer of the person before all', () => {
    const both = session()
      .prompt()
      .wire(tool('a', shows('t1')), tool('b'));
    both.apply(started('t1', 1_500));
    const terminal = { for: 'terminal', terminalId: 't1', name: 'run t1', more: 0 };
    assert.deepEqual(waitsFor(both.state), terminal);
    both.ask('p', 'b');
    assert.deepEqual(waitsFor(both.state), { for: 'answer' });
    both.answer('p', 'yes').apply(exited('t1'));
    assert.equal(waitsFor(both.state)?.for, 'tool');
  });

  it('waits for a form of the agent, and for a sign-in in the middle of a turn', () => {
    const form = session().prompt();
    form.apply({ type: 'elicitationRequested', requestId: 'e', message: 'Which?' });
    assert.deepEqual(waitsFor(form.state), { for: 'answer' });
    assert.deepEqual(waitsFor(session().prompt().apply(connection('auth')).state), { for: 'answer' });
  });

  it('waits for a command without a card, but not for one that runs on behind a call that has ended', () => {
    const bare = session().prompt().apply(started('t1', 1_200), started('t2', 1_100));
    const oldest = { for: 'terminal', terminalId: 't2', name: 'run t2', more: 1 };
    assert.deepEqual(waitsFor(bare.state), oldest);
    const server = session()
      .prompt()
      .wire(tool('serve', shows('t3')));
    server.apply(started('t3', 1_200)).wire(patch('serve', { status: 'completed' }));
    assert.deepEqual(waitsFor(server.state), { for: 'model' });
    const earlier = session().apply(started('t4', 900)).prompt();
    assert.deepEqual(waitsFor(earlier.state), { for: 'model' });
  });

  it('names the call where the agent runs the command itself, which can not be stopped from here', () => {
    const own = session()
      .prompt()
      .wire(tool('a', shows('t1')));
    own.apply(started('t1', 1_200, { agents: true }));
    assert.equal(waitsFor(own.state)?.for, 'tool');
  });

  it('CA-6 waits for the agent after a cancel, whatever it ran', () => {
    const stopping = session()
      .prompt()
      .wire(tool('a', shows('t1')));
    stopping.apply(started('t1', 1_200), { type: 'cancelRequested', at: 3_000 });
    assert.deepEqual(waitsFor(stopping.state), { for: 'agent', doing: 'stopping' });
  });

  it('TR-9 waits for an agent that is being started', () => {
    const starting = new TestSession().apply(connection('connecting', 700));
    assert.deepEqual(waitsFor(starting.state), { for: 'agent', doing: 'starting', since: 700 });
  });

  it('takes the last sign of life from what the state tells, but never claims a silence that it can not know', () => {
    const said = session().prompt();
    said.now = 5_000;
    said.wire(text('half a word'));
    assert.equal(lastSignOf(said.state, 60_000), 5_000);
    assert.equal(lastSignOf(said.state, 4_000), 4_000);
    said.wire(tool('a'));
    assert.equal(lastSignOf(said.state, 60_000), 60_000);
    said.now = 8_000;
    said.wire(patch('a', { status: 'failed' }));
    assert.equal(lastSignOf(said.state, 60_000), 8_000);
    const starting = new TestSession().apply(connection('connecting', 700));
    assert.equal(lastSignOf(starting.state, 60_000), 700);
  });

  it('counts what the agent does as a sign of life, and not what the person queues', () => {
    assert.equal(isSign(session().action(text('.'))), true);
    assert.equal(isSign(started('t1', 1)), true);
    assert.equal(isSign({ type: 'queueChanged', queue: { paused: false, items: [] } }), false);
  });
});
