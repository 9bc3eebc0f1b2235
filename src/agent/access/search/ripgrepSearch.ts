import { asList, asNumber, asObject, asString, isObject, type JsonObject } from '../../../core/json';
import { MAX_FILE_BYTES } from '../files';
import { ripgrepRecords } from '../ripgrep';
import { gitRootOf } from './gitIgnore';
import {
  SKIPPED_FOLDERS,
  type FileFilter,
  type FileSearch,
  type FoundLine,
  type FoundLines,
  type LineQuery,
  type SearchPlace,
} from './search';

/** Most lines of a file that are held until its end is there. */
const HELD_LINES = 1_000;

/** Searches by ripgrep. */
export function ripgrepSearch(program: string): FileSearch {
  return {
    async *files(place, filter, signal) {
      const args = [...(await walkArgs(place, filter)), '--files', '--null', '--', ...pathArgs(place)];
      const run = { program, args, cwd: place.folder, signal, separator: '\0' } as const;
      for await (const record of ripgrepRecords(run)) {
        const path = belowFolder(record);
        if (filter.takes(path)) yield path;
      }
    },
    async *lines(place, query, signal) {
      const args = [...(await walkArgs(place, query.filter)), ...queryArgs(query), '--', ...pathArgs(place)];
      const run = { program, args, cwd: place.folder, signal, separator: '\n' } as const;
      yield* foundLines(ripgrepRecords(run), query.filter);
    },
  };
}

async function walkArgs({ folder }: SearchPlace, { names }: FileFilter): Promise<string[]> {
  const isInGit = (await gitRootOf(folder)) !== undefined;
  return [
    '--no-config',
    '--no-follow',
    '--no-messages',
    '--hidden',
    '--sort=path',
    // Of the files that name others to ignore, only those of the folder's own repository.
    '--no-ignore-dot',
    '--no-ignore-exclude',
    '--no-ignore-global',
    ...(isInGit ? [] : ['--no-require-git', '--no-ignore-parent']),
    ...SKIPPED_FOLDERS.map((name) => `--glob=!${name}/`),
    // Not by --glob: a file that a glob names is taken whatever .gitignore says.
    ...(names === undefined ? [] : [`--type-add=wanted:${names}`, '--type=wanted']),
  ];
}

function queryArgs({ text, regex, caseSensitive, contextLines }: LineQuery): string[] {
  return [
    '--json',
    `--max-filesize=${MAX_FILE_BYTES}`,
    '--crlf',
    caseSensitive ? '--case-sensitive' : '--ignore-case',
    ...(regex ? ['--engine=default'] : ['--fixed-strings']),
    `--context=${contextLines}`,
    '-e',
    text,
  ];
}

/** With a dot, so that no name is taken for an option. */
function pathArgs({ file }: SearchPlace): string[] {
  return [file === undefined ? './' : `./${file}`];
}

function belowFolder(path: string): string {
  return path.replace(/^\.[\\/]/, '').replaceAll(process.platform === 'win32' ? '\\' : '/', '/');
}

async function* foundLines(records: AsyncIterable<string>, filter: FileFilter): AsyncGenerator<FoundLines> {
  let held: FoundLine[] = [];
  for await (const record of records) {
    const { type, data } = parseRecord(record);
    if (type === 'begin') held = [];
    const path = belowFolder(textOf(data['path']));
    if (type === 'match' || type === 'context') held.push(lineOf(type, data));
    // A file that turns out to be no text has nothing to find.
    const isOver = type === 'end' && asNumber(data['binary_offset']) === undefined;
    if (held.length === 0 || !(isOver || held.length >= HELD_LINES)) continue;
    if (filter.takes(path)) yield { path, lines: held };
    held = [];
  }
}

function parseRecord(record: string): { type: unknown; data: JsonObject } {
  try {
    const { type, data } = asObject(JSON.parse(record));
    return { type, data: asObject(data) };
  } catch {
    return { type: undefined, data: {} };
  }
}

/** Text, or bytes where they are none in UTF-8. */
function textOf(value: unknown): string {
  const { text, bytes } = isObject(value) ? value : {};
  return asString(text) ?? Buffer.from(asString(bytes) ?? '', 'base64').toString('utf8');
}

function lineOf(type: 'match' | 'context', data: JsonObject): FoundLine {
  const text = textOf(data['lines']).replace(/\r?\n$/, '');
  const start = asNumber(asObject(asList(data['submatches'])[0])['start']) ?? 0;
  const at = type === 'match' ? Buffer.from(text).subarray(0, start).toString('utf8').length : undefined;
  return { line: asNumber(data['line_number']) ?? 0, text, at };
}
