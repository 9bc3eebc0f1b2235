import { isEditorVariable } from '../../core/launch/environment';
import { findProgram, variableOf, type Environment, type Platform } from '../../core/launch/programPath';

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

const windowsShell = (env: Environment): string => variableOf(env, 'ComSpec', true) ?? 'cmd.exe';

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

/** What another terminal said of itself. `TERM` follows from how the command is started. */
const TERMINAL_VARIABLE = /^(TERM|COLUMNS|LINES|TMUX|TMUX_PANE|STY)$/i;
/** A person may have given the built-in agent its key by the environment; its commands must not get it. */
const KEY_VARIABLE = /^PARLEY_AGENT_API_KEY$/i;
const LEFT_OUT = [TERMINAL_VARIABLE, KEY_VARIABLE];
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
    if (value === undefined || isEditorVariable(name) || LEFT_OUT.some((left) => left.test(name))) continue;
    set(name, value);
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
