import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Window } from 'happy-dom';
import { MarkdownCommitter } from '../../../src/webview/markdown/committer';
import { createParser } from '../../../src/webview/markdown/parser';
import { TokenRenderer } from '../../../src/webview/markdown/render';
import { corpus, snippets } from './markdownCorpus';

const parser = createParser();
const document = new Window().document as unknown as Document;

function setUp() {
  const container = document.createElement('div');
  const renderer = new TokenRenderer(document, { copyCode: 'Copy code' });
  return { container, renderer, committer: new MarkdownCommitter(container, parser, renderer) };
}

/** What one rendering of the whole text gives. */
function oneShot(text: string): string {
  const { container, renderer } = setUp();
  container.append(renderer.render(parser.parse(text, {})));
  return container.innerHTML;
}

function pieces(text: string, cuts: readonly number[]): string[] {
  const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((start, i) => text.slice(start, at[i] ?? text.length));
}

function stream(text: string, cuts: readonly number[]): string {
  const { container, committer } = setUp();
  for (const piece of pieces(text, cuts)) {
    committer.append(piece);
    committer.flush();
  }
  return container.innerHTML;
}

describe('the Markdown committer', () => {
  for (const [name, text] of Object.entries(corpus)) {
    it(`shows ${name} as one rendering would, character by character`, () => {
      const { container, committer } = setUp();
      for (let i = 0; i < text.length; i++) {
        committer.append(text.charAt(i));
        committer.flush();
        if (i % 7 === 0 || i === text.length - 1)
          assert.equal(container.innerHTML, oneShot(text.slice(0, i + 1)), `after ${i + 1} characters`);
      }
    });
  }

  it('gives the DOM of one rendering for any text cut anywhere', () => {
    const text = fc
      .array(fc.constantFrom(...snippets), { minLength: 1, maxLength: 14 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(text, fc.array(fc.nat(2000), { maxLength: 40 }), (source, cuts) => {
        assert.equal(stream(source, cuts), oneShot(source));
      }),
      { numRuns: Number(process.env['PARLEY_RUNS'] ?? 300) },
    );
  });

  it('keeps the nodes of finished blocks', () => {
    const { container, committer } = setUp();
    committer.append('# Title\n\nFirst paragraph.\n\nSecond');
    committer.flush();
    const [title, first] = container.childNodes;
    for (const piece of [' goes on.\n', '\n- a\n', '- b\n\n', 'End']) {
      committer.append(piece);
      committer.flush();
    }
    assert.equal(container.childNodes[0], title);
    assert.equal(container.childNodes[1], first);
    assert.equal(container.childNodes.length, 5);
  });

  it('appends to an open code block instead of drawing it again', () => {
    const { container, committer } = setUp();
    committer.append('```ts\nconst a = 1;\n');
    committer.flush();
    const code = container.querySelector('code');
    committer.append('const b = 2;\n``');
    committer.flush();
    assert.equal(container.querySelector('code'), code);
    assert.equal(code?.textContent, 'const a = 1;\nconst b = 2;\n``');
  });

  it('draws a finished block again when its reference is defined later', () => {
    const { container, committer } = setUp();
    committer.append('See [the guide][g].\n\nNext.\n\nMore.\n\n');
    committer.flush();
    assert.equal(container.querySelector('a'), null);
    committer.append('[g]: https://example.com/guide\n');
    committer.flush();
    assert.equal(container.querySelector('a')?.dataset['href'], 'https://example.com/guide');
  });

  it('makes links only of targets that may be opened', () => {
    const html = oneShot(
      '[a](javascript:alert(1)) [b](command:x) <b>c</b> [d](src/a.ts:3) ![e](https://example.com/p.png)',
    );
    assert.doesNotMatch(html, /<img|<b>|javascript:alert\(1\)"|data-href="command/);
    assert.match(html, /data-href="src\/a\.ts:3"/);
    assert.match(html, /data-href="https:\/\/example\.com\/p\.png"[^>]*>e</);
  });
});
