import assert from 'node:assert/strict';
import { structuredPatch } from 'diff';
import fc from 'fast-check';
import { lineDiff } from '../../../../src/core/diff/lineDiff';
import { bigFile } from './texts';

const line = fc.constantFrom('a', 'b', 'c', '', 'long line');
const text = fc
  .tuple(fc.array(line, { maxLength: 25 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([lines, end, last]) => lines.join(end) + (last ? end : ''));

describe('the diff of two texts', () => {
  it('DI-1 has the numbers of lines of the whole files, and three lines around each change', () => {
    const before = Array.from({ length: 100 }, (_, at) => `line ${at + 1}`);
    const view = lineDiff(before.join('\n'), before.with(49, 'changed').join('\n'));
    const [hunk] = view.hunks;
    assert.deepEqual([view.added, view.removed, view.hunks.length], [1, 1, 1]);
    assert.deepEqual([hunk?.oldStart, hunk?.newStart], [47, 47]);
    const shown = hunk?.lines.map(({ sign, text: shownText }) => `${sign}${shownText}`);
    const around = [' line 47', ' line 48', ' line 49', '-line 50', '+changed'];
    assert.deepEqual(shown, [...around, ' line 51', ' line 52', ' line 53']);
  });

  it('DI-1 says of any two texts what the comparison of the whole texts says', () => {
    const pair = fc.tuple(text, text, text, text).map(([head, old, now, tail]) => ({
      before: head + old + tail,
      after: head + now + tail,
    }));
    fc.assert(
      fc.property(pair, ({ before, after }) => {
        const whole = structuredPatch('', '', before, after, '', '', { context: 3 });
        const count = (sign: string): number =>
          whole.hunks.flatMap(({ lines }) => lines).filter((found) => found.startsWith(sign)).length;
        const view = lineDiff(before, after);
        assert.deepEqual([view.added, view.removed], [count('+'), count('-')]);
        for (const { oldStart, newStart, lines } of view.hunks) {
          const old = lines.filter(({ sign }) => sign !== '+').map((found) => found.text);
          const now = lines.filter(({ sign }) => sign !== '-').map((found) => found.text);
          const at = Math.max(0, oldStart - 1);
          assert.deepEqual(old, before.split('\n').slice(at, at + old.length));
          const to = Math.max(0, newStart - 1);
          assert.deepEqual(now, after.split('\n').slice(to, to + now.length));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('DI-1 says of a rewritten file of 20,000 lines, within a moment, what is new and what stayed', function () {
    this.timeout(2_000);
    const before = bigFile(20_000);
    const after = before.map((old, at) => (at % 2 === 0 ? `other ${at}\n` : old));
    const view = lineDiff(before.join(''), after.join(''));
    assert.deepEqual([view.added, view.removed], [10_000, 10_000]);
    const signs = view.hunks[0]?.lines.slice(0, 6).map(({ sign }) => sign);
    assert.deepEqual(signs?.join(''), '-+ -+ ');
  });

  it('DI-1 sends the page no more lines than it shows, and says so', () => {
    const lines = (count: number, name: string): string =>
      Array.from({ length: count }, (_, at) => `${name} ${at}\n`).join('');
    const cut = lineDiff(lines(150, 'old'), lines(150, 'new'));
    assert.deepEqual([cut.added, cut.removed, cut.truncated], [150, 150, true]);
    assert.equal(cut.hunks.flatMap((hunk) => hunk.lines).length, 200);
    const whole = lineDiff(lines(100, 'old'), lines(100, 'new'));
    assert.deepEqual([whole.added, whole.removed, whole.truncated], [100, 100, false]);
    assert.equal(whole.hunks.flatMap((hunk) => hunk.lines).length, 200);
    const far = lines(100, 'old') + lines(20, 'same');
    const second = lineDiff(`${far}a\n`, `${far.replace(/old/g, 'new')}b\n`);
    assert.deepEqual([second.hunks.length, second.truncated], [1, true]);
  });

  it('DI-1 counts so many lines that a comparison would take long as one replaced piece', () => {
    const before = bigFile(45_000);
    const after = before.with(0, 'first\n').with(-1, 'last\n');
    const view = lineDiff(before.join(''), after.join(''));
    assert.deepEqual([view.added, view.removed, view.truncated], [45_000, 45_000, true]);
    assert.deepEqual(lineDiff('', 'x'.repeat(4_000_001)), {
      added: 0,
      removed: 0,
      hunks: [],
      truncated: true,
    });
  });
});
