import assert from 'node:assert/strict';
import { compileGlob } from '../../../../src/agent/access/search/glob';
import { filterOf } from '../../../../src/agent/tools/searchPlaces';

/** Each pattern with paths that fit and paths that do not. */
const GLOBS: readonly [pattern: string, fits: readonly string[], others: readonly string[]][] = [
  ['*.ts', ['a.ts', 'x/y/a.ts', '.ts'], ['a.tsx', 'a.ts/b', 'ats']],
  ['src/*.ts', ['src/a.ts'], ['a.ts', 'src/b/a.ts', 'x/src/a.ts']],
  ['src/**/*.ts', ['src/a.ts', 'src/b/c/a.ts'], ['a.ts', 'srcs/a.ts']],
  ['**/test/**', ['test/a', 'x/test/y/a'], ['test', 'tests/a']],
  ['src/**', ['src/a', 'src/.b/c'], ['src', 'x/src/a']],
  ['**', ['a', 'a/b'], []],
  ['a*b*c', ['abc', 'axxbxxc', 'abbcc'], ['ab', 'acb', 'abcd']],
  ['?.md', ['a.md', '\u{1F600}.md'], ['.md', 'ab.md']],
  ['[a-c]x', ['ax', 'cx'], ['dx', '-x', 'x']],
  ['[!a-c]x', ['dx'], ['ax']],
  ['[^a]x', ['bx'], ['ax']],
  ['[]a]x', [']x', 'ax'], ['bx']],
  ['[a', ['[a'], ['a']],
  ['*.{ts,md}', ['a.ts', 'b/a.md'], ['a.js']],
  ['{src,test}/{a,b/**}/c', ['src/a/c', 'test/b/c', 'test/b/x/y/c'], ['src/c', 'test/a/b/c']],
  ['{a,b{c,d}}', ['a', 'bc', 'bd'], ['b', 'ad']],
  ['{a}', ['{a}'], ['a']],
  ['\\*.ts', ['*.ts'], ['a.ts']],
  ['\\{a,b}', ['{a,b}'], ['a']],
  ['a+(b)', ['a+(b)'], ['ab', 'abb']],
  ['!*.ts', ['a.md', 'x/a'], ['a.ts', 'x/a.ts']],
];

describe('globs', () => {
  for (const [pattern, fit, others] of GLOBS) {
    it(`tell what fits ${pattern}`, () => {
      const { takes } = filterOf(pattern);
      for (const path of fit) assert.equal(takes(path), true, path);
      for (const path of others) assert.equal(takes(path), false, path);
    });
  }

  it('take braces as they are where they mean nothing, as in .gitignore', () => {
    const test = compileGlob('{a,b}', { braces: false });
    assert.deepEqual([test?.('{a,b}'), test?.('a')], [true, false]);
  });

  it('take no long time, whatever the pattern and the path are', () => {
    for (const [pattern, path] of [
      [`${'*a'.repeat(300)}b`, 'a'.repeat(255)],
      [`${'**/*a*a*a/'.repeat(80)}b`, `${'aaaaaaaa/'.repeat(400)}c`],
      ['['.repeat(999), '['.repeat(255)],
    ] as const)
      assert.equal(filterOf(pattern).takes(path), false);
    assert.throws(() => filterOf('{a,b}'.repeat(100)), /too many choices/);
  }).timeout(10_000);
});
