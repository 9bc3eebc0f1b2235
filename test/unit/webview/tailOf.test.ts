import assert from 'node:assert/strict';
import { tailOf } from '../../../src/webview/transcript/toolContent';

describe('the end of what a command printed', () => {
  it('has the last lines, where an empty one at the end does not count', () => {
    assert.deepEqual(tailOf('a\nb\nc\nd\n', 2), { tail: 'c\nd\n', count: 4 });
    assert.deepEqual(tailOf('a\nb\nc', 2), { tail: 'b\nc', count: 3 });
    assert.deepEqual(tailOf('\n\n\n', 2), { tail: '\n\n', count: 3 });
  });

  it('is all of a short text', () => {
    for (const [text, count] of [
      ['', 1],
      ['a', 1],
      ['\n', 1],
      ['a\nb\n', 2],
      ['\na', 2],
    ] as const)
      assert.deepEqual(tailOf(text, 2), { tail: text, count });
  });
});
