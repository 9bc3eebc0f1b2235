import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ErrorCode } from '../../../../src/core/acp';
import { WireError } from '../../../../src/core/errors';
import { parseRange, sliceLines } from '../../../../src/core/files/slice';

const isInvalid = (error: unknown): boolean =>
  error instanceof WireError && error.code === ErrorCode.invalidParams;

describe('sliceLines', () => {
  it('FS-4 gives the exact lines, whatever their ends', () => {
    const end = fc.constantFrom('\n', '\r\n', '\r');
    const line = fc
      .tuple(fc.string({ unit: fc.constantFrom('a', 'é', ' ') }), end)
      .map((parts) => parts.join(''));
    // A CR before an LF would be one line end.
    const lines = fc.array(line, { maxLength: 8 }).filter((all) => !all.join('|').includes('\r|\n'));
    fc.assert(
      fc.property(lines, fc.nat(9), fc.nat(9), (all, skip, limit) => {
        const first = Math.min(skip, all.length);
        assert.equal(
          sliceLines(all.join(''), { line: first + 1, limit }),
          all.slice(first, first + limit).join(''),
        );
      }),
    );
  });

  it('FS-4 begins at the start for an absent, null or 0 line, and goes to the end for an absent or null limit', () => {
    for (const line of [undefined, null, 0, 1]) {
      assert.equal(sliceLines('a\nb\n', { line, limit: null }), 'a\nb\n');
      assert.equal(sliceLines('a\nb\n', { line, limit: 1 }), 'a\n');
    }
    assert.equal(sliceLines('a\nb', { line: 2, limit: undefined }), 'b');
  });

  it('FS-4 gives nothing for a limit of 0', () => {
    assert.equal(sliceLines('a\nb\n', { limit: 0 }), '');
  });

  it('FS-5 counts the empty line after a last line end, and tells the number of lines beyond it', () => {
    assert.equal(sliceLines('a\nb\n', { line: 3 }), '');
    assert.throws(
      () => sliceLines('a\nb\n', { line: 4 }),
      (error) => isInvalid(error) && (error as WireError).data?.['lines'] === 3,
    );
    assert.throws(() => sliceLines('', { line: 2 }), isInvalid);
  });

  it('FS-12 refuses what is no whole number', () => {
    for (const value of ['1', -1, 1.5, NaN, true, {}]) {
      assert.throws(() => parseRange({ line: value }), isInvalid);
      assert.throws(() => parseRange({ limit: value }), isInvalid);
    }
  });
});
