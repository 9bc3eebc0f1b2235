import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { ProcessTree } from '../../acp/processTree';
import { toExit } from './exitStatus';
import { KILL_GRACE, type PtyProcess, type TerminalExit, type TerminalPlan } from './ptyProcess';

/** ms without output after which an exited command is taken to have said all; something it started may hold the pipes open. */
const QUIET = 100;
/** ms after the exit at which output is no longer waited for. */
const DRAIN_LIMIT = 2_000;

/** Starts a command with pipes: closed stdin, stdout and stderr merged, `TERM=dumb` (TE-15). */
export function spawnPiped(plan: TerminalPlan): PtyProcess {
  const child = spawn(plan.file, plan.verbatim === undefined ? plan.args : [plan.verbatim], {
    cwd: plan.cwd,
    env: { ...plan.env, TERM: plan.env['TERM'] ?? 'dumb' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A session of its own, so that the whole tree can be signalled.
    detached: process.platform !== 'win32',
    windowsHide: true,
    windowsVerbatimArguments: plan.verbatim !== undefined,
  });
  const output = new PipeOutput([child.stdout, child.stderr], (text) => plan.onData(text));
  const tree = new ProcessTree(child.pid ?? 0);
  const exited = exitOf(child, output);
  return {
    pid: child.pid ?? 0,
    mode: 'pipe',
    exited,
    write: () => undefined,
    resize: () => undefined,
    pause: () => output.pause(),
    resume: () => output.resume(),
    kill: () => {
      if (child.exitCode === null && child.signalCode === null) void tree.terminate(KILL_GRACE);
    },
    killNow: () => tree.kill(),
    hasLeftovers: () => tree.alive(),
  };
}

function exitOf(child: ChildProcess, output: PipeOutput): Promise<TerminalExit> {
  return new Promise((resolve) => {
    const closed = new Promise<void>((done) => child.once('close', () => done()));
    child.once('error', (error: NodeJS.ErrnoException) => {
      // No process: as a shell tells it.
      output.say(`${error.message}\n`);
      resolve({ code: error.code === 'ENOENT' ? 127 : 126, signal: null });
    });
    child.once('exit', (code, signal) => {
      void Promise.race([closed, output.quiet()]).then(() => {
        output.end();
        resolve(toExit(code, signal, process.platform === 'win32'));
      });
    });
  });
}

/** The merged output of a command. Each pipe has a decoder of its own: a character may come in two chunks. */
class PipeOutput {
  private ended = false;
  private exiting = false;
  private chunks = 0;

  constructor(
    private readonly pipes: readonly Readable[],
    private readonly onData: (text: string) => void,
  ) {
    for (const pipe of pipes) {
      const decoder = new StringDecoder('utf8');
      pipe.on('data', (chunk: Buffer) => this.say(decoder.write(chunk)));
      pipe.on('end', () => this.say(decoder.end()));
      // The other end is gone; the exit tells it.
      pipe.on('error', () => undefined);
    }
  }

  say(text: string): void {
    this.chunks++;
    if (!this.ended && text !== '') this.onData(text);
  }

  pause(): void {
    if (!this.exiting) for (const pipe of this.pipes) pipe.pause();
  }

  resume(): void {
    for (const pipe of this.pipes) pipe.resume();
  }

  /** From now on output is read but dropped: what still runs must not block on a full pipe. */
  end(): void {
    this.ended = true;
  }

  /** Resolves when nothing came for a while. */
  async quiet(): Promise<void> {
    this.exiting = true;
    this.resume();
    const deadline = Date.now() + DRAIN_LIMIT;
    for (let before = -1; before !== this.chunks && Date.now() < deadline;) {
      before = this.chunks;
      await new Promise((resolve) => setTimeout(resolve, QUIET));
      // Timers come before reading: after a blocked loop, what waits is read first.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

/** Stands for a command that could not be started: says why and ends, as a shell does. */
export function failedCommand(message: string, code: number, onData: (text: string) => void): PtyProcess {
  const nothing = (): void => undefined;
  return {
    pid: 0,
    mode: 'pipe',
    exited: Promise.resolve().then(() => {
      onData(`${message}\n`);
      return { code, signal: null };
    }),
    write: nothing,
    resize: nothing,
    pause: nothing,
    resume: nothing,
    kill: nothing,
    killNow: nothing,
    hasLeftovers: () => false,
  };
}
