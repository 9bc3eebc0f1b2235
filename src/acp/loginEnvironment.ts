import { isEditorVariable, type EnvironmentOrigin } from '../core/launch/environment';

/** ms for the person's shell to start; profiles that ask for input never end. */
const TIME_LIMIT = 10_000;

export interface LoginEnvironment {
  env: NodeJS.ProcessEnv;
  origin: EnvironmentOrigin;
}

/**
 * The environment of a login and interactive shell, so that an agent finds what it finds in a terminal. Falls back to the
 * editor's own environment. On Windows that is the only one.
 *
 * @param own environment of the editor; names the shell, else the system's user does.
 * @param limit ms for the shell to answer.
 */
export async function readLoginEnvironment(
  own: NodeJS.ProcessEnv,
  limit = TIME_LIMIT,
): Promise<LoginEnvironment> {
  const env = withoutEditor(own);
  if (process.platform === 'win32') return { env, origin: { source: 'editor' } };
  // Needed once per window, and not before the first agent or command.
  const { askShell, shellOf } = await import('./askShell');
  const shell = shellOf(own);
  if (shell === undefined) return { env, origin: { source: 'editor' } };
  const begin = performance.now();
  const answer = await askShell(shell, env, limit);
  const told = { shell, ms: Math.round(performance.now() - begin) };
  if ('problem' in answer) return { env, origin: { source: 'editor', ...told, problem: answer.problem } };
  return { env: withoutEditor(answer.env), origin: { source: 'shell', ...told } };
}

/** Leaves out the variables that belong to the editor's process. */
export function withoutEditor(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isEditorVariable(name)));
}
