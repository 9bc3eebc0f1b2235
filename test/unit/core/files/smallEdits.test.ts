import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TextEdit } from '../../../../src/core/files/minimalEdit';
import { smallEdits } from '../../../../src/core/files/smallEdits';

function apply(text: string, edits: readonly TextEdit[]): string {
  let [result, at] = ['', 0];
  for (const { start, end, text: fresh } of edits) {
    assert.ok(start >= at, 'in order, without overlap');
    result += text.slice(at, start) + fresh;
    at = end;
  }
  return result + text.slice(at);
}

describe('smallEdits', () => {
  it('FS-9 changes each place by itself', () => {
    const before = 'one\r\ntwo\r\nthree\r\nfour\r\n';
    const after = 'One\r\ntwo\r\nthree\r\nfour!\r\n';
    assert.deepEqual(smallEdits(before, after), [
      { start: 0, end: 1, text: 'O' },
      { start: 21, end: 21, text: '!' },
    ]);
  });

  it('FS-9 has no edit for the same text', () => {
    assert.deepEqual(smallEdits('a\n', 'a\n'), []);
  });

  it('FS-9 makes one edit of very many', () => {
    const lines = (mark: string): string =>
      Array.from({ length: 5_000 }, (_, i) => (i % 2 ? `${i}${mark}\n` : `${i}\n`)).join('');
    assert.equal(smallEdits(lines(''), lines('x')).length, 1);
  });

  it('FS-9 gives the text that was wanted', () => {
    const text = fc.array(fc.constantFrom('a\n', 'b\r\n', 'c', '\n', 'é😀')).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (before, after) =>
        assert.equal(apply(before, smallEdits(before, after)), after),
      ),
    );
  });
});
