import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The absolute path that an agent means: `~` is the home folder, as most tools take it, and a `file:` address is a path. An address of
 * another kind stays as it is, and so is in no folder.
 *
 * @param cwd Folder that relative paths are in; where it is undefined they stay relative.
 */
export function givenPath(given: string, cwd: string | undefined, home: string): string {
  if (/^~(?=[\\/]|$)/.test(given)) return join(home, given.slice(1));
  if (/^[a-z][a-z\d+.-]+:[\\/]/i.test(given)) return fromAddress(given);
  return cwd === undefined ? given : resolve(cwd, given);
}

function fromAddress(given: string): string {
  try {
    return fileURLToPath(given);
  } catch {
    return given;
  }
}
