import assert from 'node:assert/strict';
import { droppedUris, isFileUri } from '../../../../src/core/chat/uriList';

const dropped = (data: Record<string, string>): string[] => droppedUris((type) => data[type] ?? '');

describe('the files that a drag names', () => {
  it('PT-4 are read from each kind of data, the editor’s own first', () => {
    const list = '# a comment\r\nfile:///a%20b.ts\r\n\r\nfile:///c.ts\r\nfile:///c.ts';
    assert.deepEqual(dropped({ 'text/uri-list': list }), ['file:///a%20b.ts', 'file:///c.ts']);
    assert.deepEqual(dropped({ resourceurls: '["file:///a.ts","vscode-remote://ssh/b.ts"]' }), [
      'file:///a.ts',
      'vscode-remote://ssh/b.ts',
    ]);
    assert.deepEqual(dropped({ codefiles: '["/a b.ts","C:\\\\x.ts"]' }), [
      'file:///a%20b.ts',
      'file:///C:/x.ts',
    ]);
    const own = 'vscode-remote://wsl%2Bubuntu/home/a.ts';
    assert.deepEqual(dropped({ 'application/vnd.code.uri-list': own, 'text/uri-list': list }), [own]);
  });

  it('PT-4 are none for links, for what is not understood, and for other schemes', () => {
    for (const data of [
      { 'text/uri-list': 'https://example.com/a.ts' },
      { resourceurls: 'no json' },
      { resourceurls: '{"a":1}' },
      { codefiles: '[1]' },
      {},
    ])
      assert.deepEqual(dropped(data), [], JSON.stringify(data));
    assert.equal(isFileUri('javascript:file://'), false);
    assert.equal(isFileUri('FILE:///a'), true);
  });

  it('are all told, so that the page can say how many are too many', () => {
    const many = Array.from({ length: 300 }, (_, i) => `file:///${i}`).join('\n');
    assert.equal(dropped({ 'text/uri-list': many }).length, 300);
  });
});
