import { constants } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import type { AgentFailure } from '../core/errors';
import { batchStart, isBatchFile, windowsShell } from '../core/launch/batchFile';
import { withVariables } from '../core/launch/environment';
import { interpreterOf } from '../core/launch/missingProgram';
import { isPath, programCandidates } from '../core/launch/programPath';
import type { LaunchPlan } from './agentProcess';

/** What is asked to run. */
export type CommandLine = Pick<LaunchPlan, 'command' | 'args' | 'env' | 'cwd' | 'shell' | 'origin'>;

/** What runs: a file, found on the PATH that the program is going to have. */
export interface ResolvedCommand {
  file: string;
  /** A text is the command line of Windows after the file, to be passed on as it is. */
  args: string[] | string;
  env: NodeJS.ProcessEnv;
}

/** What lies at a path: a program that can be run, another file, or neither. */
export type Found = 'program' | 'file' | 'nothing';

/** What the choice depends on; injected so that both platforms are tested on either. */
export interface ProgramFiles {
  windows: boolean;
  look: (path: string) => Promise<Found>;
}

/** Chooses what runs for a command, or says why nothing can. */
export async function resolveCommand(
  line: CommandLine,
  files: ProgramFiles = thisMachine,
): Promise<ResolvedCommand | AgentFailure> {
  const { command, args, env, shell } = line;
  const { windows } = files;
  if (shell) return shellLine([command, ...args].join(' '), env, windows);
  const file = await find(line, files);
  if (typeof file !== 'string') return file;
  if (!windows || !isBatchFile(file)) return { file, args: [...args], env };
  const start = batchStart(file, args, env);
  if ('refused' in start) return { reason: 'unsafeArgument', command: file, argument: start.refused };
  return { file: start.shell, args: start.line, env: inNoFolder(env) };
}

function shellLine(line: string, env: NodeJS.ProcessEnv, windows: boolean): ResolvedCommand {
  if (!windows) return { file: '/bin/sh', args: ['-c', line], env };
  return { file: windowsShell(env), args: `/d /s /c "${line}"`, env: inNoFolder(env) };
}

/** cmd.exe looks for programs in its folder first, which is the project's, unless this variable is there. */
const inNoFolder = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  withVariables(env, { NoDefaultCurrentDirectoryInExePath: '1' }, true);

async function find(line: CommandLine, { windows, look }: ProgramFiles): Promise<string | AgentFailure> {
  const { command, origin } = line;
  let other = false;
  for (const path of programCandidates(command, line, windows)) {
    const found = await look(path);
    if (found === 'program') return path;
    other ||= found === 'file';
  }
  // On Windows a path with another ending, which names a file that the system can't run.
  if (!other && windows && isPath(command, windows)) other = (await look(command)) !== 'nothing';
  if (other) return { reason: 'notExecutable', command };
  return { reason: 'commandNotFound', command, ...(origin ? { origin } : {}) };
}

const thisMachine: ProgramFiles = {
  windows: process.platform === 'win32',
  look: async (path) => {
    try {
      const file = (await stat(path)).isFile();
      if (!file) return 'nothing';
    } catch {
      return 'nothing'; // Missing or not reachable: all the same here.
    }
    return access(path, constants.X_OK).then(
      () => 'program',
      () => 'file',
    );
  },
};

/** Why a program that is there could not be started: what its first line names is missing, or it is for another system. */
export async function startFailure(file: string, error: NodeJS.ErrnoException): Promise<AgentFailure> {
  if (error.code === 'EACCES') return { reason: 'notExecutable', command: file };
  if (error.code !== 'ENOENT' && error.code !== 'ENOEXEC' && error.code !== 'UNKNOWN')
    return { reason: 'spawnFailed', command: file, message: error.message };
  const interpreter = interpreterOf(await firstLine(file));
  return { reason: 'cannotRun', command: file, ...(interpreter ? { interpreter } : {}) };
}

const FIRST_LINE = 256;

async function firstLine(file: string): Promise<string> {
  const handle = await open(file).catch(() => undefined);
  if (!handle) return '';
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(FIRST_LINE), 0, FIRST_LINE, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
