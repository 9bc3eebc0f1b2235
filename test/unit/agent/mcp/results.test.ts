import assert from 'node:assert/strict';
import { MAX_OUTPUT, resultText } from '../../../../src/agent/mcp/results';

describe('results of MCP tools', () => {
  it('gives texts and texts of resources as they are', () => {
    const content = [
      { type: 'text', text: 'one' },
      { type: 'resource', resource: { uri: 'file:///a', text: 'two' } },
    ];
    assert.equal(resultText(content, undefined), 'one\n\n[resource file:///a]\ntwo');
  });

  it('names what is no text, without its data', () => {
    const data = 'QUJD'.repeat(1000);
    const content = [
      { type: 'image', mimeType: 'image/png', data },
      { type: 'audio', data },
      { type: 'resource', resource: { uri: 'file:///b', mimeType: 'application/zip', blob: data } },
      { type: 'resource_link', name: 'c', uri: 'https://c.example', description: 'the third' },
      { type: 'hologram' },
      'no object',
    ];
    const text = resultText(content, undefined);
    assert.match(text, /image image\/png, 3 KiB/);
    assert.match(text, /audio of an unknown type/);
    assert.match(text, /file:\/\/\/b application\/zip/);
    assert.match(text, /c https:\/\/c\.example - the third/);
    assert.match(text, /unknown type\]$/);
    assert.doesNotMatch(text, /QUJD/);
  });

  it('takes the structured form where there is no other', () => {
    assert.equal(resultText([], { a: 1 }), '{\n  "a": 1\n}');
    assert.equal(resultText([{ type: 'text', text: 'said' }], { a: 1 }), 'said');
    assert.equal(resultText([], undefined), '');
  });

  it('cuts the middle out of what is too long for a model', () => {
    const text = resultText([{ type: 'text', text: `begin${'x'.repeat(10 * MAX_OUTPUT)}end` }], undefined);
    assert.ok(text.length <= MAX_OUTPUT);
    assert.match(text, /^begin[^]*end$/);
  });
});
