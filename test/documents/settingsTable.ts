import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '..', '..');

export type Language = 'en' | 'zh-cn';

/** The documents that have the table, with the language of each. */
export const TABLES: Readonly<Record<string, Language>> = { 'README.md': 'en', 'README.zh-cn.md': 'zh-cn' };

const BEGIN = '<!-- settings: begin -->';
const END = '<!-- settings: end -->';
const HEADS: Readonly<Record<Language, string>> = {
  en: '| Setting | By default | What it does |',
  'zh-cn': '| 设置 | 默认值 | 作用 |',
};

interface Setting {
  default: unknown;
  enum?: string[];
  description?: string;
  markdownDescription?: string;
}

interface Manifest {
  contributes: { configuration: { properties: Record<string, Setting> } };
}

/** A file of the repository as text, by its path from the root. */
export const readDocument = (path: string): string => readFileSync(join(repository, path), 'utf8');

const parse = (path: string): unknown => JSON.parse(readDocument(path));

/** The names and descriptions of settings in the manifest, as a table of Markdown. */
export function settingsTable(language: Language): string {
  const { contributes } = parse('package.json') as Manifest;
  const texts = parse(language === 'en' ? 'package.nls.json' : `package.nls.${language}.json`) as Record<
    string,
    string
  >;
  const rows = Object.entries(contributes.configuration.properties).map(([name, setting]) => {
    const key = (setting.markdownDescription ?? setting.description ?? '').replaceAll('%', '');
    const text = (texts[key] ?? '').replace(/\s+/g, ' ').replaceAll('|', '\\|');
    const choices = (setting.enum ?? []).filter(Boolean).map((choice) => `\`${choice}\``);
    const value = `\`${JSON.stringify(setting.default)}\``;
    return `| \`${name}\` | ${value} | ${text}${choices.length > 0 ? ` (${choices.join(', ')})` : ''} |`;
  });
  return [HEADS[language], '| --- | --- | --- |', ...rows].join('\n');
}

/**
 * The document with the table of today between its markers.
 *
 * @throws Error where the markers are missing.
 */
export function withTable(document: string, language: Language): string {
  const [from, to] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`The document needs ${BEGIN} and ${END}.`);
  return `${document.slice(0, from)}${BEGIN}\n\n${settingsTable(language)}\n\n${document.slice(to)}`;
}
