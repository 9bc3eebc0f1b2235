import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { WireError } from '../../core/errors';
import { isAbsolutePath, isInside } from '../../core/files/containment';
import type { JsonObject } from '../../core/json';
import type { Platform } from '../../core/launch/programPath';

/** Bytes of output that are kept where the agent sets no limit, and at most (TE-7). */
export const DEFAULT_OUTPUT_LIMIT = 1 << 20;
export const MAX_OUTPUT_LIMIT = 1 << 24;

/** A checked `terminal/create`. */
export interface CreateRequest {
  command: string;
  args: string[];
  env: { name: string; value: string }[];
  cwd: string;
  outputLimit: number;
}

/**
 * Checks the parameters of `terminal/create` (TE-2). An empty list of arguments counts as none: agents send it with a shell line.
 *
 * @throws WireError -32602 with a sentence on what is wrong.
 */
export function parseCreate(params: JsonObject, sessionCwd: string): CreateRequest {
  const { command } = params;
  if (!isPlainText(command) || command.trim() === '')
    throw WireError.invalidParams('"command" must be a non-empty text.');
  return {
    command,
    args: listOf(params['args'], 'args', 'texts').map((arg) => {
      if (!isPlainText(arg)) throw WireError.invalidParams('"args" must be a list of texts.');
      return arg;
    }),
    env: listOf(params['env'], 'env', 'names with values').map(parseVariable),
    cwd: parseCwd(params['cwd'], sessionCwd),
    outputLimit: parseLimit(params['outputByteLimit']),
  };
}

/** A text that a process can be given: NUL would end it early. */
const isPlainText = (value: unknown): value is string => typeof value === 'string' && !value.includes('\0');

function listOf(value: unknown, name: string, what: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw WireError.invalidParams(`"${name}" must be a list of ${what}.`);
  return value;
}

function parseVariable(entry: unknown): { name: string; value: string } {
  const { name, value } = (typeof entry === 'object' && entry !== null ? entry : {}) as JsonObject;
  if (!isPlainText(name) || name === '' || name.includes('=') || !isPlainText(value))
    throw WireError.invalidParams('"env" must be a list of names with values.');
  return { name, value };
}

function parseCwd(value: unknown, sessionCwd: string): string {
  if (value === undefined || value === null) return sessionCwd;
  if (!isPlainText(value) || !isAbsolutePath(value, process.platform === 'win32'))
    throw WireError.invalidParams('"cwd" must be an absolute path.');
  if (!statSync(value, { throwIfNoEntry: false })?.isDirectory())
    throw WireError.invalidParams(`The folder "${value}" of "cwd" was not found.`);
  return value;
}

/** True for a folder that is in none of the roots, links followed. */
export function isOutside(folder: string, roots: readonly string[]): boolean {
  const windows = process.platform === 'win32';
  const how = { windows, ignoreCase: windows || process.platform === 'darwin' };
  const real = realPath(folder);
  return !roots.some((root) => isInside(real, realPath(root), how));
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path; // It is gone: by its name then.
  }
}

function parseLimit(value: unknown): number {
  if (value === undefined || value === null) return DEFAULT_OUTPUT_LIMIT;
  // A uint64 may be beyond what is exact here; it only has to be whole.
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0)
    throw WireError.invalidParams('"outputByteLimit" must be a whole number of at least 0.');
  return Math.min(value, MAX_OUTPUT_LIMIT);
}

/** The platform that Parley runs on. */
export const thisPlatform: Platform = {
  windows: process.platform === 'win32',
  isProgram: (path) => {
    try {
      accessSync(path, constants.X_OK);
      return statSync(path).isFile();
    } catch {
      return false; // Missing, not reachable or not executable: all the same here.
    }
  },
};
