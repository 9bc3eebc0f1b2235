import assert from 'node:assert/strict';
import type { Entry } from '../../../src/core/session/state';
import { createMatcher } from '../../../src/webview/find/matcher';
import { shownTexts } from '../../../src/webview/find/plainText';
import { MAX_MATCHES, Search, type Match } from '../../../src/webview/find/search';
import { createParser } from '../../../src/webview/markdown/parser';

const places = (query: string, text: string, matchCase = false): string[] =>
  (createMatcher(query, matchCase)?.places(text) ?? []).map(({ from, to }) => text.slice(from, to));

describe('what is looked for', () => {
  it('is taken letter by letter, but for case and the kind of white space', () => {
    assert.deepEqual(places('a.b', 'a.b axb A.B'), ['a.b', 'A.B']);
    assert.deepEqual(places('a.b', 'a.b axb A.B', true), ['a.b']);
    assert.deepEqual(places('x  y', 'x y x\n\ty xy'), ['x y', 'x\n\ty']);
    assert.deepEqual(places('[(*+?^$|{}\\/-)]', 'see [(*+?^$|{}\\/-)]'), ['[(*+?^$|{}\\/-)]']);
    assert.deepEqual(places('👩‍🚀', 'an 👩‍🚀 and 👩'), ['👩‍🚀']);
    assert.deepEqual(places('修复', '已修复。修 复'), ['修复']);
  });

  it('is nothing where it is only white space', () => {
    assert.equal(createMatcher(' \t', false), undefined);
  });
});

describe('what is searched', () => {
  it('is the text that Markdown shows, by blocks', () => {
    const source =
      '# A *b*\n\nc\nd `e`\n- [f](https://x.y)\n  - g\n\n```ts\nh\n```\n\n| i | j |\n|-|-|\n| k | &amp; |\n';
    assert.deepEqual(shownTexts(createParser(), source), [
      'A b',
      'c\nd e',
      'f',
      'g',
      'h\n',
      'i',
      'j',
      'k',
      '&',
    ]);
  });

  const say = (id: number, text: string): Entry => ({
    kind: 'agent',
    id,
    version: 1,
    turn: 1,
    blocks: [{ type: 'text', text }],
    startedAt: 0,
    lastAt: 0,
  });
  const parsed: string[] = [];
  const searchFor = (query: string): Search => {
    const matcher = createMatcher(query, false);
    assert.ok(matcher);
    parsed.length = 0;
    const markdown = ({ text }: { text: string }): string[] => {
      parsed.push(text);
      return [text];
    };
    return new Search(matcher, { markdown, terminal: () => undefined });
  };

  const run = (search: Search, entries: readonly Entry[]): Match[] => {
    const all: Match[] = [];
    for (const step of search.scan(entries, all)) assert.equal(step, undefined);
    return all;
  };

  it('is read again only where it changed, and not at all where it can hold no match', () => {
    const entries = [say(1, 'one'), say(2, 'two one'), say(3, 'three')];
    const search = searchFor('one');
    assert.deepEqual(
      run(search, entries).map(({ id, nth }) => [id, nth]),
      [
        [1, 0],
        [2, 0],
      ],
    );
    assert.deepEqual(parsed, ['one', 'two one']);
    const [, second] = entries;
    assert.ok(second?.kind === 'agent');
    second.blocks = [{ type: 'text', text: 'one one' }];
    second.version++;
    assert.equal(run(search, entries).length, 3);
    assert.deepEqual(parsed, ['one', 'two one', 'one one']);
  });

  it('is a word also where its source has markup inside of it or writes it in another way', () => {
    const mayShow = (query: string, source: string): boolean | undefined =>
      createMatcher(query, false)?.mayShow(source);
    for (const [query, source] of [
      ['unbelievable', 'un**believ**able'],
      ['unbelievable', 'un[believ](https://x.y/a(b)c)able'],
      ['unbelievable', 'un[believ][one]able'],
      ['café', 'caf&eacute;'],
      ['café', 'caf&#233;'],
      ['café', 'https://x.y/caf%C3%A9'],
    ] as const)
      assert.equal(mayShow(query, source), true, source);
    assert.equal(mayShow('café', '**cafe** [x](café)'), true);
    assert.equal(mayShow('unbelievable', 'un *believ* able & so on'), false);
  });

  it('ends soon after more matches than are counted', () => {
    const entries = Array.from({ length: 100 }, (_, i) => say(i + 1, 'x'.repeat(1000)));
    assert.equal(run(searchFor('x'), entries).length, MAX_MATCHES + 1);
    assert.equal(parsed.length, 10);
  });
});
