import { isAbsolutePath } from '../../core/files/containment';

/** Variables by name; later ones have won already. */
export type Environment = Record<string, string>;

/** What the choice of a program depends on; injected so that both platforms are tested on either. */
export interface Platform {
  windows: boolean;
  /** True if the path is a file that can be run. */
  isProgram(path: string): boolean;
}

export interface CommandRequest {
  command: string;
  args: readonly string[];
  cwd: string;
  env: Environment;
}

/** What to start. `verbatim` is a Windows command line that must reach the program as it is. */
export type CommandPlan =
  { kind: 'run'; file: string; args: string[]; verbatim?: string } | { kind: 'missing'; command: string };

/** What an agent gave that can't be passed on unchanged; the message is one sentence for the agent. */
export class CommandLineError extends Error {}

/**
 * Chooses what runs (client-duties, section e.21): with arguments the program itself, without a shell, so that each argument arrives
 * unchanged; without, a program of exactly that name, else the text as a line of the platform's shell.
 */
export function planCommand(request: CommandRequest, platform: Platform): CommandPlan {
  const { command, args } = request;
  const file = findProgram(command, request, platform);
  if (file !== undefined) return runProgram(file, request, platform);
  if (args.length > 0) return { kind: 'missing', command };
  if (platform.windows) {
    const shell = windowsShell(request.env);
    return { kind: 'run', file: shell, args: [], verbatim: `/d /s /c "${command}"` };
  }
  const bash = findProgram('bash', request, platform);
  return { kind: 'run', file: bash ?? '/bin/sh', args: ['-c', command] };
}

function runProgram(file: string, { args, env }: CommandRequest, platform: Platform): CommandPlan {
  if (!platform.windows || !/\.(cmd|bat)$/i.test(file)) return { kind: 'run', file, args: [...args] };
  return { kind: 'run', file: windowsShell(env), args: [], verbatim: batchLine(file, args) };
}

const windowsShell = (env: Environment): string => valueOf(env, 'ComSpec', true) ?? 'cmd.exe';

/**
 * The arguments of `cmd` that run a batch file. cmd reads the line before the batch file does and has rules of its own, so every
 * argument is quoted, a quote is doubled, and a percent sign is kept from naming a variable.
 */
function batchLine(file: string, args: readonly string[]): string {
  const quoted = [file, ...args].map((arg) => {
    if (/[\r\n\0]/.test(arg))
      throw new CommandLineError('An argument of a batch file must not hold a line end.');
    const backslashes = arg.replace(/(\\+)("|$)/g, '$1$1$2');
    return `"${backslashes.replaceAll('"', '""').replaceAll('%', '%%cd:~,%')}"`;
  });
  return `/e:ON /v:OFF /d /s /c "${quoted.join(' ')}"`;
}

/** The path of a program by the platform's rules: as a path, from `cwd` where it is relative, or on PATH. */
export function findProgram(
  command: string,
  { cwd, env }: Pick<CommandRequest, 'cwd' | 'env'>,
  platform: Platform,
): string | undefined {
  const { windows } = platform;
  const endings = windows ? windowsEndings(command, env) : [''];
  const find = (folder: string): string | undefined =>
    endings.map((ending) => `${folder}${command}${ending}`).find((path) => platform.isProgram(path));
  if (isAbsolutePath(command, windows)) return find('');
  const slash = windows ? '\\' : '/';
  const within = (folder: string): string => (/[\\/]$/.test(folder) ? folder : `${folder}${slash}`);
  if (command.includes('/') || (windows && command.includes('\\'))) return find(within(cwd));
  const folders = (valueOf(env, 'PATH', windows) ?? '').split(windows ? ';' : ':');
  for (const folder of folders) {
    // An empty or relative entry means the working folder, which belongs to the project: nothing is picked up from there.
    const path = isAbsolutePath(folder, windows) ? find(within(folder)) : undefined;
    if (path !== undefined) return path;
  }
  return undefined;
}

function windowsEndings(command: string, env: Environment): string[] {
  const known = (valueOf(env, 'PATHEXT', true) ?? '.COM;.EXE;.BAT;.CMD')
    .split(';')
    .filter((ending) => ending.startsWith('.'))
    .map((ending) => ending.toLowerCase());
  const named = known.some((ending) => command.toLowerCase().endsWith(ending));
  // Without an ending a file is no program there, but `npm` next to `npm.cmd` is a shell script.
  return named ? [''] : known;
}

function valueOf(env: Environment, name: string, ignoreCase: boolean): string | undefined {
  if (!ignoreCase) return env[name];
  const key = Object.keys(env).find((candidate) => candidate.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : env[key];
}

/** Variables of the editor's own processes. A Node.js or Electron program that inherits them behaves as a part of the editor. */
const EDITOR_VARIABLE = /^(ELECTRON_.+|VSCODE_.+|CHROME_DESKTOP|SNAP|SNAP_.+|GDK_PIXBUF_.+)$/i;
/** What another terminal said of itself. `TERM` follows from how the command is started. */
const TERMINAL_VARIABLE = /^(TERM|COLUMNS|LINES|TMUX|TMUX_PANE|STY)$/i;
/** A person may have given the built-in agent its key by the environment; its commands must not get it. */
const KEY_VARIABLE = /^PARLEY_AGENT_API_KEY$/i;
const LEFT_OUT = [EDITOR_VARIABLE, TERMINAL_VARIABLE, KEY_VARIABLE];
/** No command should wait for a pager: nobody may be there to page. */
const OURS: Environment = { PAGER: 'cat', GIT_PAGER: 'cat' };

/**
 * The environment of a command (TE-12, TE-15): the person's, without what belongs to the editor, then ours, then the agent's. `TERM`
 * is there only if the agent set it.
 */
export function commandEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  entries: readonly { name: string; value: string }[],
  windows: boolean,
): Environment {
  const env = new Map<string, [name: string, value: string]>();
  // Windows has one variable however its name is spelled.
  const set = (name: string, value: string): unknown =>
    env.set(windows ? name.toLowerCase() : name, [name, value]);
  for (const [name, value] of Object.entries(base)) {
    if (value !== undefined && !LEFT_OUT.some((left) => left.test(name))) set(name, value);
  }
  for (const [name, value] of Object.entries(OURS)) set(name, value);
  for (const { name, value } of entries) set(name, value);
  return Object.fromEntries(env.values());
}

/** The command as a person reads it: arguments are quoted where a shell would need it (TE-17). */
export function displayCommand(command: string, args: readonly string[]): string {
  if (args.length === 0) return command;
  return [command, ...args]
    .map((word) => (SAFE.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ');
}

const SAFE = /^[\w@%+=:,./\\-]+$/;
