import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { basename } from 'node:path';
import { asObject } from '../core/json';
import type { ShellProblem } from '../core/launch/environment';
import { killTree } from './killTree';

export type ShellAnswer = { env: NodeJS.ProcessEnv } | { problem: ShellProblem };

/** UTF-16 units of output that are kept: a profile may print without end, and the answer comes last. */
const MAX_OUTPUT = 8 << 20;
/** ms for a shell that has answered to end by itself. */
const LEAVE = 2_000;

/** Holds the mark that stands around the answer, since profiles print what they like. */
const MARK = 'PARLEY_SHELL';
/** What a shell says of itself, not of the person: wrong for a process in another folder. */
const OF_THE_SHELL = ['_', 'PWD', 'OLDPWD', 'SHLVL', 'ELECTRON_RUN_AS_NODE'];

// Without quotes, dollars and exclamation marks: within quotes every shell hands it on as it is.
const DUMP = `const{${MARK}:m,...e}=process.env;process.stdout.write(m+JSON.stringify(e)+m)`;

/** How a shell is asked. */
interface Question {
  args: string[];
  /** The name that it is started under, where that makes it a login shell. */
  argv0?: string;
}

/** The shell of the person; undefined where the system names none. */
export function shellOf(own: NodeJS.ProcessEnv): string | undefined {
  if (own['SHELL']) return own['SHELL'];
  try {
    return userInfo().shell ?? undefined;
  } catch {
    return undefined; // A user without an entry, as in containers.
  }
}

/**
 * Asks a shell for the environment that it gives to programs. It runs in the home folder: what a project's own files set there
 * (direnv, a version of Node.js) would hold for one folder, and the answer is for all of them.
 *
 * @param own environment that the shell begins with.
 * @param limit ms for the whole.
 */
export async function askShell(shell: string, own: NodeJS.ProcessEnv, limit: number): Promise<ShellAnswer> {
  const deadline = performance.now() + limit;
  let answer: ShellAnswer = { problem: { cause: 'late', seconds: limit / 1_000 } };
  for (const question of questionsFor(shell, process.execPath)) {
    const left = deadline - performance.now();
    if (left <= 0) break;
    answer = await ask(shell, question, own, left);
    // A shell that ended without an answer may not know the flags, or its profile goes elsewhere when interactive.
    if ('env' in answer || answer.problem.cause !== 'silent') break;
  }
  const { problem } = answer as { problem?: ShellProblem };
  return problem?.cause === 'late' ? { problem: { cause: 'late', seconds: limit / 1_000 } } : answer;
}

/** What to try with a shell, one after the other. */
export function questionsFor(shell: string, program: string): Question[] {
  const name = basename(shell).replace(/\.exe$/, '');
  const dump = `${quote(program, "'\\''")} -e '${DUMP}'`;
  if (/^(pwsh|powershell)(-preview)?$/.test(name)) {
    return [{ args: ['-Login', '-Command', `& ${quote(program, "''")} -e '${DUMP}'`] }];
  }
  // The only shells without -l beside other flags: the dash before the name means the same.
  if (/^t?csh$/.test(name)) return [{ args: ['-ic', dump], argv0: `-${name}` }, { args: ['-c', dump] }];
  if (name === 'nu') return flags(`^'${program}' -e '${DUMP}'`);
  return flags(name === 'bash' ? `${BASHRC}; ${dump}` : dump);
}

const flags = (line: string): Question[] =>
  [['-i', '-l', '-c'], ['-l', '-c'], ['-c']].map((args) => ({ args: [...args, line] }));

/**
 * A login bash reads one profile and no .bashrc, which is what terminals on Linux read. Most profiles read it themselves; for the
 * others it is read here.
 */
const BASHRC =
  'case "$(cat ~/.bash_profile 2>/dev/null || cat ~/.bash_login 2>/dev/null || cat ~/.profile 2>/dev/null)" in *bashrc*) ;;' +
  ' *) case $- in *i*) [ ! -r ~/.bashrc ] || . ~/.bashrc ;; esac ;; esac';

const quote = (text: string, inner: string): string => `'${text.replaceAll("'", inner)}'`;

function ask(
  shell: string,
  { args, argv0 }: Question,
  own: NodeJS.ProcessEnv,
  limit: number,
): Promise<ShellAnswer> {
  const mark = randomUUID();
  const child = spawn(shell, args, {
    env: { ...own, [MARK]: mark, VSCODE_RESOLVING_ENVIRONMENT: '1', ELECTRON_RUN_AS_NODE: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
    cwd: existsSync(homedir()) ? homedir() : '/',
    // Without a terminal to stop it when it reads from there.
    detached: true,
    ...(argv0 === undefined ? {} : { argv0 }),
  });
  return new Promise((resolve) => {
    const end = (answer: ShellAnswer): void => {
      clearTimeout(timer);
      child.stdout.removeAllListeners('data').destroy();
      resolve(answer);
    };
    const giveUp = (): void => {
      killTree(child.pid ?? 0, true);
      end({ problem: { cause: 'late', seconds: limit / 1_000 } });
    };
    const timer = setTimeout(giveUp, limit);
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      // Not at the end of the output: a daemon that the profile started may hold it open.
      const env = output.includes(mark, output.length - text.length - mark.length) && answerIn(output, mark);
      if (env) {
        leave(child);
        end({ env });
      } else if (output.length > 2 * MAX_OUTPUT) output = output.slice(-MAX_OUTPUT);
    });
    child.once('error', ({ message }) => end({ problem: { cause: 'notStarted', message } }));
    child.once('close', (code) => end({ problem: { cause: 'silent', code } }));
  });
}

/** The shell ends by itself; what its profile started for the person, such as an ssh agent, stays. */
function leave(child: ChildProcess): void {
  const timer = setTimeout(() => child.kill('SIGKILL'), LEAVE);
  child.once('exit', () => clearTimeout(timer));
}

function answerIn(output: string, mark: string): NodeJS.ProcessEnv | undefined {
  const [, json, rest] = output.split(mark);
  if (json === undefined || rest === undefined) return undefined;
  const entries = Object.entries(asObject(JSON.parse(json)) as NodeJS.ProcessEnv);
  return Object.fromEntries(entries.filter(([name]) => !OF_THE_SHELL.includes(name)));
}
