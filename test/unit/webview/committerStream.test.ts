import assert from 'node:assert/strict';
import type { MarkdownCommitter } from '../../../src/webview/markdown/committer';
import { MarkdownStream } from '../../../src/webview/markdown/stream';

describe('the pace of streamed Markdown', () => {
  it('waits the longer the longer the open block is, but not at the end', () => {
    let taken = '';
    const drawn: string[] = [];
    const committer = {
      append: (piece: string) => (taken += piece),
      flush: () => drawn.push(taken),
      openLength: 10_000_000,
    };
    const stream = new MarkdownStream(committer as unknown as MarkdownCommitter);
    stream.update('a', false);
    stream.update('ab', false);
    stream.update('abc', false);
    assert.deepEqual(drawn, ['a']);
    stream.update('abcd', true);
    assert.deepEqual(drawn, ['a', 'abcd']);
    stream.dispose();
  });
});
