import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lineEndOf, withLineEnd } from '../../../../src/core/files/eol';
import { minimalEdit, type TextEdit } from '../../../../src/core/files/minimalEdit';

const apply = (text: string, edit: TextEdit | undefined): string =>
  edit ? text.slice(0, edit.start) + edit.text + text.slice(edit.end) : text;

const isBorder = (text: string, at: number): boolean => {
  const pair = text.slice(at - 1, at + 1);
  return at === 0 || (pair !== '\r\n' && !/[\ud800-\udbff][\udc00-\udfff]/.test(pair));
};

describe('minimalEdit', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\r', '\n', '\r\n', '😀', '😁'), maxLength: 20 });

  it('FS-9 makes one text into the other and never cuts a line end or a character', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const edit = minimalEdit(before, after);
        assert.equal(apply(before, edit), after);
        if (!edit) return;
        assert.ok(isBorder(before, edit.start) && isBorder(before, edit.end));
      }),
    );
  });

  it('FS-9 touches only what differs', () => {
    assert.deepEqual(minimalEdit('one\ntwo\nthree\n', 'one\n2\nthree\n'), { start: 4, end: 7, text: '2' });
    assert.deepEqual(minimalEdit('aa', 'aaa'), { start: 2, end: 2, text: 'a' });
    assert.deepEqual(minimalEdit('abcabc', 'abc'), { start: 3, end: 6, text: '' });
    assert.equal(minimalEdit('same', 'same'), undefined);
  });

  it('FS-9 replaces a character as a whole where only its second half differs', () => {
    assert.deepEqual(minimalEdit('x😀y', 'x😁y'), { start: 1, end: 3, text: '😁' });
  });
});

describe('line ends', () => {
  it('FS-10 finds the one that most lines have', () => {
    assert.equal(lineEndOf('a\r\nb\r\nc\n'), '\r\n');
    assert.equal(lineEndOf('a\r\nb\n'), '\n');
    assert.equal(lineEndOf('a\rb'), undefined);
    assert.equal(lineEndOf(''), undefined);
  });

  it('FS-10 makes all of them the same', () => {
    assert.equal(withLineEnd('a\r\nb\nc\rd', '\r\n'), 'a\r\nb\r\nc\r\nd');
    assert.equal(withLineEnd('a\r\nb\n', '\n'), 'a\nb\n');
  });
});
