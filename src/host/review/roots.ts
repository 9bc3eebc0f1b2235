import { realpath, stat } from 'node:fs/promises';
import { normalize } from 'node:path';

/** A separator at the end of a path that is more than a root. */
const TRAILING = /([^\\/:])[\\/]+$/;

/** A folder of the session by the name that the session has for it, and by its real path. */
export interface Root {
  folder: string;
  real: string;
}

/** The folders that are there, once each. */
export async function realRoots(given: readonly string[]): Promise<Root[]> {
  const found = new Map<string, Root>();
  for (const folder of given) {
    const real = await realpath(folder).catch(() => undefined);
    const isFolder = real !== undefined && (await stat(real).catch(() => undefined))?.isDirectory() === true;
    if (isFolder && !found.has(real))
      found.set(real, { folder: normalize(folder).replace(TRAILING, '$1'), real });
  }
  return [...found.values()];
}
