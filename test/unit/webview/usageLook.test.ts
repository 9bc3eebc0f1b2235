import assert from 'node:assert/strict';
import { costText, usageLevel, usagePercent } from '../../../src/webview/composer/usageLook';

describe('the look of the usage', () => {
  it('US-2 grows in steps, each beginning where the text of the protocol says', () => {
    const levels = [0, 74.9, 75, 89.9, 90, 95, 95.1, 100, 130].map((used) => usageLevel({ used, size: 100 }));
    const [low, medium, high, full] = ['low', 'medium', 'high', 'full'];
    assert.deepEqual(levels, [low, low, medium, medium, high, high, full, full, full]);
  });

  it('US-2 has no percentage where the size is 0, and none beyond its ends', () => {
    const percents = [
      [500, 0],
      [1, 3],
      [130, 100],
      [-1, 100],
    ].map(([used = 0, size = 0]) => usagePercent({ used, size }));
    assert.deepEqual(percents, [0, 33, 100, 0]);
    assert.equal(usageLevel({ used: 500, size: 0 }), 'low');
  });

  it('US-3 names any unit as the agent wrote it, also one that is no currency', () => {
    const units = ['USD', 'credits', '¤¤', '', 'US dollars'];
    assert.deepEqual(
      units.map((currency) => costText({ amount: 1.5, currency })),
      units.map((currency) => `1.50 ${currency}`),
    );
  });
});
