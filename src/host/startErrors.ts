import * as vscode from 'vscode';
import type { AgentFailure } from '../core/errors';
import type { ShellProblem } from '../core/launch/environment';
import { missingProgram } from '../core/launch/missingProgram';

const { t } = vscode.l10n;

type Reason =
  'commandNotFound' | 'notExecutable' | 'cannotRun' | 'unsafeArgument' | 'noFolder' | 'spawnFailed';

/** A failure before the agent ran. */
export type StartFailure = Extract<AgentFailure, { reason: Reason }>;

/** What kept an agent from being started, and what to do. */
export function startMessage(agent: string, failure: StartFailure): string {
  switch (failure.reason) {
    case 'commandNotFound':
      return notFound(agent, failure);
    case 'notExecutable':
      return t(
        '{0} could not be started: "{1}" is not executable. Make it executable, or correct the command in the settings.',
        agent,
        failure.command,
      );
    case 'cannotRun':
      return cannotRun(agent, failure);
    case 'unsafeArgument':
      return t(
        '{0} could not be started: Windows starts "{1}" through cmd.exe, which would act on a character in "{2}". Change it in the settings, or name the program that this file starts.',
        agent,
        failure.command,
        failure.argument,
      );
    case 'noFolder':
      return t(
        '{0} could not be started: its folder "{1}" does not exist or can\'t be opened. Make the folder, or correct "cwd" in the settings.',
        agent,
        failure.folder,
      );
    case 'spawnFailed':
      return t('{0} could not be started: {1}', agent, failure.message);
  }
}

function notFound(
  agent: string,
  { command, origin }: Extract<AgentFailure, { reason: 'commandNotFound' }>,
): string {
  if (/[\\/]/.test(command)) {
    return t(
      '{0} could not be started: "{1}" was not found. Correct the command in the settings.',
      agent,
      command,
    );
  }
  const { source, shell = '', problem } = origin ?? { source: 'editor' };
  if (source === 'shell') {
    return t(
      '{0} could not be started: "{1}" was not found on the PATH of {2}. Install it, or write its full path into the settings; after a change of the PATH, reload the window.',
      agent,
      command,
      shell,
    );
  }
  if (problem) {
    return t(
      '{0} could not be started: "{1}" was not found on the PATH of the editor, which is used since {2}. Write the full path into the settings, or correct the start-up files of the shell and reload the window.',
      agent,
      command,
      shellProblem(shell, problem),
    );
  }
  return t(
    '{0} could not be started: "{1}" was not found on the PATH of the editor. Install it and start VS Code anew, or write its full path into the settings.',
    agent,
    command,
  );
}

function cannotRun(
  agent: string,
  { command, interpreter }: Extract<AgentFailure, { reason: 'cannotRun' }>,
): string {
  if (interpreter === undefined) {
    return t(
      '{0} could not be started: "{1}" is not for this system, or needs a library that is missing. Install it anew.',
      agent,
      command,
    );
  }
  return t(
    '{0} could not be started: "{1}" needs "{2}", which was not found. Install that, or correct the first line of the file.',
    agent,
    command,
    interpreter,
  );
}

/** Why a shell did not tell its environment: a clause, for a sentence or a line of its own. */
export function shellProblem(shell: string, problem: ShellProblem): string {
  switch (problem.cause) {
    case 'late':
      return t('{0} did not answer within {1} seconds', shell, problem.seconds);
    case 'silent':
      return t('{0} ended without telling its environment', shell);
    case 'notStarted':
      return t('{0} could not be started ({1})', shell, problem.message);
  }
}

/** What the exit of an agent means; `stderr` has what it printed last. */
export function exitMessage(agent: string, exit: Extract<AgentFailure, { reason: 'exited' }>): string {
  const missing = missingProgram(exit.stderr, exit.code);
  if (missing !== undefined) {
    return t(
      '{0} ended with exit code {1}: it needs the program "{2}", which was not found on its PATH. Install it, or add its folder to "PATH" under "env" in the settings.',
      agent,
      String(exit.code),
      missing,
    );
  }
  if (exit.code === 127)
    return t(
      '{0} ended with exit code 127: its command was not found. Check the command in the settings.',
      agent,
    );
  if (exit.code !== null) return t('{0} ended with exit code {1}.', agent, exit.code);
  return t('{0} was ended by {1}.', agent, exit.signal ?? t('an unknown signal'));
}
