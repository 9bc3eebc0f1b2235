import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { killTree } from './killTree';

/** ms for the person's shell to start; profiles that ask for input never end. */
const TIME_LIMIT = 10_000;

/** Variables of the editor's own process that programs started from it must not inherit. */
const EDITOR_VARIABLES = /^(ELECTRON_|VSCODE_|CHROME_DESKTOP$|PARLEY_SHELL$)/;

export interface LoginEnvironment {
  env: NodeJS.ProcessEnv;
  /** Why the shell could not be asked; absent where it answered or there is none to ask. */
  problem?: string;
}

/**
 * The environment of a login and interactive shell, so that an agent finds what it finds in a terminal. Falls back to the
 * editor's own environment. On Windows that is the only one.
 *
 * @param limit ms for the shell to answer.
 */
export async function readLoginEnvironment(
  own: NodeJS.ProcessEnv,
  limit = TIME_LIMIT,
): Promise<LoginEnvironment> {
  const shell = own['SHELL'];
  if (process.platform === 'win32' || !shell) return { env: withoutEditor(own) };
  try {
    return { env: withoutEditor(await askShell(shell, own, limit)) };
  } catch (error) {
    return { env: withoutEditor(own), problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Leaves out the variables that belong to the editor's process. */
export function withoutEditor(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !EDITOR_VARIABLES.test(name)));
}

function askShell(shell: string, own: NodeJS.ProcessEnv, limit: number): Promise<NodeJS.ProcessEnv> {
  // Profiles print what they like, so the answer stands between marks.
  const mark = randomUUID();
  const script = `process.stdout.write('${mark}'+JSON.stringify(process.env)+'${mark}')`;
  const line = `'${process.execPath}' -e "${script}"`;
  const child = spawn(shell, ['-i', '-l', '-c', line], {
    env: { ...own, ELECTRON_RUN_AS_NODE: '1', PARLEY_SHELL: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      killTree(child.pid ?? 0, true);
      reject(new Error(`${shell} did not answer within ${limit / 1000} s`));
    }, limit);
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.once('error', reject);
    child.once('close', () => {
      clearTimeout(timer);
      const [, json] = output.split(mark);
      if (json === undefined) reject(new Error(`${shell} did not print its environment`));
      else resolve(JSON.parse(json) as NodeJS.ProcessEnv);
    });
  });
}
