import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { Emitter, type Event } from '../core/emitter';
import { AgentError, type AgentFailure } from '../core/errors';
import { killTree } from './killTree';

/** UTF-16 units of stderr that are kept for the message about an exit. */
const STDERR_TAIL = 4_000;
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
}

export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Last lines of stderr. */
  stderr: string;
}

/** A running agent. */
export interface AgentProcess {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly onStderr: Event<string>;
  /** Settles once, after stdout and stderr were read to their ends or for at most 250 ms. */
  readonly exited: Promise<ProcessExit>;
  /** The last lines of stderr so far. */
  stderrTail(): string;
  /** Closes stdin, then TERM to the tree, then KILL; `grace` ms between the steps (TR-8). Resolves when the process is gone. */
  stop(grace?: number): Promise<void>;
  /** KILL to the tree, now. */
  kill(): void;
}

/**
 * Starts an agent.
 *
 * @throws AgentError if the program is missing or can't be run.
 */
export async function launchAgent(plan: LaunchPlan): Promise<AgentProcess> {
  const child = spawn(plan.command, plan.args, {
    cwd: plan.cwd,
    env: plan.env,
    shell: plan.shell,
    stdio: ['pipe', 'pipe', 'pipe'],
    // A process group of its own, so that the whole tree can be signalled.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(new AgentError(spawnFailure(error, plan.command))),
    );
  });
  return watch(child);
}

function spawnFailure(error: NodeJS.ErrnoException, command: string): AgentFailure {
  if (error.code === 'ENOENT') return { reason: 'commandNotFound', command };
  if (error.code === 'EACCES' || error.code === 'ENOEXEC') return { reason: 'notExecutable', command };
  return { reason: 'spawnFailed', command, message: error.message };
}

function watch(child: ChildProcessWithoutNullStreams): AgentProcess {
  const pid = child.pid ?? 0;
  const stderr = new Emitter<string>();
  const decoder = new StringDecoder('utf8');
  let tail = '';
  // Always drained: a full pipe would block the agent (TR-6).
  child.stderr.on('data', (chunk: Buffer) => {
    const text = decoder.write(chunk);
    tail = (tail + text).slice(-STDERR_TAIL);
    stderr.fire(text);
  });
  // EPIPE when the agent is gone; the exit tells it.
  child.stdin.on('error', () => undefined);
  child.on('error', () => undefined);
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once('exit', (code, signal) => {
      const finish = (): void => resolve({ code, signal, stderr: tail.trim() });
      const timer = setTimeout(finish, DRAIN);
      child.once('close', () => {
        clearTimeout(timer);
        finish();
      });
    });
  });
  return {
    pid,
    stdin: child.stdin,
    stdout: child.stdout,
    onStderr: stderr.event,
    exited,
    stderrTail: () => tail.trim(),
    stop: (grace = 1_000) => stopLadder(child, pid, grace),
    kill: () => killTree(pid, true),
  };
}

async function stopLadder(child: ChildProcessWithoutNullStreams, pid: number, grace: number): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
  child.stdin.end();
  if (!(await within(gone, grace))) killTree(pid, false);
  if (!(await within(gone, grace))) killTree(pid, true);
  await within(gone, grace);
  // Children that outlived the agent are in its process group.
  killTree(pid, true);
}

async function within(done: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
  const result = await Promise.race([done.then(() => true), late]);
  clearTimeout(timer);
  return result;
}
