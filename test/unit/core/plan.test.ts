import assert from 'node:assert/strict';
import { planProgress } from '../../../src/core/session/select';
import { valuesOf } from '../../support/wireSchema';
import { TestSession } from '../../support/session';

const plan = (...entries: unknown[]) => ({ sessionUpdate: 'plan', entries });

describe('a plan', () => {
  it('PL-1 has entries with each priority and status of the schema, in the order of the agent', () => {
    const entries = valuesOf('PlanEntryPriority').flatMap((priority) =>
      valuesOf('PlanEntryStatus').map((status) => ({ content: `${priority} ${status}`, priority, status })),
    );
    assert.equal(entries.length, 9);
    const { state } = new TestSession().wire(plan(...entries));
    assert.deepEqual(state.plan, entries);
    assert.deepEqual(planProgress(state), { done: 3, total: 9 });
  });

  it('PL-3 keeps an entry whose priority or status nobody knows, and one without them', () => {
    const odd = { content: 'a', priority: 'urgent', status: 'blocked' };
    const { state } = new TestSession().wire(plan(odd, { content: 'b' }, 'no entry'));
    assert.deepEqual(state.plan, [odd, { content: 'b', priority: 'medium', status: 'pending' }]);
    assert.equal(planProgress(state).done, 0);
  });
});
