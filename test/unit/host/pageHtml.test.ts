import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Window } from 'happy-dom';
import { pageHtml, type HtmlParts } from '../../../src/host/chat/pageHtml';

const SOURCE = 'https://*.vscode-cdn.test';
const uri = (...path: string[]): string => `https://file.vscode-cdn.test/${path.join('/')}`;

function partsOf(more: Partial<HtmlParts> = {}): HtmlParts {
  const strings = { hello: 'Say "hello" & <go>' };
  return {
    ...{ language: 'en', title: 'Parley', nonce: 'abc-123', source: SOURCE, uri },
    ...{ script: 'webview.js', styles: ['chat.css'], strings, ...more },
  };
}

function read(html: string): { document: Window['document']; policy: Map<string, string[]> } {
  const { document } = new Window({
    settings: { disableJavaScriptFileLoading: true },
  });
  document.write(html);
  const content = document
    .querySelector('meta[http-equiv="Content-Security-Policy"]')
    ?.getAttribute('content');
  const rules = (content ?? '').split(';').map((rule) => rule.trim().split(/\s+/));
  return { document, policy: new Map(rules.map(([name = '', ...values]) => [name, values])) };
}

describe('the html of a page', () => {
  const { document, policy } = read(pageHtml(partsOf()));

  it('allows nothing but what it names', () => {
    assert.deepEqual(policy.get('default-src'), [`'none'`]);
    const known = ['default-src', 'script-src', 'style-src', 'font-src', 'img-src'];
    assert.deepEqual(
      [...policy.keys()].filter((name) => !known.includes(name)),
      [],
      'no connections, no frames, no workers, no forms',
    );
  });

  it('runs scripts by their nonce alone', () => {
    assert.deepEqual(policy.get('script-src'), [`'nonce-abc-123'`]);
    for (const script of document.querySelectorAll('script')) {
      assert.equal(script.getAttribute('nonce'), 'abc-123');
      assert.equal(script.textContent, '');
      assert.match(script.getAttribute('src') ?? '', /^https:\/\/file\.vscode-cdn\.test\/dist\//);
    }
  });

  it('takes styles, fonts and images from the extension, and images that stand in the page', () => {
    assert.deepEqual(policy.get('style-src'), [SOURCE]);
    assert.deepEqual(policy.get('font-src'), [SOURCE]);
    assert.deepEqual(policy.get('img-src'), [SOURCE, 'data:']);
  });

  it('has nothing unsafe, nothing inline and nothing of the network', () => {
    const html = pageHtml(partsOf());
    assert.doesNotMatch(html, /unsafe-|\*;|https?:(?!\/\/(\*|file)\.vscode-cdn\.test)|wss?:|blob:/);
    const all = [...document.querySelectorAll('*')];
    const inline = all
      .flatMap((element) => element.getAttributeNames())
      .filter((name) => /^(on|style$)/.test(name));
    assert.deepEqual(inline, []);
    assert.equal(document.querySelectorAll('style, iframe, object, base, form').length, 0);
  });

  it('keeps texts within their attribute', () => {
    const strings = { a: `"><script>alert(1)</script>`, b: `' onload='x`, c: '&quot;' };
    const hostile = read(
      pageHtml(partsOf({ strings, title: '</title><script>1</script>', language: '"><b>' })),
    );
    assert.deepEqual(JSON.parse(hostile.document.body.getAttribute('data-strings') ?? ''), strings);
    assert.equal(hostile.document.querySelectorAll('script').length, 1);
    assert.equal(hostile.document.querySelectorAll('b').length, 0);
  });

  it('is what every page of the extension is made of, with a nonce that cannot be guessed', () => {
    const source = readFileSync(join(import.meta.dirname, '../../../src/host/chat/webviewHtml.ts'), 'utf8');
    assert.match(source, /nonce: randomBytes\(16\)/);
    assert.doesNotMatch(source, /<html|<script/);
  });
});
