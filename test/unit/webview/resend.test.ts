import assert from 'node:assert/strict';
import { nameOf } from '../../../src/webview/transcript/blocks';
import { attachmentsOf } from '../../../src/webview/transcript/resend';

describe('the attachments of a prompt that is sent again', () => {
  it('PT-9 are those that its blocks tell', () => {
    const attachments = attachmentsOf([
      { type: 'text', text: 'look' },
      { type: 'link', uri: 'file:///home/ada/a%20b.ts', name: 'a b.ts' },
      { type: 'resource', uri: 'file:///home/ada/c.ts#L3-5', text: 'x' },
      { type: 'resource', uri: 'file:///home/ada/d.ts', text: 'whole' },
      { type: 'resource', uri: 'parley:/Git%20changes', text: 'diff' },
      { type: 'image', mimeType: 'image/png', data: 'AA==' },
      { type: 'image', mimeType: 'image/png' },
      { type: 'link', uri: 'https://example.com/e', name: 'e' },
    ]);
    assert.deepEqual(attachments, [
      { kind: 'file', path: '/home/ada/a b.ts', name: 'a b.ts' },
      { kind: 'selection', path: '/home/ada/c.ts', name: 'c.ts', fromLine: 3, toLine: 5, text: 'x' },
      { kind: 'file', path: '/home/ada/d.ts', name: 'd.ts' },
      { kind: 'text', name: 'Git changes', text: 'diff' },
      { kind: 'image', name: 'image/png', mimeType: 'image/png', data: 'AA==' },
    ]);
  });
});

describe('the name of a resource', () => {
  it('CO-4 is that of its file, with its lines', () => {
    assert.equal(nameOf('file:///a/b%20c.ts'), 'b c.ts');
    assert.equal(nameOf('file:///a/b.ts#L3-L5'), 'b.ts:3-5');
    assert.equal(nameOf('file:///a/100%.ts#L7'), '100%.ts:7');
  });
});
