import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import ts from 'typescript';
import { englishStrings } from '../../../src/core/chat/strings';
import { englishDiagnoseStrings } from '../../../src/core/diagnostics/diagnoseStrings';
import { englishRulesStrings } from '../../../src/core/permission/rulesStrings';
import { englishTrafficStrings } from '../../../src/core/traffic/trafficStrings';

const root = join(import.meta.dirname, '..', '..', '..');

/** The one call whose text is not a literal: it looks up the strings of a page, which are read from there. */
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

/** What is the same in Chinese: signs around what is put in, and what is typed. */
const SAME = new Set(['{0}: {1}', '{0} ({1})', '{0}, {1}', '{0} of {1}', '/tour', 'Parley']);

const isChinese = (text: string): boolean => /\p{Script=Han}/u.test(text);

/** The texts whose Chinese has no Chinese sign in it: they were forgotten, or copied. */
const untranslated = (pairs: readonly (readonly [english: string, chinese: string])[]): string[] =>
  pairs.filter(([english, chinese]) => !SAME.has(english) && !isChinese(chinese)).map(([english]) => english);

/** Chinese texts with a sign of European width behind a Chinese one. */
const halfWidth = (texts: readonly string[]): string[] =>
  texts.filter((text) => isChinese(text) && /[\p{Script=Han}）][,;:?!(]/u.test(text));

/** Keys that a JSON file of texts has twice: the first of them counts for nothing. */
function repeatedKeys(source: string): string[] {
  const keys = [...source.matchAll(/^\s*("(?:[^"\\]|\\.)*"):/gm)].map(
    ([, key]) => JSON.parse(key ?? '""') as string,
  );
  return keys.filter((key, index) => keys.indexOf(key) !== index);
}

const BUNDLE = 'l10n/bundle.l10n.zh-cn.json';
const MANIFEST = ['package.nls.json', 'package.nls.zh-cn.json'] as const;

function assertSamePlaceholders(pairs: Iterable<readonly [english: string, chinese: string]>): void {
  for (const [english, chinese] of pairs) {
    assert.deepEqual(placeholders(chinese), placeholders(english), `placeholders of "${english}"`);
  }
}

describe('the texts at run time', () => {
  const bundle = readTexts(BUNDLE);
  const scanned = hostSources().map((path) => ({ path, ...localisedTexts(readText(path)) }));
  const used = [
    ...scanned.flatMap(({ literals }) => literals),
    ...Object.values(englishStrings),
    ...Object.values(englishRulesStrings),
    ...Object.values(englishTrafficStrings),
    ...Object.values(englishDiagnoseStrings),
  ];

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

  it('are in Chinese all of them, with Chinese punctuation, each once', () => {
    assert.deepEqual(untranslated(Object.entries(bundle)), []);
    assert.deepEqual(halfWidth(Object.values(bundle)), []);
    assert.deepEqual(repeatedKeys(readText(BUNDLE)), []);
    assert.deepEqual(
      untranslated([
        ['Send', 'Send'],
        ['Stop', '停止'],
      ]),
      ['Send'],
    );
    assert.deepEqual(halfWidth(['错误: {0}', '错误：{0}', 'a: b']), ['错误: {0}']);
    assert.deepEqual(repeatedKeys('{\n  "a": "1",\n  "b": "a",\n  "a": "2"\n}'), ['a']);
  });

  it('begin and end with the same blanks in Chinese', () => {
    const differ = Object.entries(bundle).filter(([english, chinese]) =>
      [/^\s*/, /\s*$/].some((edge) => edge.exec(english)?.[0] !== edge.exec(chinese)?.[0]),
    );
    assert.deepEqual(differ, []);
  });
});

describe('the texts of the manifest', () => {
  const english = readTexts(MANIFEST[0]);
  const chinese = readTexts(MANIFEST[1]);
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

  it('are in Chinese all of them, with Chinese punctuation, each once', () => {
    assert.deepEqual(
      untranslated(Object.keys(english).map((key) => [english[key] ?? '', chinese[key] ?? ''])),
      [],
    );
    assert.deepEqual(halfWidth(Object.values(chinese)), []);
    assert.deepEqual(
      MANIFEST.flatMap((file) => repeatedKeys(readText(file))),
      [],
    );
  });
});
