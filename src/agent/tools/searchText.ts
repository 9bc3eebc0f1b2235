import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { asString } from '../../core/json';
import { readText } from '../access/files';
import { realPathInside, resolveInside, shownPath } from '../access/paths';
import { fenced } from '../markdown';
import { requiredString, textContent, ToolFailure, type Tool } from './tool';

const MAX_MATCHES = 100;
const MAX_FILES = 20_000;
const MAX_LINE = 200;
/** Folders that hold no text of the person's own. */
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['.git', 'node_modules']);

interface Match {
  path: string;
  line: number;
  text: string;
}

/** `search_text {text, path?}`: lines that hold a text, in upper or lower case, as `path:line: text`. */
export const searchText: Tool = {
  name: 'search_text',
  kind: 'search',
  changes: false,
  start: (input, cwd) => {
    const text = requiredString(input, 'text');
    if (text === '') throw new ToolFailure('There is nothing to search for.');
    const path = resolveInside(cwd, asString(input['path']) ?? '.');
    const where = shownPath(cwd, path);
    return {
      title: `Search for "${text}"${where === '.' ? '' : ` in ${where}`}`,
      run: async ({ signal }) => {
        const matches = await search(await realPathInside(cwd, path), text, signal);
        const root = await realPathInside(cwd, cwd);
        const lines = matches.map((match) => `${shownPath(root, match.path)}:${match.line}: ${match.text}`);
        const output = lines.join('\n');
        return { output, content: [textContent(output === '' ? 'Nothing was found.' : fenced(output))] };
      },
    };
  },
};

async function search(root: string, text: string, signal: AbortSignal): Promise<Match[]> {
  const wanted = text.toLowerCase();
  const matches: Match[] = [];
  let files = 0;
  for await (const path of filesBelow(root)) {
    signal.throwIfAborted();
    if (++files > MAX_FILES || matches.length >= MAX_MATCHES) break;
    // A file that is no text or cannot be read holds nothing to find.
    const content = await readText(path).catch(() => '');
    matches.push(...matchesIn(path, content, wanted));
  }
  return matches.slice(0, MAX_MATCHES);
}

function matchesIn(path: string, content: string, wanted: string): Match[] {
  if (!content.toLowerCase().includes(wanted)) return [];
  return content
    .split(/\r?\n/)
    .map((text, index) => ({ path, line: index + 1, text: text.trim().slice(0, MAX_LINE) }))
    .filter(({ text }) => text.toLowerCase().includes(wanted));
}

/** The files below a folder in the order of their names. Links are not followed, as they may lead out or in circles. */
async function* filesBelow(path: string): AsyncGenerator<string> {
  if ((await stat(path)).isFile()) {
    yield path;
    return;
  }
  const entries = await readdir(path, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const child = join(path, entry.name);
    if (entry.isFile()) yield child;
    else if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) yield* filesBelow(child);
  }
}
