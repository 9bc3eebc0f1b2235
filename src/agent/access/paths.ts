import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInside } from '../../core/files/containment';
import { ToolFailure } from '../tools/tool';

const windows = process.platform === 'win32';
const NAMES = { windows, ignoreCase: windows };

/** The absolute path for what was typed: relative to the folder, absolute, or a `file:` URI. Outside of the folder is a failure. */
export function resolveInside(folder: string, typed: string): string {
  const path = resolve(folder, typed.startsWith('file:') ? toPath(typed) : typed);
  if (!isInside(path, resolve(folder), NAMES)) throw outside(typed);
  return path;
}

/**
 * The real path of a file or folder, which may not exist yet; links that lead out of the folder are a failure. Names alone are not
 * enough for the agent's own access (SE-24).
 */
export async function realPathInside(folder: string, path: string): Promise<string> {
  const real = await realPathOf(path);
  if (!isInside(real, await realpath(folder), NAMES)) throw outside(relative(folder, path));
  return real;
}

/** A path as a person types it: relative to the folder, with slashes. */
export function shownPath(folder: string, path: string): string {
  const shown = relative(folder, path).split(sep).join('/');
  return shown === '' ? '.' : shown;
}

/** True for an absolute path of this platform. */
export function isAbsoluteHere(path: unknown): path is string {
  return typeof path === 'string' && isAbsolute(path);
}

async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error;
    return join(await realPathOf(parent), path.slice(parent.length));
  }
}

function toPath(uri: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    throw new ToolFailure(`"${uri}" is not a path.`);
  }
}

function outside(typed: string): ToolFailure {
  return new ToolFailure(`"${typed}" is outside of the session's folder.`);
}
