import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { Emitter, type Event } from '../core/emitter';
import { AgentError } from '../core/errors';
import type { EnvironmentOrigin } from '../core/launch/environment';
import { ProcessTree } from './processTree';
import type { CommandLine, ResolvedCommand } from './resolveCommand';

/** UTF-16 units of what an agent printed that are kept for the message about its end. */
const TAIL = 4_000;
/** ms to wait, after the exit, for the last words on stdout and stderr; a grandchild may hold the pipes open. */
const DRAIN = 250;

export interface LaunchPlan {
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** True hands `command` and `args` to the platform's shell as one line. */
  shell: boolean;
  /** ms that the agent may take to answer `initialize` (IN-12). */
  startTimeout: number;
  /** Where `env` comes from, for the message that the command was not found. */
  origin?: EnvironmentOrigin;
}

export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The last lines that it printed: stderr, and what was no message on stdout. */
  stderr: string;
}

/** A running agent. */
export interface AgentProcess {
  readonly pid: number;
  /** ms since the epoch at which it was there. */
  readonly spawnedAt: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly onStderr: Event<string>;
  /** Settles once, after stdout and stderr were read to their ends or for at most 250 ms. */
  readonly exited: Promise<ProcessExit>;
  /** The last lines that it printed so far. */
  printedTail(): string;
  /** Adds a line of stdout that is no message to what was printed: many programs complain there. */
  addPrinted(line: string): void;
  /** Closes stdin, then TERM to the tree, then KILL; `grace` ms between the steps (TR-8). Resolves when the process is gone. */
  stop(grace?: number): Promise<void>;
  /** KILL to the tree, now. */
  kill(): void;
}

/**
 * Starts an agent: the program that its command means on the PATH that the agent is going to have (TR-1).
 *
 * @throws AgentError if the program or its folder is missing, or it can't be run.
 */
export async function launchAgent(plan: LaunchPlan): Promise<AgentProcess> {
  const { cwd } = plan;
  // The system says the same of a missing folder as of a missing program.
  if (!(await isFolder(cwd))) throw new AgentError({ reason: 'noFolder', folder: cwd });
  const { file, args, env } = await resolveLine(plan);
  const verbatim = typeof args === 'string';
  const child = spawn(file, verbatim ? [args] : args, {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    // A process group of its own, so that the whole tree can be signalled.
    detached: process.platform !== 'win32',
    windowsHide: true,
    windowsVerbatimArguments: verbatim,
  });
  const failed = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    child.once('spawn', () => resolve(undefined));
    child.once('error', resolve);
  });
  if (failed) {
    const { startFailure } = await import('./resolveCommand');
    throw new AgentError(await startFailure(file, failed));
  }
  return watch(child);
}

/**
 * What runs for a command.
 *
 * @throws AgentError where nothing can.
 */
export async function resolveLine(line: CommandLine): Promise<ResolvedCommand> {
  // Needed with the first agent, not with the window.
  const { resolveCommand } = await import('./resolveCommand');
  const found = await resolveCommand(line);
  if ('reason' in found) throw new AgentError(found);
  return found;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

/** The last lines that an agent printed. */
class PrintedTail {
  private text = '';

  add(text: string): void {
    this.text += text;
    // Cut now and then, not at each piece.
    if (this.text.length > 2 * TAIL) this.text = this.cut();
  }

  addLine(line: string): void {
    const start = this.text === '' || this.text.endsWith('\n') ? '' : '\n';
    this.add(`${start}${line}\n`);
  }

  toString(): string {
    return this.cut().trim();
  }

  /** From the start of a line, if there is one. */
  private cut(): string {
    if (this.text.length <= TAIL) return this.text;
    const end = this.text.slice(-TAIL);
    const line = end.indexOf('\n');
    return line >= 0 && line < TAIL / 2 ? end.slice(line + 1) : end;
  }
}

function watch(child: ChildProcessWithoutNullStreams): AgentProcess {
  const pid = child.pid ?? 0;
  const tree = new ProcessTree(pid);
  const stderr = new Emitter<string>();
  const decoder = new StringDecoder('utf8');
  const printed = new PrintedTail();
  // Always drained: a full pipe would block the agent (TR-6).
  child.stderr.on('data', (chunk: Buffer) => {
    const text = decoder.write(chunk);
    printed.add(text);
    stderr.fire(text);
  });
  // EPIPE when the agent is gone; the exit tells it.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined);
  child.on('error', () => undefined);
  return {
    pid,
    spawnedAt: Date.now(),
    stdin: child.stdin,
    stdout: child.stdout,
    onStderr: stderr.event,
    exited: whenExited(child, tree, printed),
    printedTail: () => printed.toString(),
    addPrinted: (line) => printed.addLine(line),
    stop: (grace = 1_000) => stopLadder(child, tree, grace),
    kill: () => tree.kill(),
  };
}

function whenExited(
  child: ChildProcessWithoutNullStreams,
  tree: ProcessTree,
  printed: PrintedTail,
): Promise<ProcessExit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      const finish = (): void => {
        clearTimeout(timer);
        // What it started and left behind holds its pipes and serves nobody.
        tree.killRest();
        resolve({ code, signal, stderr: printed.toString() });
      };
      const timer = setTimeout(finish, DRAIN);
      child.once('close', finish);
    });
  });
}

async function stopLadder(
  child: ChildProcessWithoutNullStreams,
  tree: ProcessTree,
  grace: number,
): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
  // Looks at the tree while it stands: afterwards it would be unknown who belonged to it.
  tree.alive();
  child.stdin.end();
  if (!(await within(gone, grace))) tree.signal('SIGTERM');
  if (!(await within(gone, grace))) tree.kill();
  await within(gone, grace);
  tree.killRest();
}

async function within(done: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
  const result = await Promise.race([done.then(() => true), late]);
  clearTimeout(timer);
  return result;
}
