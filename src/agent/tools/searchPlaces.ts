import { stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import {
  foldersOf,
  isBelow,
  realPathInside,
  resolveInside,
  shownPath,
  type Workspace,
} from '../access/paths';
import { compileGlob } from '../access/search/glob';
import { ownSearch } from '../access/search/ownSearch';
import { ripgrepSearch } from '../access/search/ripgrepSearch';
import type { FileFilter, FileSearch, SearchPlace } from '../access/search/search';
import { fenced } from '../markdown';
import { withNote } from './bounds';
import { textContent, ToolFailure, type ToolEnvironment, type ToolOutput } from './tool';

/** How long a search may take, in ms; what was found by then is given. */
const TIME_LIMIT = 20_000;

/** A place of a search, and how the person and the model call what is in it. */
export interface ShownPlace extends SearchPlace {
  shown: (path: string) => string;
}

export function searchOf({ ripgrep }: ToolEnvironment): FileSearch {
  return ripgrep === undefined ? ownSearch : ripgrepSearch(ripgrep);
}

/** The place that was typed, for a title; nothing where it is the session's folder. Throws a ToolFailure for one outside. */
export function inPlace(workspace: Workspace, typed: string | undefined): string {
  const where = typed === undefined ? '.' : shownPath(workspace, resolveInside(workspace, typed));
  return where === '.' ? '' : ` in ${where}`;
}

/** What a search gives: its lines with the note, or that there was nothing. */
export function foundOutput(lines: readonly string[], note: string | undefined, nothing: string): ToolOutput {
  const output = lines.join('\n');
  if (output === '') {
    const said = note ?? nothing;
    return { output: withNote('', said), content: [textContent(said)] };
  }
  return {
    output: note === undefined ? output : withNote(output, note),
    content: [textContent(fenced(output) + (note === undefined ? '' : `\n\n${note}`))],
  };
}

/** Where to search: what was typed, or else all folders of the session that are there. */
export async function placesOf(workspace: Workspace, typed: string | undefined): Promise<ShownPlace[]> {
  if (typed !== undefined) return [await placeOf(workspace, resolveInside(workspace, typed))];
  const places: ShownPlace[] = [];
  for (const folder of foldersOf(workspace)) {
    const place = await placeOf(workspace, resolve(folder)).catch(() => undefined);
    if (place && !places.some((other) => isBelow(place.folder, other.folder))) places.push(place);
  }
  return places;
}

async function placeOf(workspace: Workspace, path: string): Promise<ShownPlace> {
  const real = await realPathInside(workspace, path);
  if ((await stat(real)).isFile())
    return { folder: dirname(real), file: basename(real), shown: () => shownPath(workspace, path) };
  return { folder: real, shown: (below) => shownPath(workspace, join(path, below)) };
}

/** Files by a glob, relative to the place; one without a slash is of the name alone, one behind `!` takes all others. Undefined takes all. */
export function filterOf(glob: string | undefined): FileFilter {
  if (glob === undefined) return { takes: () => true };
  const pattern = glob.trim().replace(/^\.\//, '');
  if (isAbsolute(pattern) || /(^|\/)\.\.(\/|$)/.test(pattern))
    throw new ToolFailure(
      `The glob ${JSON.stringify(glob)} leads out: give the folder as "path", and the glob relative to it.`,
    );
  const named = pattern.replace(/^!/, '');
  const test = compileGlob(named.includes('/') ? named : `**/${named}`, { braces: true });
  if (!test) throw new ToolFailure('The glob has too many choices in braces: use several globs.');
  const takes = named === pattern ? test : (path: string) => !test(path);
  const name = pattern.slice(pattern.lastIndexOf('/') + 1);
  // Only what means the same to ripgrep; a pattern that ends with ** is of folders.
  const isPlain = /^[\w.*?-]+$/.test(name) && !name.includes('**');
  return { takes, ...(isPlain ? { names: name } : {}) };
}

/** Works until it is done or the time is over; tells in the latter case what to do. */
export async function withinTime(
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
  limitMs = TIME_LIMIT,
): Promise<string | undefined> {
  const time = AbortSignal.timeout(limitMs);
  try {
    await work(AbortSignal.any([signal, time]));
    return undefined;
  } catch (error) {
    if (signal.aborted || !time.aborted) throw error;
    return `The search was stopped after ${limitMs / 1000} s, so there may be more. Search in a smaller folder by "path".`;
  }
}
