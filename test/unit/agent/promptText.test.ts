import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { promptText, titleOf } from '../../../src/agent/promptText';
import { WireError } from '../../../src/core/errors';

const link = (path: string) => ({ type: 'resource_link', uri: pathToFileURL(path).href, name: 'x' });
const text = (value: string) => ({ type: 'text', text: value });

describe('prompt text', () => {
  it('CO-5 puts the path of a linked file into the text', () => {
    assert.equal(
      promptText([text('read'), link('/w/src/a.js'), text('please')], '/w'),
      'read src/a.js please',
    );
    assert.equal(promptText([text('read '), link('/w/my notes.txt')], '/w'), 'read "my notes.txt"');
    assert.equal(promptText([{ type: 'resource_link', uri: 'https://a/b', name: 'b' }], '/w'), 'https://a/b');
  });

  it('PT-3 refuses blocks that were not announced', () => {
    for (const blocks of [[{ type: 'image', data: '', mimeType: '' }], [null], 'x', undefined])
      assert.throws(() => promptText(blocks, '/w'), WireError);
    assert.equal(promptText([], '/w'), '');
  });

  it('makes a title of the first line, cut at a word', () => {
    assert.equal(titleOf('  read a\nthen b'), 'read a');
    assert.equal(titleOf(' \n'), undefined);
    const title = titleOf('word '.repeat(30)) ?? '';
    assert.match(title, /word…$/);
    assert.ok(title.length <= 61);
    // No half of a character: clients refuse that.
    for (let at = 55; at < 65; at++)
      assert.doesNotMatch(titleOf(`${'a'.repeat(at)}😀${'b'.repeat(60)}`) ?? '', /[\uD800-\uDFFF]/u);
  });
});
