import assert from 'node:assert/strict';
import { diffArrays } from 'diff';
import fc from 'fast-check';
import { countLines, lineChanges, splitLines, type LineChange } from '../../../../src/core/diff/lineChanges';
import { aText, bigFile, someLine } from './texts';

/** The text after, made of the text before and of the changed lines alone. */
function applied(
  before: readonly string[],
  after: readonly string[],
  changes: readonly LineChange[],
): string {
  const out: string[] = [];
  let at = 0;
  for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
    out.push(...before.slice(at, oldStart), ...after.slice(newStart, newEnd));
    at = oldEnd;
  }
  return [...out, ...before.slice(at)].join('');
}

const changesOf = (before: string, after: string): LineChange[] =>
  lineChanges(splitLines(before), splitLines(after));

function checkApplied(before: string, after: string): void {
  const [old, now] = [splitLines(before), splitLines(after)];
  assert.equal(applied(old, now, lineChanges(old, now)), after);
}

describe('the lines that differ', () => {
  it('splits any text so that its lines joined are the text again', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '\n', '\r', 'é') }), (text) => {
        const lines = splitLines(text);
        assert.equal(lines.join(''), text);
        assert.ok(
          lines.every(
            (line, at) =>
              line !== '' && /^[^\n]*(\n|$)$/.test(line) && (at === lines.length - 1 || line.endsWith('\n')),
          ),
        );
      }),
    );
    assert.deepEqual(splitLines(''), []);
    assert.deepEqual(splitLines('a\r\n\nb'), ['a\r\n', '\n', 'b']);
  });

  it('make the text after out of the text before', () => {
    fc.assert(fc.property(aText, aText, checkApplied), { numRuns: 500 });
  });

  it('are in order, each says something, and between two of them a line stays', () => {
    fc.assert(
      fc.property(aText, aText, (before, after) => {
        let last: LineChange | undefined;
        for (const change of changesOf(before, after)) {
          assert.ok(change.oldEnd > change.oldStart || change.newEnd > change.newStart);
          if (last) assert.ok(change.oldStart > last.oldEnd && change.newStart > last.newEnd);
          last = change;
        }
      }),
    );
  });

  it('are as few as can be where the texts are not too far apart', () => {
    const lines = fc.array(someLine, { maxLength: 60 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const parts = diffArrays(before, after);
        const sum = (which: 'added' | 'removed'): number =>
          parts.filter((part) => part[which]).reduce((total, { count }) => total + count, 0);
        const counted = countLines(lineChanges(before, after));
        assert.deepEqual(counted, { added: sum('added'), removed: sum('removed') });
      }),
      { numRuns: 300 },
    );
  });

  it('are found one by one in a big file of which most was rewritten', () => {
    const before = bigFile(20_000);
    const after = before.map((line, at) => (at % 10 === 0 ? line : `other ${at}\n`));
    const changes = lineChanges(before, after);
    assert.equal(changes.length, 2_000);
    assert.deepEqual(countLines(changes), { added: 18_000, removed: 18_000 });
  });

  it('are found around landmarks where a comparison of the whole would take minutes', function () {
    this.timeout(2_000);
    const braces = (seed: number): string[] =>
      Array.from(
        { length: 20 },
        (_, at) => ['{\n', '}\n', '\n'][(seed * 7 + at * at * (seed % 5)) % 3] ?? '',
      );
    const file = (shift: number): string[] =>
      Array.from({ length: 1_000 }, (_, part) => [`part ${part}\n`, ...braces(part * 3 + shift)]).flat();
    const [before, after] = [file(0), file(1)];
    const changes = lineChanges(before, after);
    assert.equal(applied(before, after, changes), after.join(''));
    const { removed } = countLines(changes);
    assert.ok(removed <= 20_000, 'each part keeps its first line');
    assert.ok(changes.length >= 500);
  });

  it('are one piece, and soon, where nothing tells the parts of two big texts apart', function () {
    this.timeout(2_000);
    const lines = (seed: number): string[] =>
      Array.from(
        { length: 20_000 },
        (_, at) => ['{\n', '}\n', '\n', 'x\n'][Math.trunc(Math.abs(Math.sin(at * seed) * 1e4)) % 4] ?? '',
      );
    const [before, after] = [lines(12.9), lines(78.2)];
    const changes = lineChanges(before, after);
    assert.equal(changes.length, 1);
    assert.equal(applied(before, after, changes), after.join(''));
  });
});
