import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, normalize, resolve } from 'node:path';
import { isInside } from '../../core/files/containment';

/** Links that are followed one after the other; as many as the system follows. */
const MAX_LINKS = 40;

/** How the platform compares paths. */
const HOW = {
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

/** A path that leads outside the roots, or that can't be decided on. */
export class OutsideError extends Error {}

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
    if (outer !== undefined && isInside(real, outer, HOW)) return { path, real };
  }
  throw new OutsideError('The path is outside the folders of the session.');
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
