import assert from 'node:assert/strict';
import type { QueuedPrompt } from '../../../src/core/session/state';
import { TestSession } from '../../support/session';

const item = (id: string): QueuedPrompt => ({ id, text: id, attachments: [] });

/** A session with a queue, in the middle of a turn. */
function queued(...ids: string[]): TestSession {
  return new TestSession()
    .prompt()
    .apply({ type: 'queueChanged', queue: { items: ids.map(item), paused: false } });
}

const idsOf = ({ state }: TestSession): string[] => state.queue.items.map(({ id }) => id);

describe('the queue in the state', () => {
  it('PT-7 a prompt leaves it in the very step in which it is submitted', () => {
    const session = queued('a', 'b', 'c').end();
    session.apply({
      type: 'promptSubmitted',
      blocks: [{ type: 'text', text: 'b' }],
      at: 1,
      queued: 'b',
    });
    assert.deepEqual(idsOf(session), ['a', 'c']);
    assert.equal(session.state.turn.status, 'running');
    assert.deepEqual(session.kinds(), ['user', 'end', 'user']);
  });

  it('PT-7 a prompt that was not queued leaves it alone', () => {
    const session = queued('a').end().prompt();
    assert.deepEqual(idsOf(session), ['a']);
  });

  it('PT-7 a prompt that is no longer in it is submitted all the same', () => {
    const session = queued('a').end();
    session.apply({ type: 'promptSubmitted', blocks: [], at: 1, queued: 'gone' });
    assert.deepEqual(idsOf(session), ['a']);
    assert.equal(session.state.turn.number, 2);
  });

  it('PT-7 leaving it does not change the action that filled it, and keeps the pause', () => {
    const session = new TestSession();
    const filled = {
      type: 'queueChanged' as const,
      queue: { items: [item('a'), item('b')], paused: true },
    };
    session.apply(filled);
    session.apply({ type: 'promptSubmitted', blocks: [], at: 1, queued: 'a' });
    assert.deepEqual(
      filled.queue.items.map(({ id }) => id),
      ['a', 'b'],
    );
    assert.deepEqual(session.state.queue, { items: [item('b')], paused: true });
  });

  it('PT-7 stays through the end of a turn, a failure, a loss and a new session', () => {
    const session = queued('a')
      .end('refusal')
      .prompt()
      .apply({ type: 'turnFailed', turn: 2, error: { message: 'no' }, at: 1 })
      .apply({ type: 'agentLost', at: 1 })
      .apply({ type: 'sessionOpened', sessionId: 's', cwd: '/', config: [], fresh: true });
    assert.deepEqual(idsOf(session), ['a']);
  });
});
