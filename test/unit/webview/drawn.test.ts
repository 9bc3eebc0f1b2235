import assert from 'node:assert/strict';
import { Cache } from '../../../src/webview/markdown/drawn/cache';
import { isSmallDiagram } from '../../../src/webview/markdown/drawn/diagramSize';
import { drawFormula } from '../../../src/webview/markdown/drawn/drawFormula';
import { plainPath } from '../../../src/webview/markdown/drawn/pictures';
import { plainSource } from '../../../src/webview/markdown/drawn/plainSource';
import { loadPart, providePart } from '../../../src/webview/lazy';

describe('what is kept drawn', () => {
  it('is what was used last, so many at most', () => {
    const cache = new Cache<number>(2);
    cache.set('a', 1);
    cache.set('b', 2);
    assert.equal(cache.get('a'), 1);
    cache.set('c', 3);
    assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [1, undefined, 3]);
  });

  it('weighs no more than allowed together; what is too heavy alone is not kept', () => {
    const cache = new Cache<number>(10, 100);
    cache.set('a', 1, 60);
    cache.set('b', 2, 60);
    assert.deepEqual([cache.get('a'), cache.get('b')], [undefined, 2]);
    cache.set('b', 3, 30);
    cache.set('c', 4, 70);
    assert.deepEqual([cache.get('b'), cache.get('c')], [3, 4]);
    cache.set('d', 5, 101);
    assert.deepEqual([cache.get('b'), cache.get('c'), cache.get('d')], [undefined, undefined, undefined]);
  });
});

describe('a diagram', () => {
  const chain = (count: number): string =>
    ['flowchart LR', ...Array.from({ length: count }, (_, at) => `  n${at} --> n${at + 1}`)].join('\n');

  it('is drawn unasked while it is small: by its lines, its characters and its connections', () => {
    assert.equal(isSmallDiagram(chain(59)), true);
    assert.equal(isSmallDiagram(`${chain(59)}\n`), true, 'a line end ends a line');
    assert.equal(isSmallDiagram(chain(60)), false);
    assert.equal(isSmallDiagram(chain(60).replaceAll('\n', ';')), false, 'in one line');
    assert.equal(
      isSmallDiagram(`flowchart LR\n${'a --> b --> '.repeat(31)}c`),
      false,
      'connections in one line',
    );
    assert.equal(isSmallDiagram(`flowchart LR\n  a & ${'b & '.repeat(60)}c --> d`), false);
    assert.equal(isSmallDiagram(`pie title ${'x'.repeat(4_096)}`), false);
  });

  it('is not drawn unasked where a number in it says how large it is', () => {
    for (const source of [
      'packet-beta\n  0-99999999: "x"',
      '%%{init: {}}%%packet\n  0-99999999: "x"',
      'block-beta\n  space:99999999',
      'block columns 2\n  space:99999999',
      'radar-beta\n  axis a, b\n  ticks 99999999',
      'gantt\n  excludes weekends\n  Task :a1, 1026-01-01, 2026-01-01',
    ])
      assert.equal(isSmallDiagram(source), false, source);
    for (const source of [
      'flowchart LR\n  block --> radar\n  packets --> b',
      'gantt\n  A :a1, 2026-01-01, 3d',
    ])
      assert.equal(isSmallDiagram(source), true, source);
  });

  it('loses tags with attributes and settings, in a time that grows with its length', () => {
    assert.equal(plainSource('A["a <img src=x onerror=y>b <br/> 1 < 2"]'), 'A["a b <br/> 1 < 2"]');
    assert.equal(plainSource('%%{init: {}}%%pie'), 'pie');
    assert.equal(plainSource('---\ntitle: T\nconfig: x\n---\npie'), '---\ntitle: T\n---\npie');
    const start = performance.now();
    plainSource(`<a ${'='.repeat(200_000)}`);
    assert.ok(performance.now() - start < 2_000);
  });
});

describe('a formula', () => {
  it('is not drawn where it defines macros, which multiply it', () => {
    const definitions = [
      `\\def\\a{${'x'.repeat(3_900)}}${'\\a'.repeat(490)}`,
      '\\gdef\\a{x}\\a',
      '\\edef\\a{x}\\a',
      '\\xdef\\a{x}\\a',
      '\\global\\def\\a{x}\\a',
      '\\let\\a=\\b \\a',
      '\\futurelet\\a\\b c',
      '\\newcommand\\a{x}\\a',
      '\\renewcommand{\\frac}{x}',
      '\\providecommand\\a{x}\\a',
    ];
    for (const tex of definitions)
      assert.throws(() => drawFormula(tex, true), /define macros/, tex.slice(0, 40));
    for (const tex of ['\\begin{matrix} a \\\\def \\end{matrix}', '\\left( x \\right)', 'a\\,b\\;c \\ne d'])
      assert.match(drawFormula(tex, true), /<math/, tex);
  });

  it('is not drawn where it becomes too much for the page', () => {
    const cells = (count: number): string => `\\begin{matrix}${'&'.repeat(count)}\\end{matrix}`;
    assert.match(drawFormula(cells(100), true), /<mtd/);
    assert.throws(() => drawFormula(cells(4_900), true), /too large/);
  });
});

describe('the path of a picture', () => {
  const cases = {
    'a.png': ['a.png', './a.png', '././a.png', 'b/../a.png', './/a.png', 'b//../a.png'],
    '/a/b.png': ['/a/b.png', '/a//b.png', '/a/./c/../b.png', '/../a/b.png'],
    '../a.png': ['../a.png', './../a.png', 'b/../../a.png'],
    '../../a.png': ['../../a.png'],
  };
  for (const [plain, spellings] of Object.entries(cases))
    it(`is ${plain} however it is spelt`, () => {
      for (const spelling of spellings) assert.equal(plainPath(spelling), plain, spelling);
    });
});

describe('a part of the page that is loaded when it is needed', () => {
  it('says which one can not be loaded', async () => {
    providePart('katex', () => '');
    await assert.rejects(loadPart('katex'), /katex\.js could not be loaded/);
    assert.equal(loadPart('katex'), loadPart('katex'), 'it is asked for once');
    await loadPart('katex').catch(() => undefined);
  });
});
