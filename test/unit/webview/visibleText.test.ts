import assert from 'node:assert/strict';
import { visibleText } from '../../../src/core/visibleText';
import { splitForCut } from '../../../src/webview/transcript/cut';

describe('text that is asked about', () => {
  it('shows bidi marks, controls and invisible characters as escapes', () => {
    assert.equal(visibleText('a\u202Etxt.exe'), 'a\\u{202E}txt.exe');
    assert.equal(visibleText('rm\u0000 \u001B[2K-rf\u200B\r'), 'rm\\u{0} \\u{1B}[2K-rf\\u{200B}\\u{D}');
  });

  it('leaves line feeds, tabs, emoji and other scripts alone', () => {
    const text = 'a\n\tb 你好 שלום 🎉';
    assert.equal(visibleText(text), text);
  });

  it('keeps the end of a long title for the cut', () => {
    const title = 'Read /home/ada/shop/packages/checkout/src/PaymentForm.tsx';
    const [head, tail] = splitForCut(title);
    assert.equal(head + tail, title);
    assert.equal(tail, '/PaymentForm.tsx');
    assert.deepEqual(splitForCut('npm test'), ['npm test', '']);
  });

  it('never cuts a surrogate pair', () => {
    for (let length = 20; length < 40; length++) {
      const [head, tail] = splitForCut('🎉'.repeat(length));
      assert.doesNotMatch(`${head} ${tail}`, /\p{Surrogate}/u);
    }
  });
});
