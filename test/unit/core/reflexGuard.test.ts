import assert from 'node:assert/strict';
import { ReflexGuard } from '../../../src/core/permission/reflexGuard';

const shown = (): ReflexGuard => {
  const guard = new ReflexGuard();
  guard.shown(0);
  return guard;
};

describe('the guard of a permission quick pick', () => {
  it('accepts an option that was reached by the arrow keys after 400 ms', () => {
    const guard = shown();
    guard.activeChanged(true, 450);
    assert.equal(guard.accepts(500), true);
  });

  it('does not accept the row that is active from the start', () => {
    assert.equal(shown().accepts(5_000), false);
  });

  it('does not accept before it has been in view for 400 ms', () => {
    const guard = shown();
    guard.activeChanged(true, 100);
    assert.equal(guard.accepts(399), false);
    assert.equal(guard.accepts(400), true);
  });

  it('does not accept "al" and Enter, however slowly they come', () => {
    const guard = shown();
    guard.filterChanged('a', 1_000);
    guard.activeChanged(true, 1_001);
    guard.filterChanged('', 1_002);
    guard.activeChanged(true, 1_010);
    assert.equal(guard.accepts(1_020), false);
    assert.equal(guard.accepts(9_000), false);
  });

  it('accepts again after typing once the person moves to an option', () => {
    const guard = shown();
    guard.filterChanged('a', 1_000);
    guard.filterChanged('', 1_001);
    guard.activeChanged(true, 2_000);
    assert.equal(guard.accepts(2_001), true);
  });

  it('forgets an option that was reached before typing', () => {
    const guard = shown();
    guard.activeChanged(true, 500);
    guard.filterChanged('x', 600);
    guard.filterChanged('', 601);
    assert.equal(guard.accepts(5_000), false);
  });

  it('does not accept the details row', () => {
    const guard = shown();
    guard.activeChanged(true, 500);
    guard.activeChanged(false, 600);
    assert.equal(guard.accepts(700), false);
  });
});
