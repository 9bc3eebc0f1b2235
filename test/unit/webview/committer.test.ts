import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Window } from 'happy-dom';
import { MarkdownCommitter } from '../../../src/webview/markdown/committer';
import { createParser } from '../../../src/webview/markdown/parser';
import { TokenRenderer } from '../../../src/webview/markdown/render';
import { codeLabels } from '../../support/codeLabels';
import { corpus, snippets, wholeBlocks } from './markdownCorpus';

const parser = createParser();
const document = new Window().document as unknown as Document;

function setUp() {
  const container = document.createElement('div');
  const renderer = new TokenRenderer(document, codeLabels);
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

const PARTS = 'h1, h2, ul:not(li ul) > li, ol > li, tr, code > div';

/** How many of the nodes that a text so far shows are finished: those before its last lines. */
function finishedNodes(sofar: string): number {
  const { container, renderer } = setUp();
  container.append(renderer.render(parser.parse(sofar.split('\n').slice(0, -4).join('\n'), {})));
  return Math.max(0, container.querySelectorAll(PARTS).length - 1);
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
      { numRuns: Number(process.env['PARLEY_RUNS'] ?? 200) },
    );
  }).timeout(60_000);

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

  it('keeps the nodes of finished blocks, items, rows and lines to the end, however the text is cut', () => {
    const part = fc.constantFrom(...wholeBlocks);
    const text = fc.array(part, { minLength: 1, maxLength: 8 }).map((all) => all.join('\n'));
    fc.assert(
      fc.property(text, fc.array(fc.nat(2000), { maxLength: 12 }), (source, cuts) => {
        const { container, committer } = setUp();
        const kept: Element[] = [];
        let sofar = '';
        for (const piece of pieces(source, cuts)) {
          sofar += piece;
          committer.append(piece);
          committer.flush();
          kept.push(...[...container.querySelectorAll(PARTS)].slice(0, finishedNodes(sofar)));
        }
        for (const node of kept) assert.ok(container.contains(node), node.outerHTML);
        assert.equal(container.innerHTML, oneShot(source));
      }),
      { numRuns: Number(process.env['PARLEY_RUNS'] ?? 80) },
    );
  }).timeout(60_000);

  it('keeps the items of a list that becomes loose, and puts their text in paragraphs', () => {
    const { container, committer } = setUp();
    committer.append('- a **b**\n- c\n  - d\n- e\n');
    committer.flush();
    const items = [...container.querySelectorAll('ul:first-child > li')];
    const bold = container.querySelector('strong');
    committer.append('\n- f\n- g\n');
    committer.flush();
    const now = container.querySelectorAll('ul:first-child > li');
    assert.ok(now[0] === items[0] && now[1] === items[1]);
    assert.equal(container.querySelector('li > p > strong'), bold);
    assert.equal(container.querySelectorAll('li > p').length, 5);
  });

  it('keeps the lines of a code block when it ends', () => {
    const { container, committer } = setUp();
    committer.append('```ts\n' + 'const a = 1;\n'.repeat(100));
    committer.flush();
    const lines = [...container.querySelectorAll('code > div')];
    for (const piece of ['last\n``', '`', '\n', '\nText\n\nmore']) {
      committer.append(piece);
      committer.flush();
    }
    const boxes = [...container.querySelectorAll('code > div')];
    assert.ok(boxes.length === lines.length && boxes.every((box, at) => box === lines[at]));
    assert.equal(container.querySelector('code')?.textContent, `${'const a = 1;\n'.repeat(100)}last\n`);
  });

  it('draws a finished item and a table header again when their reference is defined later', () => {
    const { container, committer } = setUp();
    const text =
      '- a [g]\n- b\n- c\n\nText\n\n| [g] | x |\n|---|---|\n| 1 | 2 |\n| [g] | 2 |\n| 3 |\n| 4 |\n';
    for (const piece of [text, '\n\nText\n\n', '[g]: https://example.com/guide\n']) {
      committer.append(piece);
      committer.flush();
    }
    assert.equal(container.querySelectorAll('li a, th a, td a').length, 3);
  });

  it('shows a table whose short rows are too many as one rendering would', function () {
    this.timeout(60_000);
    const { container, committer } = setUp();
    const text = `|${'h|'.repeat(1000)}\n|${'-|'.repeat(1000)}\n`;
    for (const piece of [text, '|x\n'.repeat(40), '|x\n'.repeat(40)]) {
      committer.append(piece);
      committer.flush();
    }
    const expected = oneShot(text + '|x\n'.repeat(80));
    assert.ok(expected.includes('<p>|x'));
    assert.ok(container.innerHTML === expected);
  });

  it('parses only the end of a long list, table or code block', () => {
    const blocks = {
      list: '- item\n'.repeat(2000),
      table: '| a |\n|---|\n' + '| b |\n'.repeat(2000),
      fence: '```\n' + 'line\n'.repeat(2000),
    };
    for (const [name, text] of Object.entries(blocks)) {
      const { committer } = setUp();
      committer.append(text);
      committer.flush();
      assert.ok(committer.openLength < 100, `${name}: ${committer.openLength}`);
    }
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
