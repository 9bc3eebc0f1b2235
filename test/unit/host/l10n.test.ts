import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import ts from 'typescript';
import { englishStrings } from '../../../src/core/chat/strings';

const root = join(import.meta.dirname, '..', '..', '..');

/** The one call whose text is not a literal: it looks up `englishStrings`, which are read from there. */
const LOOKS_UP_THE_PAGE = 'src/host/chat/webviewHtml.ts';

type Texts = Record<string, string>;

const readText = (path: string): string => readFileSync(join(root, path), 'utf8');
const readTexts = (path: string): Texts => JSON.parse(readText(path)) as Texts;

const hostSources = (): string[] => [
  'src/extension.ts',
  ...readdirSync(join(root, 'src/host'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')),
];

/** The first arguments of `vscode.l10n.t(…)` and `t(…)` in a source; the other ones than literals apart. */
function localisedTexts(source: string): { literals: string[]; others: string[] } {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest);
  const literals: string[] = [];
  const others: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(vscode\.l10n\.|l10n\.)?t$/.test(node.expression.getText(file))) {
      const [first] = node.arguments;
      if (first && ts.isStringLiteralLike(first)) literals.push(first.text);
      else others.push(node.getText(file));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { literals, others };
}

const placeholders = (text: string): string[] => [...new Set(text.match(/\{\d+\}/g))].sort();
const without = (texts: Iterable<string>, known: Iterable<string>): string[] => {
  const set = new Set(known);
  return [...new Set(texts)].filter((text) => !set.has(text)).sort();
};

function assertSamePlaceholders(pairs: Iterable<readonly [english: string, chinese: string]>): void {
  for (const [english, chinese] of pairs) {
    assert.deepEqual(placeholders(chinese), placeholders(english), `placeholders of "${english}"`);
  }
}

describe('the texts at run time', () => {
  const bundle = readTexts('l10n/bundle.l10n.zh-cn.json');
  const scanned = hostSources().map((path) => ({ path, ...localisedTexts(readText(path)) }));
  const used = [...scanned.flatMap(({ literals }) => literals), ...Object.values(englishStrings)];

  it('are found in the sources whatever their quotes', () => {
    const source = String.raw`t('it\'s "{0}"', x); vscode.l10n.t("can't", t(${'`'}plain${'`'})); s.t('no'); t(name)`;
    assert.deepEqual(localisedTexts(source), {
      literals: [`it's "{0}"`, "can't", 'plain'],
      others: ['t(name)'],
    });
    assert.ok(scanned.some(({ literals }) => literals.length > 0));
  });

  it('are literals, so that they can be found', () => {
    const others = scanned.filter(({ path }) => path !== LOOKS_UP_THE_PAGE).flatMap((file) => file.others);
    assert.deepEqual(others, []);
  });

  it('have a Chinese text each', () => {
    assert.deepEqual(without(used, Object.keys(bundle)), []);
    assert.deepEqual(
      Object.keys(bundle).filter((english) => bundle[english]?.trim() === ''),
      [],
    );
  });

  it('use every text of the Chinese bundle', () => {
    assert.deepEqual(without(Object.keys(bundle), used), []);
  });

  it('have the same placeholders in Chinese', () => {
    assertSamePlaceholders(Object.entries(bundle));
  });
});

describe('the texts of the manifest', () => {
  const english = readTexts('package.nls.json');
  const chinese = readTexts('package.nls.zh-cn.json');
  const named = [...readText('package.json').matchAll(/"%([^"%]+)%"/g)].flatMap(([, key]) => key ?? []);

  it('have the same keys in English and Chinese', () => {
    assert.deepEqual(Object.keys(chinese).sort(), Object.keys(english).sort());
  });

  it('exist for every %key% of package.json', () => {
    assert.deepEqual(without(named, Object.keys(english)), []);
  });

  it('are all named in package.json', () => {
    assert.deepEqual(without(Object.keys(english), named), []);
  });

  it('have the same placeholders in Chinese', () => {
    assertSamePlaceholders(Object.keys(english).map((key) => [english[key] ?? '', chinese[key] ?? '']));
  });
});
