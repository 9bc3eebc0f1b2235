import assert from 'node:assert/strict';
import type { Token } from 'markdown-it';
import { createParser } from '../../../src/webview/markdown/parser';

const parser = createParser();

const inline = (text: string): Token[] => parser.parse(text, {}).flatMap(({ children }) => children ?? []);

/** Targets of the links of a text. */
const links = (text: string): string[] =>
  inline(text)
    .filter(({ type }) => type === 'link_open')
    .map((token) => String(token.attrGet('href')));

const formulas = (text: string): string[] =>
  parser
    .parse(text, {})
    .flatMap((token) => [token, ...(token.children ?? [])])
    .filter(({ type }) => type.startsWith('math_'))
    .map(({ type, content, markup }) => `${type === 'math_block' ? 'block ' : ''}${markup} ${content}`);

describe('paths in messages', () => {
  const found: readonly (readonly [string, ...string[]])[] = [
    ['see src/a.ts:12.', 'src/a.ts:12'],
    ['src/a.ts:12:5: error (at ./b.py:3-9)', 'src/a.ts:12:5', './b.py:3-9'],
    ['main.go:7, lib/x.unknown:8', 'main.go:7', 'lib/x.unknown:8'],
    ['src/a.ts#L10-L20; C:\\src\\b.cs:9', 'src/a.ts#L10-L20', 'C:\\src\\b.cs:9'],
    ['见src/a.ts:12。', 'src/a.ts:12'],
    ['**/abs/a.ts:1** and ../up/b\\_c.ts:2', '/abs/a.ts:1', '../up/b_c.ts:2'],
    [
      '`src/a.ts` `src/a.ts:12` `a.ts:3` `./x/Makefile:4` `app/[id]/page.tsx`',
      'src/a.ts',
      'src/a.ts:12',
      'a.ts:3',
      './x/Makefile:4',
      'app/[id]/page.tsx',
    ],
    ['`文件夹/a.ts` `src\\a.cs`', '文件夹/a.ts', 'src\\a.cs'],
    ['[`src/a.ts:1`](b.ts) [src/a.ts:2](c.ts)', 'b.ts', 'c.ts'],
    ['https://example.com/src/a.ts:12', 'https://example.com/src/a.ts:12'],
  ];
  for (const [text, ...targets] of found)
    it(`are links in ${text}`, () => assert.deepEqual(links(text), targets));

  const plain = [
    'src/a.ts and package.json',
    'localhost:3000, example.com:80, 10.30:15 and 1.5:3',
    'http:a.ts:1 éa/b.ts:1 $DIR/a.ts:1 ~/a.ts:1 **/*.ts:1',
    'a.ts:1x src/a.ts:12/b src/a.ts:1#x',
    '`package.json` `a/b` `application/json` `src/**/*.ts` `npm run a/b.ts` `x.ts` `12/5:1` `localhost:3000` `a.b()` `src/`',
    '    src/a.ts:12 in code',
    'command:parley.openChat `command:x/a.ts:1` vscode:x/a.ts:1 javascript:a/b.js:1 `javascript:a/b.js:1`',
    '[a](command:x) [b](javascript:1) [c](vscode://file/a.ts:1) <vscode:x> <command:x>',
    `a${'/a'.repeat(300)}.ts:1`,
  ];
  for (const text of plain)
    it(`are no links in ${text.slice(0, 60)}`, () => assert.deepEqual(links(text), []));

  it('are found in time that does not grow faster than the text', () => {
    for (const part of ['a/', 'a.', 'a', './', 'a.ts:', 'a.ts:1:', '/a', '[a/']) {
      const text = part.repeat(20_000);
      const start = performance.now();
      links(text);
      links(`\`${text}\``);
      assert.ok(performance.now() - start < 3_000, part);
    }
  }).timeout(30_000);
});

describe('formulas in messages', () => {
  const found: readonly (readonly [string, ...string[]])[] = [
    ['$x$ and $a_b$ *c*_d_', '$ x', '$ a_b'],
    ['the $n$th, $(n)$-th and $n$s', '$ n', '$ (n)', '$ n'],
    ['\\(x\\) \\[ y_1 \\]', '\\( x', '\\[ y_1'],
    ['a $$x$$ b', '$$ x'],
    ['a\n$$x\ny$$\nb', 'block $$ x\ny'],
    ['$$\nx\n$$\n\\[\ny\n\\]', 'block $$ x', 'block \\[ y'],
    ['- $$\n  x\n  $$\n> $$ y $$', 'block $$ x', 'block $$ y'],
    ['| $a$ | b |\n|---|---|\n| \\(c\\) | d |', '$ a', '\\( c'],
    ['$\\$5$', '$ \\$5'],
    ['$a\\\\$', '$ a\\\\'],
  ];
  for (const [text, ...all] of found)
    it(`are found in ${JSON.stringify(text)}`, () => assert.deepEqual(formulas(text), all));

  const plain = [
    '$5 and $10, $5-$10, US$ 5 for $ x $',
    '$HOME/$USER and $A$B, $PATH to $FOO',
    'cost \\$x$ and $x\\$',
    '`$x$` and $`x`$ ```$y$```',
    '    $x$',
    '```\n$$\nx\n$$\n```',
    '$$ open\n\nx $$',
    '\\[1\\] a\n\\[ b',
    '$a\n\nb$',
    '$$$$ $$ $$$',
    `$${'x'.repeat(6_000)}$`,
  ];
  for (const text of plain)
    it(`are none in ${JSON.stringify(text.slice(0, 60))}`, () => {
      const all = formulas(text);
      assert.deepEqual(all, text.startsWith('\\[1') ? ['\\[ 1'] : []);
    });

  it('are found in time that does not grow faster than the text', () => {
    for (const part of ['$', '$a ', '\\(', '\\(a ', '$$a ', '\\[a\n', '$$\n', '- $$\n']) {
      const start = performance.now();
      formulas(part.repeat(20_000));
      assert.ok(performance.now() - start < 4_000, part);
    }
  }).timeout(60_000);
});
