/** What a mention can attach besides files, folders and symbols. */
export type MentionSource = 'selection' | 'problems' | 'fileProblems' | 'changes' | 'terminal';

/** Where the name of a symbol stands in a file; both 1-based. */
export interface SymbolPlace {
  path: string;
  name: string;
  line: number;
  column: number;
}

/** A line of the list that `@` opens. `place`: the folder of a file as it is shown, else a word about what would be attached. */
export type MentionItem =
  | { kind: 'file' | 'folder'; name: string; place: string; path: string; open?: boolean }
  /** `icon`: a codicon; `place`: what it is part of, and its file. */
  | ({ kind: 'symbol'; place: string; icon: string } & SymbolPlace)
  /** Leads to the symbols alone. */
  | { kind: 'symbols'; name: string; place: string }
  | { kind: MentionSource; name: string; place: string };

/** What a mention begins with whose list has symbols alone. */
export const SYMBOL_MARK = '#';

/** Most lines of the list. */
export const MAX_MENTIONS = 50;

/** Where a mention stands in a text, and what was typed of it. */
export interface TypedMention {
  /** Index of the `@`. */
  from: number;
  /** Index after the last character, which is the caret. */
  to: number;
  query: string;
}

/** The mention that is being typed at the caret; an `@` inside a word, as in an address, begins none. */
export function mentionAt(text: string, caret: number): TypedMention | undefined {
  const found = /(?<![\w.+-])@([^\s@]*)$/.exec(text.slice(0, caret));
  return found ? { from: found.index, to: caret, query: found[1] ?? '' } : undefined;
}

/** The text without a mention, nor the second of two spaces around it, and where the caret is then. */
export function withoutMention(text: string, { from, to }: TypedMention): { text: string; caret: number } {
  const before = text.slice(0, from);
  const after = text.slice(to);
  const single = /(^|\s)$/.test(before) && after.startsWith(' ') ? after.slice(1) : after;
  return { text: before + single, caret: from };
}

/** What tells a line from the others of its list. */
export function mentionId(item: MentionItem): string {
  if (item.kind === 'symbol') return `symbol ${item.path}:${item.line}:${item.column} ${item.name}`;
  return 'path' in item ? `${item.kind} ${item.path}` : item.kind;
}

/** Points of a file that is open in an editor. */
const OPEN = 150;

/**
 * The items that match what was typed, best first, at most `MAX_MENTIONS`; equal ones keep their order. `best` are those of earlier
 * parts of a list that is ranked in parts.
 */
export function rankMentions(
  query: string,
  items: readonly MentionItem[],
  best: readonly MentionItem[] = [],
): MentionItem[] {
  const wanted = query.replace(/^#/, '').toLowerCase();
  const onlySymbols = query.startsWith(SYMBOL_MARK);
  const scored = [...best, ...items].flatMap((item) => {
    const score = onlySymbols && item.kind !== 'symbol' ? undefined : scoreOf(wanted, item);
    return score === undefined ? [] : [{ item, score }];
  });
  if (wanted !== '') scored.sort((a, b) => b.score - a.score);
  return scored.slice(0, MAX_MENTIONS).map(({ item }) => item);
}

function scoreOf(wanted: string, item: MentionItem): number | undefined {
  if (wanted === '') return 0;
  if (item.kind === 'file' || item.kind === 'folder') {
    const score = matchScore(wanted, item.name, item.place);
    return score === undefined ? undefined : score + (item.open ? OPEN : 0);
  }
  // By its name alone: the names of files are looked for as well, and would bring all symbols in them.
  if (item.kind === 'symbol') return matchScore(wanted, item.name, '');
  // Also by its English name, whatever the language.
  const [name, kind] = [matchScore(wanted, item.name, ''), matchScore(wanted, item.kind, '')];
  return name === undefined && kind === undefined ? undefined : Math.max(name ?? 0, kind ?? 0);
}

/**
 * How well a name in a folder fits what was typed (in lower case); undefined: not at all. A name that is or begins so is before one that
 * contains it, then come paths that contain it, then names and paths that have its characters in this order.
 */
function matchScore(wanted: string, name: string, place: string): number | undefined {
  const lower = name.toLowerCase();
  const shorter = -Math.min(name.length, 90);
  if (lower === wanted) return 1000;
  if (lower.startsWith(wanted)) return 900 + shorter;
  const at = lower.indexOf(wanted);
  if (at > 0) return (isWordStart(name, at) ? 700 : 600) + shorter;
  const path = place === '' ? name : `${place}/${name}`;
  const lowerPath = place === '' ? lower : path.toLowerCase();
  if (lowerPath.includes(wanted)) return 500 - Math.min(path.length, 90);
  const inName = inOrder(wanted, name, lower);
  if (inName !== undefined) return 300 + inName;
  const inPath = inOrder(wanted, path, lowerPath);
  return inPath === undefined ? undefined : 100 + inPath;
}

function isWordStart(text: string, at: number): boolean {
  const before = text[at - 1] ?? '/';
  if (/[^\p{L}\p{N}]/u.test(before)) return true;
  const char = text[at] ?? '';
  return /\p{Lu}/u.test(char) && !/\p{Lu}/u.test(before);
}

/** How well the characters follow each other, 0 to 99; undefined where one is missing. */
function inOrder(wanted: string, text: string, lower: string): number | undefined {
  let good = 0;
  let last = -1;
  for (const char of wanted) {
    const at = lower.indexOf(char, last + 1);
    if (at < 0) return undefined;
    // Lower case can be longer than the text; then the case says nothing.
    if (at === last + 1 || (lower.length === text.length && isWordStart(text, at))) good++;
    last = at;
  }
  return Math.round((99 * good) / wanted.length);
}

/** A file of the workspace: `folder` is the absolute path of its workspace folder, `path` is below it, by `/`. */
export interface WorkspaceFile {
  folder: string;
  /** The name of the workspace folder where there are several, else empty. */
  label: string;
  path: string;
}

/** The files and all folders above them as items: what lies near the top first, then by name. */
export function workspaceItems(files: readonly WorkspaceFile[]): MentionItem[] {
  const items = new Map<string, { item: MentionItem; depth: number }>();
  const add = (kind: 'file' | 'folder', { folder, label, path }: WorkspaceFile): void => {
    const separator = folder.includes('\\') ? '\\' : '/';
    const absolute = `${folder.replace(/[\\/]$/, '')}${separator}${path.replaceAll('/', separator)}`;
    const cut = path.lastIndexOf('/');
    const parent = path.slice(0, Math.max(cut, 0));
    if (items.has(absolute)) return;
    const place = [label, parent].filter(Boolean).join('/');
    const item: MentionItem = { kind, name: path.slice(cut + 1), place, path: absolute };
    items.set(absolute, { item, depth: path.split('/').length });
    if (parent !== '') add('folder', { folder, label, path: parent });
  };
  for (const file of files) add('file', file);
  return [...items.values()]
    .sort(
      (a, b) => a.depth - b.depth || compare(a.item.place, b.item.place) || compare(a.item.name, b.item.name),
    )
    .map(({ item }) => item);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The alternatives of a glob pattern with `{a,b}`, for a search that does not take one brace inside another. */
export function expandBraces(pattern: string): string[] {
  const found = /\{([^{}]*)\}/.exec(pattern);
  if (!found) return [pattern];
  const [whole, inner = ''] = found;
  const [before, after] = [pattern.slice(0, found.index), pattern.slice(found.index + whole.length)];
  // An inner brace is expanded first, which gives the alternatives around it once for each of its own.
  return [...new Set(inner.split(',').flatMap((part) => expandBraces(before + part + after)))];
}
