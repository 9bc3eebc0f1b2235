import { asNumber } from '../../core/json';
import type { CommandEnd } from '../access/commands';
import { commandScope } from './permissionScopes';
import { requiredString, ToolFailure, type Tool } from './tool';

/** How long a command may take unless the model says otherwise. */
const TIME_LIMIT_SECONDS = 600;

/** `run_command {command, timeLimitSeconds?}`: a line of the shell, run in the session's folder. */
export const runCommand: Tool = {
  name: 'run_command',
  kind: 'execute',
  changes: true,
  start: (input, cwd) => {
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
