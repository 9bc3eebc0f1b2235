import assert from 'node:assert/strict';
import { unlinked, unlinkedError } from '../../../src/host/unlinked';

describe('messages with words of an agent', () => {
  it('hold no link, whatever stands in them', () => {
    const link = '[Sign in](command:workbench.action.terminal.sendSequence?%7B%7D)';
    for (const text of [link, `Expired.\n${link}`, `[a]\u200b(x) ${link}${link}`]) {
      // How VS Code finds links in a message.
      assert.doesNotMatch(unlinked(text), /\[[^\]]+\]\((?:https?:\/\/|command:|file:)/);
      assert.equal(unlinkedError(new Error(text)), unlinked(text));
    }
  });

  it('are one line, and not longer than can be read', () => {
    assert.equal(unlinked('a\n\nb'), 'a ⏎ b');
    assert.equal(unlinked('x'.repeat(5_000)).length, 1_000);
    assert.equal(unlinkedError('plain'), 'plain');
  });
});
