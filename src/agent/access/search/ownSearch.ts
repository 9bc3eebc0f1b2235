import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { ToolFailure } from '../../tools/tool';
import { readText } from '../files';
import { isIgnored, levelsAbove, levelsIn, type IgnoreLevel } from './gitIgnore';
import {
  SKIPPED_FOLDERS,
  type FileFilter,
  type FileSearch,
  type FoundLine,
  type FoundLines,
  type LineQuery,
  type SearchPlace,
} from './search';

/** Searches without another program. It knows no regular expressions: those of JavaScript may take for ever. */
export const ownSearch: FileSearch = { files, lines };

async function* files(
  { folder, file }: SearchPlace,
  filter: FileFilter,
  signal: AbortSignal,
): AsyncGenerator<string> {
  if (file !== undefined) {
    if (filter.takes(file)) yield file;
    return;
  }
  for await (const path of filesBelow(folder, await levelsAbove(folder), signal)) {
    const below = relative(folder, path).split(sep).join('/');
    if (filter.takes(below)) yield below;
  }
}

async function* filesBelow(
  folder: string,
  above: readonly IgnoreLevel[],
  signal: AbortSignal,
): AsyncGenerator<string> {
  signal.throwIfAborted();
  // A folder that can't be read holds nothing to find.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const levels = await levelsIn(folder, above);
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const isFolder = entry.isDirectory();
    if (isIgnored(levels, path, isFolder)) continue;
    if (entry.isFile()) yield path;
    else if (isFolder && !SKIPPED_FOLDERS.includes(entry.name)) yield* filesBelow(path, levels, signal);
  }
}

async function* lines(place: SearchPlace, query: LineQuery, signal: AbortSignal): AsyncGenerator<FoundLines> {
  if (query.regex)
    throw new ToolFailure(
      'Regular expressions can be searched for on this platform only with run_command; leave "regex" out to search for plain text.',
    );
  for await (const path of files(place, query.filter, signal)) {
    signal.throwIfAborted();
    // A file that is no text or cannot be read holds nothing to find.
    const content = await readText(join(place.folder, path)).catch(() => '');
    const found = linesIn(content, query);
    if (found.length > 0) yield { path, lines: found };
  }
}

function linesIn(content: string, { text, caseSensitive, contextLines }: LineQuery): FoundLine[] {
  const fold = (value: string): string => (caseSensitive ? value : value.toLowerCase());
  const wanted = fold(text);
  if (!fold(content).includes(wanted)) return [];
  const all = content.replace(/\r?\n$/, '').split(/\r?\n/);
  const found = new Map<number, FoundLine>();
  for (const [index, line] of all.entries()) {
    const at = fold(line).indexOf(wanted);
    if (at < 0) continue;
    const first = Math.max(0, index - contextLines);
    for (const [offset, around] of all.slice(first, index + contextLines + 1).entries()) {
      const number = first + offset + 1;
      if (!found.has(number)) found.set(number, { line: number, text: around, at: undefined });
    }
    found.set(index + 1, { line: index + 1, text: line, at });
  }
  return [...found.values()].sort((a, b) => a.line - b.line);
}
