import assert from 'node:assert/strict';
import fc from 'fast-check';
import { merge } from '../../../../src/core/diff/merge';
import { aText, bigFile } from './texts';

type Side = 'mine' | 'theirs';
const sides = ['mine', 'theirs'] as const;
const other = (side: Side): Side => (side === 'mine' ? 'theirs' : 'mine');

/** What happens to a line of the base, and to the place before it. */
interface Edit {
  who: Side;
  what: 'keep' | 'replace' | 'delete';
  inserter: Side;
  inserts: boolean;
}

const edits: fc.Arbitrary<Edit[]> = fc.array(
  fc.record({
    who: fc.constantFrom(...sides),
    what: fc.constantFrom('keep' as const, 'keep' as const, 'replace' as const, 'delete' as const),
    inserter: fc.constantFrom(...sides),
    inserts: fc.boolean(),
  }),
  { minLength: 1, maxLength: 30 },
);

/** The base with the edits of some sides. */
function edited(list: readonly Edit[], by: readonly Side[]): string {
  const touchedBy = (side: Side, edit: Edit | undefined): boolean =>
    edit?.who === side && edit.what !== 'keep';
  return list
    .map((edit, at) => {
      const { who, what, inserter, inserts } = edit;
      // Inside of what the other side replaced an insertion would be a conflict.
      const within = touchedBy(other(inserter), edit) && touchedBy(other(inserter), list[at - 1]);
      const inserted = inserts && !within && by.includes(inserter) ? `new ${at}\n` : '';
      if (what === 'keep' || !by.includes(who)) return `${inserted}line ${at}\n`;
      return what === 'replace' ? `${inserted}changed ${at}\n` : inserted;
    })
    .join('');
}

const lines = (...names: string[]): string => names.map((name) => `${name}\n`).join('');

describe('the merge of two sides', () => {
  it('takes the edits of both where they do not overlap, those of neighbouring lines too', () => {
    fc.assert(
      fc.property(edits, (list) => {
        const [mine, theirs] = [edited(list, ['mine']), edited(list, ['theirs'])];
        assert.deepEqual(merge({ base: edited(list, []), mine, theirs }), {
          text: edited(list, sides),
          conflicts: [],
        });
      }),
      { numRuns: 500 },
    );
  });

  it('never joins a last line without an end to what the other side added after it', () => {
    const base = lines('a', 'b');
    const [open, longer] = ['a\nb', lines('a', 'b', 'c')];
    const conflicts = [{ base: 'b\n', mine: 'b', theirs: lines('b', 'c') }];
    assert.deepEqual(merge({ base, mine: open, theirs: longer }), { text: open, conflicts });
    assert.deepEqual(merge({ base, mine: longer, theirs: open }, 'theirs').text, open);
    const typed = `${base}typed`;
    assert.deepEqual(merge({ base, mine: typed, theirs: lines('a', 'B') }), {
      text: 'a\nB\ntyped',
      conflicts: [],
    });
    const aSide = fc
      .tuple(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 5 }), fc.boolean())
      .map(([names, ends]) => names.join('\n') + (ends && names.length > 0 ? '\n' : ''));
    fc.assert(
      fc.property(
        fc.record({ base: aSide, mine: aSide, theirs: aSide }),
        fc.constantFrom(...sides),
        (texts, to) => {
          const { text } = merge(texts, to);
          assert.deepEqual(
            text.split('\n').filter((line) => line.length > 1),
            [],
          );
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it('gives the other side where one changed nothing, and either where both made the same', () => {
    fc.assert(
      fc.property(aText, aText, (base, changed) => {
        for (const prefer of sides) {
          const expected = { text: changed, conflicts: [] };
          assert.deepEqual(merge({ base, mine: changed, theirs: base }, prefer), expected);
          assert.deepEqual(merge({ base, mine: base, theirs: changed }, prefer), expected);
          assert.deepEqual(merge({ base, mine: changed, theirs: changed }, prefer), expected);
        }
      }),
    );
  });

  it('is the same with the sides and the preference swapped', () => {
    fc.assert(
      fc.property(aText, aText, aText, (base, mine, theirs) => {
        const one = merge({ base, mine, theirs }, 'mine');
        const two = merge({ base, mine: theirs, theirs: mine }, 'theirs');
        assert.equal(one.text, two.text);
        const swapped = two.conflicts.map((found) => ({
          base: found.base,
          mine: found.theirs,
          theirs: found.mine,
        }));
        assert.deepEqual(one.conflicts, swapped);
      }),
      { numRuns: 500 },
    );
  });

  it('says what each side has where they conflict, and keeps the preferred one and all other edits', () => {
    const base = lines('head', 'one', 'two', 'three', 'tail');
    const mine = lines('HEAD', 'one', 'mine', 'three', 'tail');
    const theirs = lines('head', 'one', 'theirs', 'three', 'TAIL');
    const conflicts = [{ base: 'two\n', mine: 'mine\n', theirs: 'theirs\n' }];
    for (const prefer of sides)
      assert.deepEqual(merge({ base, mine, theirs }, prefer), {
        text: lines('HEAD', 'one', prefer, 'three', 'TAIL'),
        conflicts,
      });
  });

  it('finds a conflict where both add lines at one place, and none where they add the same', () => {
    const base = lines('one', 'two');
    const mine = lines('one', 'mine', 'two');
    const theirs = lines('one', 'theirs', 'two');
    const merged = merge({ base, mine, theirs }, 'theirs');
    assert.deepEqual(merged.conflicts, [{ base: '', mine: 'mine\n', theirs: 'theirs\n' }]);
    assert.equal(merged.text, theirs);
    const same = { base: lines('one', 'two', 'end'), mine, theirs: lines('one', 'mine', 'two', 'end') };
    assert.deepEqual(merge(same), { text: lines('one', 'mine', 'two'), conflicts: [] });
  });

  it('finds a conflict where one removes lines that the other changes inside', () => {
    const base = lines('a', 'b', 'c', 'd', 'e');
    const mine = lines('a', 'e');
    const theirs = lines('a', 'b', 'C', 'd', 'e');
    const { text, conflicts } = merge({ base, mine, theirs });
    assert.equal(text, mine);
    assert.deepEqual(conflicts, [{ base: 'b\nc\nd\n', mine: '', theirs: 'b\nC\nd\n' }]);
  });

  it('never has a line that no side has, and no conflict without a difference', () => {
    fc.assert(
      fc.property(aText, aText, aText, (base, mine, theirs) => {
        const { text, conflicts } = merge({ base, mine, theirs });
        const known = new Set([base, mine, theirs].flatMap((side) => side.split('\n')));
        if (conflicts.length === 0) assert.ok(text.split('\n').every((line) => known.has(line)));
        for (const found of conflicts)
          assert.ok(found.mine !== found.theirs && found.mine !== found.base && found.theirs !== found.base);
      }),
    );
  });

  it('keeps every byte of text that is read as latin1', () => {
    const bytes = fc.uint8Array({ maxLength: 200 }).map((part) => Buffer.from(part).toString('latin1'));
    fc.assert(
      fc.property(bytes, (middle) => {
        const base = `first\n${middle}\nlast\n`;
        const { text } = merge({ base, mine: base.replace('first', '\xe9\xff'), theirs: `${base}\x80\n` });
        const expected = `\xe9\xff\n${middle}\nlast\n\x80\n`;
        assert.deepEqual(Buffer.from(text, 'latin1'), Buffer.from(expected, 'latin1'));
      }),
    );
  });

  it('merges files of very many lines', () => {
    const base = bigFile(200_000);
    const mine = base.with(0, 'mine\n').join('');
    const theirs = base.with(199_999, 'theirs\n').join('');
    const expected = base.with(0, 'mine\n').with(199_999, 'theirs\n').join('');
    assert.ok(merge({ base: base.join(''), mine, theirs }).text === expected);
  });
});
