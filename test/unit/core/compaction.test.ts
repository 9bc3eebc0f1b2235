import assert from 'node:assert/strict';
import { textOf } from '../../../src/core/session/select';
import type { CompactionEntry } from '../../../src/core/session/state';
import { TestSession, text } from '../../support/session';

const block = (value: string) => ({ type: 'text', text: value });
const compaction = (compactionId: string, fields: object = {}) => ({
  sessionUpdate: 'compaction_update',
  compactionId,
  status: 'in_progress',
  ...fields,
});
const summary = (compactionId: string, value: string) => ({
  sessionUpdate: 'compaction_summary_chunk',
  compactionId,
  content: block(value),
});

function find(session: TestSession, compactionId: string): CompactionEntry {
  const found = session.state.entries.filter(
    (entry): entry is CompactionEntry => entry.kind === 'compaction' && entry.compactionId === compactionId,
  );
  assert.equal(found.length, 1, `one entry for ${compactionId}`);
  return found[0] ?? assert.fail();
}

describe('compaction', () => {
  it('NO-3 has its place where the first word of it came, whatever comes later', () => {
    const session = new TestSession()
      .prompt()
      .wire(text('before'), compaction('c'), text('after'), compaction('c', { status: 'completed' }));
    assert.deepEqual(session.kinds(), ['user', 'agent', 'compaction', 'agent']);
    assert.equal(find(session, 'c').status, 'completed');
  });

  it('ends with the turn that was cancelled or failed before it, and else goes on', () => {
    const statusAfter = (action: Parameters<TestSession['apply']>[0]): string => {
      const session = new TestSession().wire(compaction('before')).prompt().wire(compaction('c'));
      session.apply(action);
      assert.equal(find(session, 'before').status, 'in_progress');
      return find(session, 'c').status;
    };
    const error = { message: 'Gone.', detail: '' };
    assert.equal(statusAfter({ type: 'turnEnded', turn: 1, stopReason: 'cancelled', at: 2 }), 'cancelled');
    assert.equal(statusAfter({ type: 'turnFailed', turn: 1, error, at: 2 }), 'failed');
    assert.equal(statusAfter({ type: 'agentLost', at: 2 }), 'failed');
    assert.equal(statusAfter({ type: 'turnEnded', turn: 1, stopReason: 'end_turn', at: 2 }), 'in_progress');
  });

  it('NO-3 leaves what an update does not name', () => {
    const session = new TestSession().wire(
      compaction('c', { summary: [block('short')], error: 'too long' }),
      { sessionUpdate: 'compaction_update', compactionId: 'c', status: 'failed' },
    );
    const { status, error, summary: kept } = find(session, 'c');
    assert.deepEqual([status, error, textOf(kept)], ['failed', 'too long', 'short']);
  });

  for (const nothing of [null, []]) {
    it(`NO-3 clears the summary by ${JSON.stringify(nothing)}, and the error by null`, () => {
      const session = new TestSession().wire(
        compaction('c', { summary: [block('short')], error: 'too long' }),
        compaction('c', { summary: nothing, error: null }),
      );
      const entry = find(session, 'c');
      assert.deepEqual(entry.summary, []);
      assert.ok(!('error' in entry));
    });
  }

  it('NO-3 keeps a status that nobody knows', () => {
    const session = new TestSession().wire(compaction('c', { status: 'paused' }));
    assert.equal(find(session, 'c').status, 'paused');
  });

  it('NO-4 begins with a chunk of its summary as well, and is in progress then', () => {
    const session = new TestSession().wire(summary('c', 'one '), text('between'), summary('c', 'two'));
    const entry = find(session, 'c');
    assert.equal(entry.status, 'in_progress');
    assert.deepEqual(entry.summary, [block('one two')]);
    assert.deepEqual(session.kinds(), ['compaction', 'agent']);
  });

  it('NO-3 NO-4 an update with a summary takes the place of the chunks, and chunks go on after it', () => {
    const session = new TestSession().wire(
      summary('c', 'draft'),
      compaction('c', { summary: [block('final')] }),
      summary('c', ', and more'),
    );
    assert.equal(textOf(find(session, 'c').summary), 'final, and more');
  });

  it('NO-3 keeps several apart, also one whose id is a word that objects know', () => {
    const session = new TestSession().wire(
      compaction('a'),
      compaction('constructor', { status: 'completed' }),
      compaction('__proto__', { status: 'failed' }),
      compaction('a', { status: 'cancelled' }),
    );
    assert.deepEqual(
      ['a', 'constructor', '__proto__'].map((id) => find(session, id).status),
      ['cancelled', 'completed', 'failed'],
    );
  });

  it('NO-3 ignores one without an id', () => {
    const session = new TestSession().wire({ sessionUpdate: 'compaction_update', status: 'completed' });
    assert.deepEqual(session.kinds(), []);
  });

  it('SU-7 does not change an action that still waits for the page', () => {
    const session = new TestSession();
    const first = session.action(compaction('c', { summary: [block('one')] }));
    session.apply(first);
    const before = structuredClone(first);
    session.wire(summary('c', ' two'));
    assert.deepEqual(first, before);
  });

  it('NO-3 is told as changed each time', () => {
    const session = new TestSession().wire(compaction('c'));
    const { version } = find(session, 'c');
    session.wire(summary('c', 'x'));
    assert.ok(find(session, 'c').version > version);
  });
});
