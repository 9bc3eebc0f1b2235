import { lstat, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInside } from '../../core/files/containment';
import { ToolFailure } from '../tools/tool';

const windows = process.platform === 'win32';
const NAMES = { windows, ignoreCase: windows };

/** The folders of a session; absolute paths (SE-24). */
export interface Workspace {
  /** The base of relative paths. */
  readonly cwd: string;
  /** Further folders that tools may use; they leave none of them. */
  readonly additionalDirectories: readonly string[];
}

/** The absolute path for what was typed: relative to the first folder, absolute, or a `file:` URI. Outside of the folders is a failure. */
export function resolveInside(workspace: Workspace, typed: string): string {
  if (typed.includes('\0')) throw new ToolFailure('The path holds a character that no path can have.');
  const path = resolve(workspace.cwd, typed.startsWith('file:') ? toPath(typed) : typed);
  if (!foldersOf(workspace).some((folder) => isInside(path, resolve(folder), NAMES)))
    throw outside(workspace, typed);
  return path;
}

/**
 * The real path of a file or folder, which may not exist yet; links that lead out of the folders are a failure. Names alone are not
 * enough for the agent's own access (SE-24).
 */
export async function realPathInside(workspace: Workspace, path: string): Promise<string> {
  return (await realPlaceOf(workspace, path)).real;
}

/** The names from a folder of the session to a file or folder: as it was typed, and where it really is. */
export async function namesBelow(workspace: Workspace, path: string): Promise<readonly string[]> {
  const folder = foldersOf(workspace).find((one) => isInside(path, resolve(one), NAMES));
  const typed = folder === undefined ? path : relative(folder, path);
  // What is not there has no other name; what leads out is refused by whoever uses it.
  const place = await realPlaceOf(workspace, path).catch(() => undefined);
  return [typed, place ? relative(place.root, place.real) : ''].flatMap((below) => below.split(sep));
}

async function realPlaceOf(workspace: Workspace, path: string): Promise<{ real: string; root: string }> {
  const real = await realPathOf(path, shownPath(workspace, path));
  for (const folder of foldersOf(workspace)) {
    // A folder that is not there holds nothing.
    const root = await realpath(folder).catch(() => undefined);
    if (root !== undefined && isInside(real, root, NAMES)) return { real, root };
  }
  throw outside(workspace, shownPath(workspace, path));
}

/** A path as it can be typed: relative to the first folder, with slashes; absolute in another one. */
export function shownPath({ cwd }: Pick<Workspace, 'cwd'>, path: string): string {
  const isBelow = isInside(path, resolve(cwd), NAMES);
  const shown = (isBelow ? relative(cwd, path) : path).split(sep).join('/');
  return shown === '' ? '.' : shown;
}

/** The folders of a session, the base of relative paths first. */
export function foldersOf({ cwd, additionalDirectories }: Workspace): readonly string[] {
  return [cwd, ...additionalDirectories];
}

/** True for a path that is a folder or below it, by names. */
export function isBelow(path: string, folder: string): boolean {
  return isInside(path, folder, NAMES);
}

/** True for an absolute path of this platform. */
export function isAbsoluteHere(path: unknown): path is string {
  return typeof path === 'string' && isAbsolute(path);
}

async function realPathOf(path: string, shown: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error;
    // Written to, it would make a file wherever it leads.
    if (await lstat(path).catch(() => undefined))
      throw new ToolFailure(`"${shown}" is a link to what does not exist, or lies behind one.`);
    return join(await realPathOf(parent, shown), path.slice(parent.length));
  }
}

function toPath(uri: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    throw new ToolFailure(`"${uri}" is not a path.`);
  }
}

function outside({ additionalDirectories }: Workspace, typed: string): ToolFailure {
  const where = additionalDirectories.length > 0 ? "session's folders" : "session's folder";
  return new ToolFailure(`"${typed}" is outside of the ${where}.`);
}
