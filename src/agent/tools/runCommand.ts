import { asNumber } from '../../core/json';
import type { CommandEnd } from '../access/commands';
import { commandScope } from './permissionScopes';
import { objectSchema, requiredString, ToolFailure, type Tool } from './tool';

/** How long a command may take unless the model says otherwise. */
const TIME_LIMIT_SECONDS = 600;
const MAX_TIME_LIMIT_SECONDS = 3_600;

/** `run_command {command, timeLimitSeconds?}`: a line of the shell, run in the session's folder. */
export const runCommand: Tool = {
  name: 'run_command',
  kind: 'execute',
  changes: true,
  description: `Runs a command line of the shell in the first folder of the session, and gives its exit code and its output. It has no input: a command that asks something never ends. It is stopped after ${TIME_LIMIT_SECONDS} s by default. Of a long output the beginning and the end are given. Use it for builds, tests and the like; read, search and change files with the other tools.`,
  inputSchema: objectSchema(
    {
      command: {
        type: 'string',
        minLength: 1,
        maxLength: 20_000,
        description: 'The command line, as typed in a shell.',
      },
      timeLimitSeconds: {
        type: 'number',
        exclusiveMinimum: 0,
        maximum: MAX_TIME_LIMIT_SECONDS,
        description: 'After how many seconds it is stopped.',
      },
    },
    ['timeLimitSeconds'],
  ),
  start: (input, { cwd }) => {
    const command = requiredString(input, 'command').trim();
    if (command === '') throw new ToolFailure('There is no command to run.');
    const seconds = asNumber(input['timeLimitSeconds']) ?? TIME_LIMIT_SECONDS;
    return {
      title: `Run ${command}`,
      run: async ({ commands, signal, permit, show }) => {
        await permit(commandScope(command), []);
        const end = await commands.run({ command, cwd, signal, show, timeLimitMs: seconds * 1000 });
        const status = statusOf(end, seconds);
        const output = `${status}\n\n${end.output}`.trimEnd();
        if (end.exitCode !== 0 || end.timedOut) throw new ToolFailure(status, output);
        return { output };
      },
    };
  },
};

function statusOf({ exitCode, signal, timedOut }: CommandEnd, seconds: number): string {
  if (timedOut) return `Stopped after the time limit of ${seconds} s`;
  return typeof exitCode === 'number' ? `Exit code ${exitCode}` : `Ended by ${signal ?? 'a signal'}`;
}
