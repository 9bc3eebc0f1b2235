import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readDocument } from './settingsTable';

const repository = join(import.meta.dirname, '..', '..');

/** The documents for people, by their paths from the root. */
export const DOCUMENTS: readonly string[] = [
  'README.md',
  'README.zh-cn.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...readdirSync(join(repository, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  ...readdirSync(join(repository, 'test'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `test/${name}`),
];

/** The blocks of code of a language in a document, without the indent of the block. */
export function blocksOf(document: string, language: string): string[] {
  const pattern = new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\`$`, 'gm');
  return [...readDocument(document).matchAll(pattern)].map(([, indent = '', text = '']) =>
    text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
}

/** The lines to type that a document shows in blocks for the shell, without what follows `#`. */
export function commandsOf(document: string): string[] {
  return blocksOf(document, 'sh')
    .flatMap((block) => block.split('\n'))
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter(Boolean);
}

/** What stands in a document as code within a line. */
export const codeOf = (document: string): string[] =>
  [
    ...readDocument(document)
      .replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
      .matchAll(/`([^`\n]+)`/g),
  ].map(([, code = '']) => code);

/** The names that headings of a document have in links to them. */
export function anchorsOf(document: string): Set<string> {
  const headings = readDocument(document).matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-'),
    ),
  );
}
