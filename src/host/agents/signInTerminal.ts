import * as vscode from 'vscode';
import type { LaunchPlan } from '../../acp/agentProcess';
import type { AuthMethod } from '../../core/agents/introduction';

/**
 * Runs the agent's own program, as it is started for a connection, with the method's arguments and environment in a terminal that
 * the person can type into; gives its exit code (AU-6 to AU-8). Undefined where there is none: closed, or killed.
 */
export async function signInInTerminal(plan: LaunchPlan, method: AuthMethod): Promise<number | undefined> {
  const args = [...plan.args, ...(method.args ?? [])];
  const terminal = vscode.window.createTerminal({
    name: vscode.l10n.t('Sign in: {0}', method.name),
    cwd: plan.cwd,
    env: definedOnly({ ...plan.env, ...method.env }),
    strictEnv: true,
    isTransient: true,
    iconPath: new vscode.ThemeIcon('key'),
    ...(plan.shell ? throughShell(plan.command, args) : { shellPath: plan.command, shellArgs: args }),
  });
  const closed = new Promise<number | undefined>((resolve) => {
    const listening = vscode.window.onDidCloseTerminal((one) => {
      if (one !== terminal) return;
      listening.dispose();
      resolve(one.exitStatus?.code);
    });
  });
  terminal.show();
  return closed;
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
}

/** As `child_process` does for agents whose command is a line of the shell. */
function throughShell(command: string, args: readonly string[]): { shellPath: string; shellArgs: string[] } {
  const line = [command, ...args].join(' ');
  return process.platform === 'win32'
    ? { shellPath: process.env['ComSpec'] ?? 'cmd.exe', shellArgs: ['/d', '/s', '/c', `"${line}"`] }
    : { shellPath: '/bin/sh', shellArgs: ['-c', line] };
}
