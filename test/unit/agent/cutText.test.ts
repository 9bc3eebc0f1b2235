import assert from 'node:assert/strict';
import { firstOf, lastOf } from '../../../src/agent/cutText';
import { quoted } from '../../../src/agent/tools/bounds';

const HALF = /[\uD800-\uDFFF]/u;

describe('text that is cut', () => {
  it('is cut at a character', () => {
    const text = 'a😀b😀c';
    for (let units = 0; units <= text.length; units++) {
      const [first, last] = [firstOf(text, units), lastOf(text, units)];
      assert.ok(text.startsWith(first) && text.endsWith(last));
      for (const part of [first, last]) {
        assert.doesNotMatch(part, HALF);
        assert.ok(part.length === units || part.length === units - 1);
      }
    }
    assert.equal(lastOf(text, 100), text);
  });

  it('has no half of a character in a message', () => {
    for (const shift of ['', 'a']) assert.doesNotMatch(quoted(shift + '😀'.repeat(400)), HALF);
  });
});
