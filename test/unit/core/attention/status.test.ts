import assert from 'node:assert/strict';
import { statusOf, waitingCount, type Glance } from '../../../../src/core/attention/status';

const glance = (key: string, badge: Glance['badge'] = 'idle', more: Partial<Glance> = {}): Glance => ({
  key,
  agent: `Agent ${key}`,
  badge,
  permissions: 0,
  elicitations: [],
  ...more,
});

describe('the status of all sessions', () => {
  it('is nothing without a session', () => assert.equal(statusOf([], undefined), undefined));

  it('names the agent of the shown session while nothing happens', () => {
    assert.deepEqual(statusOf([glance('a'), glance('b', 'done')], 'b'), {
      kind: 'idle',
      key: 'b',
      agent: 'Agent b',
    });
  });

  it('puts a question before what runs, and that before what failed', () => {
    const asks = glance('a', 'waiting', { permissions: 2 });
    const form = glance('b', 'waiting', { elicitations: ['e'] });
    const others = [glance('c', 'failed'), glance('d', 'running'), glance('e', 'running')];
    assert.deepEqual(statusOf([...others, asks, form], 'c'), {
      kind: 'waiting',
      permissions: 2,
      elicitations: 1,
      key: 'a',
    });
    assert.deepEqual(statusOf([form], 'b'), {
      kind: 'waiting',
      permissions: 0,
      elicitations: 1,
      key: 'b',
      requestId: 'e',
    });
    assert.deepEqual(statusOf(others, 'c'), { kind: 'running', count: 2, key: 'd', agent: 'Agent d' });
    assert.deepEqual(statusOf([glance('x'), glance('c', 'failed')], 'x'), {
      kind: 'failed',
      key: 'c',
      agent: 'Agent c',
    });
  });

  it('says that a sign-in is needed, which is no question', () => {
    assert.equal(statusOf([glance('a', 'waiting')], 'a')?.kind, 'signIn');
  });

  it('counts the sessions that wait, not their questions', () => {
    const glances = [
      glance('a', 'waiting', { permissions: 3 }),
      glance('b', 'waiting'),
      glance('c', 'running'),
    ];
    assert.equal(waitingCount(glances), 2);
  });
});
