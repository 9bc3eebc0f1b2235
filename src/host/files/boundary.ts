import { readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, normalize, resolve } from 'node:path';
import { isInside } from '../../core/files/containment';

/** Links that are followed one after the other; as many as the system follows. */
const MAX_LINKS = 40;

/** How the platform compares paths. */
export const PATH_RULES = {
  windows: process.platform === 'win32',
  ignoreCase: process.platform === 'win32' || process.platform === 'darwin',
};

/** Where a path leads. */
export interface Place {
  /** The path to use: without `..`, links unresolved. Whoever opens it must not use the path as it was given. */
  path: string;
  /** Where it leads in the end; for a file that does not exist, where it would be created. */
  real: string;
}

/** A path that leads outside the roots, or that can't be decided on; `real` is where it leads, if that is known. */
export class OutsideError extends Error {
  constructor(
    message: string,
    readonly real?: string,
  ) {
    super(message);
  }
}

/**
 * Follows an absolute path and checks that it ends inside one of the roots, whose links are followed too (FS-11, SE-24). A path that
 * can't be followed counts as outside.
 *
 * @throws OutsideError
 */
export async function locate(given: string, roots: readonly string[]): Promise<Place> {
  // Editor and system disagree on `link/..`: the names decide, and only the result is ever opened.
  const path = normalize(given);
  const real = await follow(path, 0).catch(() => undefined);
  if (real === undefined) throw new OutsideError('The path could not be resolved.');
  for (const root of roots) {
    // A root that can't be resolved lets nothing in.
    const outer = await realpath(root).catch(() => undefined);
    if (outer !== undefined && isInside(real, outer, PATH_RULES)) return { path, real };
  }
  throw new OutsideError('The path is outside the folders of the session.', real);
}

/**
 * True for an absolute path that names something inside one of the roots, which says nothing of where its links lead. The path itself is
 * not looked for: on Windows its name alone can make the system turn to another machine.
 */
export async function isNamedInside(given: string, roots: readonly string[]): Promise<boolean> {
  const path = normalize(given);
  for (const root of roots) {
    if (isInside(path, normalize(root), PATH_RULES)) return true;
    const real = await realpath(root).catch(() => undefined);
    if (real !== undefined && isInside(path, real, PATH_RULES)) return true;
  }
  return false;
}

/**
 * The folder that a person would have to allow so that a real path may be used: the path itself if it is a folder, else the one that
 * it is in. Undefined where that does not exist, or is a whole file system, which nobody should allow by a click.
 */
export async function folderOf(real: string): Promise<string | undefined> {
  const isFolder = async (path: string): Promise<boolean> =>
    stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
  const folder = (await isFolder(real)) ? real : dirname(real);
  return dirname(folder) !== folder && (await isFolder(folder)) ? folder : undefined;
}

/** Where an absolute path leads, links resolved, whether it exists or not; undefined where it can't be followed. */
export async function whereLeads(path: string): Promise<string | undefined> {
  return follow(normalize(path), 0).catch(() => undefined);
}

/** The real path; of what does not exist yet, the real path of the nearest parent that does, with the rest of the names. */
async function follow(path: string, links: number): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  if (links > MAX_LINKS) throw new OutsideError('Too many links.');
  const parent = dirname(path);
  if (parent === path) throw new OutsideError('The root of the path does not exist.');
  const place = join(await follow(parent, links), basename(path));
  // A link to what does not exist: writing through it would create the target.
  const target = await readlink(place).catch(() => undefined);
  return target === undefined ? place : follow(resolve(dirname(place), target), links + 1);
}
