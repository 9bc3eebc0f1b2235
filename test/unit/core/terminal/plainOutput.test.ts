import assert from 'node:assert/strict';
import { plainOutput, splitExit } from '../../../../src/core/terminal/plainOutput';

describe('output of a command that came as text', () => {
  it('loses the escapes of a terminal', () => {
    assert.equal(plainOutput('\u001b[1;32mok\u001b[0m 12 \u001b[38;2;1;2;3mpassed\u001b[m'), 'ok 12 passed');
    assert.equal(plainOutput('\u001b]8;;https://a.example\u0007link\u001b]8;;\u001b\\!'), 'link!');
    assert.equal(plainOutput('\u001b(B\u001b[2Ka'), 'a');
  });

  it('keeps of a line what was written over it last', () => {
    assert.equal(plainOutput('10 %\r50 %\r100 %\ndone\r\n'), '100 %\ndone\n');
    assert.equal(plainOutput('abc\b\bX\n10 %\r'), 'aX\n10 %');
  });

  it('leaves all else as it is, line by line', () => {
    const text = 'a\tb\n\n  [32m not an escape\n';
    assert.equal(plainOutput(text), text);
    assert.equal(plainOutput('a\r\r\nb'), 'a\nb');
  });

  it('tells the exit code that the last line names, and leaves that line out', () => {
    assert.deepEqual(splitExit('one\ntwo\n<shell 3 completed with exit code 2>'), {
      text: 'one\ntwo',
      code: 2,
    });
    assert.deepEqual(splitExit('<exited with exit code -1>\n'), { text: '', code: -1 });
    const long = `${'x'.repeat(200_000)}\n<exited with exit code 0>`;
    assert.equal(splitExit(long).text.length, 200_000);
  });

  it('takes nothing for an exit code that the command may have printed itself', () => {
    for (const text of ['exit code 1', 'see <exit code 1>', '<exit code 1>\nmore', '<exit code one>'])
      assert.deepEqual(splitExit(text), { text });
  });
});
