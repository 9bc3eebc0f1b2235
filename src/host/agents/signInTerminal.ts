import * as vscode from 'vscode';
import type { LaunchPlan, resolveLine } from '../../acp/agentProcess';
import type { AuthMethod } from '../../core/agents/introduction';
import { withVariables } from '../../core/launch/environment';
import { visibleText } from '../../core/visibleText';

const { t } = vscode.l10n;

/**
 * Runs the agent's own program, as it is started for a connection, with the method's arguments and environment in a terminal that
 * the person can type into; gives its exit code (AU-6 to AU-8). Undefined where there is none: closed, killed, or not wanted. A program
 * that the agent named runs only after the person agreed to its command (AU-13).
 *
 * @param resolve finds the program on the PATH of the agent; VS Code would look on its own. It comes from the bundle that knows its errors.
 * @throws AgentError where the program can't be started.
 */
export async function signInInTerminal(
  plan: LaunchPlan,
  method: AuthMethod,
  resolve: typeof resolveLine,
): Promise<number | undefined> {
  const { command } = method;
  if (command !== undefined && !(await isAgreed(command, method))) return undefined;
  const args = command === undefined ? [...plan.args, ...(method.args ?? [])] : (method.args ?? []);
  const found = await resolve({
    ...plan,
    command: command ?? plan.command,
    args,
    shell: plan.shell && command === undefined,
    env: withVariables(plan.env, method.env ?? {}, process.platform === 'win32'),
  });
  const terminal = vscode.window.createTerminal({
    name: t('Sign in: {0}', method.name),
    cwd: plan.cwd,
    env: found.env,
    strictEnv: true,
    isTransient: true,
    iconPath: new vscode.ThemeIcon('key'),
    shellPath: found.file,
    shellArgs: found.args,
  });
  const closed = new Promise<number | undefined>((done) => {
    const listening = vscode.window.onDidCloseTerminal((one) => {
      if (one !== terminal) return;
      listening.dispose();
      done(one.exitStatus?.code);
    });
  });
  terminal.show();
  return closed;
}

/** Shows all of the command: the words as they are passed, and the variables that are set for it. */
async function isAgreed(command: string, { name, args = [], env = {} }: AuthMethod): Promise<boolean> {
  const words = [command, ...args].map((word) =>
    /^[\w@%+=:,./\\-]+$/.test(word) ? word : JSON.stringify(word),
  );
  const variables = Object.entries(env).map(([variable, value]) => `${variable}=${value}`);
  const run = t('Run');
  const chosen = await vscode.window.showWarningMessage(
    t('The agent asks to run this command in a terminal to sign you in ("{0}").', visibleText(name)),
    { modal: true, detail: visibleText([words.join(' '), ...variables].join('\n')) },
    run,
  );
  return chosen === run;
}
