import { isAbsolutePath } from '../files/containment';

/** Variables by name; later ones have won already. */
export type Environment = Record<string, string>;

/** What the choice of a program depends on; injected so that both platforms are tested on either. */
export interface Platform {
  windows: boolean;
  /** True if the path is a file that can be run. */
  isProgram(path: string): boolean;
}

/** Where a program is looked for: relative paths begin at `cwd`, bare names are on the PATH of `env`. */
export interface SearchPlace {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** What systems search where a process has no PATH. */
const DEFAULT_PATH = '/usr/bin:/bin';

/** The path of a program by the platform's rules: as a path, from `cwd` where it is relative, or on PATH. */
export function findProgram(command: string, place: SearchPlace, platform: Platform): string | undefined {
  return programCandidates(command, place, platform.windows).find((path) => platform.isProgram(path));
}

/**
 * The paths that a command may mean, the first one first. A bare name is never one in the working folder, which belongs to the
 * project: an empty or relative entry of PATH means that folder, and Windows would look there before PATH.
 */
export function programCandidates(command: string, { cwd, env }: SearchPlace, windows: boolean): string[] {
  const endings = windows ? windowsEndings(command, env) : [''];
  const names = (folder: string): string[] => endings.map((ending) => `${folder}${command}${ending}`);
  if (isAbsolutePath(command, windows)) return names('');
  if (isPath(command, windows)) return names(within(cwd, windows));
  return pathFolders(env, windows).flatMap((folder) => names(within(folder, windows)));
}

/** True for a command that names a place, not a program of the PATH. */
export function isPath(command: string, windows: boolean): boolean {
  return command.includes('/') || (windows && /^[a-z]:|\\/i.test(command));
}

/** The folders of the PATH that programs are taken from. */
function pathFolders(env: SearchPlace['env'], windows: boolean): string[] {
  return pathEntries(env, windows).filter((folder) => isAbsolutePath(folder, windows));
}

/** The entries of the PATH as they are written, also those that lead into the working folder. */
export function pathEntries(env: SearchPlace['env'], windows: boolean): string[] {
  const path = variableOf(env, 'PATH', windows) ?? (windows ? '' : DEFAULT_PATH);
  // Windows takes an entry within quotes as well.
  return windows ? path.replaceAll('"', '').split(';') : path.split(':');
}

function within(folder: string, windows: boolean): string {
  return /[\\/]$/.test(folder) ? folder : `${folder}${windows ? '\\' : '/'}`;
}

function windowsEndings(command: string, env: SearchPlace['env']): string[] {
  const known = pathEndings(env);
  const named = known.some((ending) => command.toLowerCase().endsWith(ending));
  // Without an ending a file is no program there, but `npm` next to `npm.cmd` is a shell script.
  return named ? [''] : known;
}

/** The endings of programs on Windows, in lower case and in their order. */
export function pathEndings(env: SearchPlace['env']): string[] {
  const endings = (variableOf(env, 'PATHEXT', true) ?? '').split(';').filter((one) => one.startsWith('.'));
  return endings.length > 0
    ? endings.map((ending) => ending.toLowerCase())
    : ['.com', '.exe', '.bat', '.cmd'];
}

/** The value of a variable; its name may be spelled in any case where `ignoreCase`. */
export function variableOf(env: SearchPlace['env'], name: string, ignoreCase: boolean): string | undefined {
  if (!ignoreCase) return Object.hasOwn(env, name) ? env[name] : undefined;
  const key = Object.keys(env).find((candidate) => candidate.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : env[key];
}
