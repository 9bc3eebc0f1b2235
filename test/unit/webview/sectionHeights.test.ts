import assert from 'node:assert/strict';
import { SectionHeights } from '../../../src/webview/transcript/sectionHeights';

function heights(...measured: number[]): SectionHeights {
  const all = new SectionHeights();
  all.grow(measured.length);
  measured.forEach((height, section) => all.measure(section, height));
  return all;
}

describe('the heights of sections', () => {
  it('find the section at a height from either end, and the nearest one beyond', () => {
    const all = heights(100, 200, 300, 400);
    assert.deepEqual(
      [-5, 0, 99, 100, 299, 300, 599, 600, 999, 5000].map((y) => all.at(y)),
      [0, 0, 0, 1, 1, 2, 2, 3, 3, 3],
    );
    assert.deepEqual([all.total, all.top(2), all.span(1, 3)], [1000, 300, 500]);
  });

  it('guess what was never measured from full sections that were', () => {
    const all = new SectionHeights();
    all.grow(4);
    all.measure(2, 500);
    all.measure(3, 40);
    all.calibrate();
    assert.deepEqual([all.of(0), all.of(1), all.of(2), all.of(3), all.total], [500, 500, 500, 40, 1540]);
    all.grow(5);
    assert.equal(all.of(4), 500);
  });

  it('are stretched in proportion, and never to less than a little', () => {
    const all = heights(200, 600, 50);
    all.stretch(0, 2, 400);
    assert.deepEqual([all.of(0), all.of(1), all.of(2)], [300, 900, 50]);
    all.stretch(0, 3, -5000);
    assert.deepEqual([all.of(0), all.of(1), all.of(2), all.total], [100, 100, 50, 250]);
  });
});
