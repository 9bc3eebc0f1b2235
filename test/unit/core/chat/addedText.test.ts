import assert from 'node:assert/strict';
import {
  addedProblemText,
  keepEnd,
  keepStart,
  MAX_ADDED,
  type AddedProblem,
} from '../../../../src/core/chat/addedText';

const problem = (line: number, more: Partial<AddedProblem> = {}): AddedProblem => ({
  line,
  column: 3,
  toLine: line,
  severity: 'error',
  message: 'Wrong.',
  ...more,
});
const place = (lineCount: number) => ({
  path: 'src/a.ts',
  lineCount,
  lineAt: (line: number) => `line ${line}`,
});

describe('a problem that is added to the chat', () => {
  it('says what is wrong, who says so, and the lines around it', () => {
    const text = addedProblemText(
      [problem(9, { source: 'ts', code: '2304', message: 'Cannot find\n  name' }), problem(10)],
      place(12),
    );
    assert.equal(
      text,
      [
        'src/a.ts:9:3: error: Cannot find name [ts 2304]',
        'src/a.ts:10:3: error: Wrong.',
        '',
        'src/a.ts, lines 6-12:',
        '   6 | line 6',
        '   7 | line 7',
        '   8 | line 8',
        '>  9 | line 9',
        '> 10 | line 10',
        '  11 | line 11',
        '  12 | line 12',
      ].join('\n'),
    );
  });

  it('has a bound, however long the file, its lines and the list of problems are', () => {
    const many = Array.from({ length: 500 }, (_, i) => problem(i + 1, { toLine: 100_000 }));
    const text = addedProblemText(many, { ...place(100_000), lineAt: () => 'x'.repeat(10_000) });
    assert.ok(text.length < 60 * 520 + 20 * 60 + 100, String(text.length));
  });
});

describe('a long text that is added to the chat', () => {
  const long = Array.from({ length: 30_000 }, (_, i) => `line ${i}`).join('\n');

  it('keeps whole lines of its beginning or its end, and says how much is missing', () => {
    const start = keepStart(long);
    const end = keepEnd(long);
    assert.match(start, /^line 0\n[^]*line \d+\n\(cut here: \d+ more characters\)$/);
    assert.match(end, /^\(cut here: \d+ earlier characters\)\nline \d+\n[^]*line 29999$/);
    for (const text of [start, end]) assert.ok(text.length <= MAX_ADDED + 60);
    const cut = Number(/(\d+) more/.exec(start)?.[1]);
    assert.equal(start.length - start.slice(start.lastIndexOf('\n')).length + cut, long.length);
  });

  it('is left as it is where it fits', () => {
    assert.equal(keepStart('a\nb'), 'a\nb');
    assert.equal(keepEnd('a\nb'), 'a\nb');
  });
});
