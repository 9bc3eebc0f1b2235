import assert from 'node:assert/strict';
import {
  AttentionQueue,
  GATHER,
  isWanted,
  plainMessage,
  SPACE,
  type Due,
} from '../../../../src/core/attention/attentionQueue';
import type { AttentionEvent } from '../../../../src/core/attention/events';

const permission = (requestId: string): AttentionEvent => ({ kind: 'permission', requestId });
const done: AttentionEvent = { kind: 'ended', stopReason: 'end_turn' };
const failed: AttentionEvent = { kind: 'failed', error: 'Gone.' };

/** Raises events at times; gives a queue to look at. */
function queueOf(...raised: [AttentionEvent, number][]): AttentionQueue {
  const queue = new AttentionQueue();
  for (const [event, at] of raised) queue.take('s', { type: 'raise', event }, { at, inTurn: false });
  return queue;
}

const unseen = (): boolean => false;
const told = (queue: AttentionQueue, at = 100_000): Due[] => queue.due(at, unseen);

describe('what is told of a session', () => {
  it('is one event, when it is due and not before', () => {
    const queue = queueOf([done, 10]);
    assert.equal(queue.next(), 10 + GATHER.end);
    assert.deepEqual(told(queue, 9 + GATHER.end), []);
    assert.deepEqual(told(queue, 10 + GATHER.end), [{ key: 's', event: done, questions: 0 }]);
    assert.equal(queue.next(), undefined);
    assert.deepEqual(told(queue), [], 'once');
  });

  it('is a question sooner than an end', () => {
    assert.equal(queueOf([done, 0], [permission('a'), 0]).next(), GATHER.question);
  });

  it('is a question later where the person has it in front, unless it is answered by then', () => {
    const queue = new AttentionQueue();
    const moment = { at: 0, inTurn: true, inFront: true };
    queue.take('s', { type: 'raise', event: permission('a') }, moment);
    assert.equal(queue.next(), GATHER.inFront);
    queue.take('s', { type: 'answered', requestId: 'a' }, moment);
    assert.equal(queue.next(), undefined);
  });

  it('is the weightiest of several events, with how many questions there are', () => {
    assert.deepEqual(told(queueOf([done, 0], [permission('a'), 5], [permission('b'), 6])), [
      { key: 's', event: permission('a'), questions: 2 },
    ]);
  });

  it('is nothing of what was dealt with meanwhile', () => {
    const queue = queueOf([permission('a'), 0], [permission('b'), 0]);
    queue.take('s', { type: 'answered', requestId: 'a' }, { at: 1, inTurn: true });
    assert.deepEqual(told(queue), [{ key: 's', event: permission('b'), questions: 1 }]);
    const answered = queueOf([permission('a'), 0]);
    answered.take('s', { type: 'answered', requestId: 'a' }, { at: 1, inTurn: true });
    assert.equal(answered.next(), undefined);
  });

  it('is no end that another turn follows', () => {
    const queue = queueOf([done, 0], [permission('a'), 0]);
    queue.take('s', { type: 'begun' }, { at: 1, inTurn: true });
    assert.deepEqual(told(queue), [{ key: 's', event: permission('a'), questions: 1 }]);
  });

  it('is nothing of a session that the person looks at by then, nor later', () => {
    const queue = queueOf([done, 0]);
    assert.deepEqual(
      queue.due(100_000, (key) => key === 's'),
      [],
    );
    assert.deepEqual(told(queue), []);
  });

  it('comes at least a while after what was told before, but another session need not wait', () => {
    const queue = queueOf([permission('a'), 0]);
    told(queue, 500);
    queue.take('s', { type: 'raise', event: permission('b') }, { at: 600, inTurn: true });
    queue.take('other', { type: 'raise', event: permission('c') }, { at: 600, inTurn: true });
    assert.deepEqual(
      told(queue, 600 + GATHER.question).map(({ key }) => key),
      ['other'],
    );
    assert.equal(queue.next(), 500 + SPACE);
    assert.deepEqual(
      told(queue, 500 + SPACE).map(({ event }) => event),
      [permission('b')],
    );
  });

  it('is a sign-in only where a prompt met it, before the failure that came with it', () => {
    const signIn: AttentionEvent = { kind: 'signIn' };
    assert.deepEqual(told(queueOf([signIn, 0])), []);
    assert.deepEqual(
      told(queueOf([failed, 0], [signIn, 1])).map(({ event }) => event),
      [signIn],
    );
    const running = new AttentionQueue();
    running.take('s', { type: 'raise', event: signIn }, { at: 0, inTurn: true });
    assert.equal(running.next(), GATHER.question);
    running.take('s', { type: 'signedIn' }, { at: 1, inTurn: true });
    assert.equal(running.next(), undefined);
  });

  it('is by the setting all, only what waits for the person, or nothing', () => {
    const wanted = (mode: 'all' | 'questions' | 'off'): boolean[] =>
      [permission('a'), { kind: 'signIn' } as const, failed, done].map((event) => isWanted(event, mode));
    assert.deepEqual(wanted('all'), [true, true, true, true]);
    assert.deepEqual(wanted('questions'), [true, true, false, false]);
    assert.deepEqual(wanted('off'), [false, false, false, false]);
  });

  it('is short, and none of it is a link or half a character', () => {
    assert.equal(plainMessage('[Allow](command:evil)', 100), '[Allow] (command:evil)');
    assert.equal(plainMessage('abcdef', 4), 'abc…');
    assert.equal(plainMessage('ab\u{1F600}cd', 4), 'ab…');
  });
});
