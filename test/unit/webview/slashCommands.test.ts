import assert from 'node:assert/strict';
import { matchingCommands } from '../../../src/webview/composer/slashCommands';

const commands = ['test', 'tour', 'compact'].map((name) => ({ name, description: '' }));
const names = (draft: string): string[] => matchingCommands(draft, commands).map((command) => command.name);

describe('slash commands', () => {
  it('offers all of them after the slash', () => assert.deepEqual(names('/'), ['test', 'tour', 'compact']));
  it('puts names that begin so before names that contain it', () =>
    assert.deepEqual(names('/T'), ['test', 'tour', 'compact']));
  it('offers none once the first word is over, or inside a text', () => {
    assert.deepEqual(names('/test x'), []);
    assert.deepEqual(names('see /test'), []);
  });
  it('offers names of several words, and names with signs', () => {
    const several = ['memory', 'memory show', 'memory add', '$image'].map((name) => ({
      name,
      description: '',
    }));
    const found = (draft: string): string[] => matchingCommands(draft, several).map(({ name }) => name);
    assert.deepEqual(found('/mem'), ['memory', 'memory show', 'memory add']);
    assert.deepEqual(found('/memory S'), ['memory show']);
    assert.deepEqual(found('/memory '), [], 'it is meant: Enter sends it');
    assert.deepEqual(found('/memory show '), []);
    assert.deepEqual(found('/memory show me'), []);
    assert.deepEqual(found('/$'), ['$image']);
    assert.deepEqual(found('/memory show\nmore'), []);
  });
});
