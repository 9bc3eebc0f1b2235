import assert from 'node:assert/strict';
import { TestSession } from '../../support/session';

const usage = (fields: object) => ({ sessionUpdate: 'usage_update', ...fields });
const cost = { amount: 0.5, currency: 'USD' };

describe('usage', () => {
  it('US-1 is replaced as a whole by each update, the cost too', () => {
    const session = new TestSession().wire(usage({ used: 10, size: 100, cost }));
    assert.deepEqual(session.state.usage, { used: 10, size: 100, cost });
    session.wire(usage({ used: 4, size: 200, cost: { ...cost, amount: 0.75 } }));
    assert.deepEqual(session.state.usage, { used: 4, size: 200, cost: { ...cost, amount: 0.75 } });
    session.wire(usage({ used: 5, size: 200, cost: null }));
    assert.deepEqual(session.state.usage, { used: 5, size: 200 });
  });

  it('US-1 stays where an update says no numbers', () => {
    const session = new TestSession().wire(usage({ used: 10, size: 100 }));
    session.wire(usage({ used: '11', size: 100 }), usage({ size: 100 }));
    assert.deepEqual(session.state.usage, { used: 10, size: 100 });
  });

  it('US-1 US-3 takes a cost in any unit, and leaves out one without a unit or an amount', () => {
    const costOf = (value: unknown) =>
      new TestSession().wire(usage({ used: 1, size: 2, cost: value })).state.usage?.cost;
    const credits = { amount: 12, currency: 'credits' };
    assert.deepEqual(costOf(credits), credits);
    for (const broken of [{ amount: 1 }, { currency: 'USD' }, { amount: '1', currency: 'USD' }, 7])
      assert.equal(costOf(broken), undefined);
  });
});
