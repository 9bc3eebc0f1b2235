import { chmodSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type * as NodePty from 'node-pty';
import { ProcessTree } from '../../acp/processTree';
import { toExit } from './exitStatus';
import { spawnPiped } from './pipeProcess';
import { drainOnDestroy } from './ptyDrain';
import {
  COLS,
  KILL_GRACE,
  ROWS,
  type PtyProcess,
  type SpawnerState,
  type TerminalExit,
  type TerminalPlan,
  type TerminalSpawner,
} from './ptyProcess';

interface SpawnerOptions {
  /** Absolute path of node-pty's main file; undefined uses pipes from the start. */
  nodePty: string | undefined;
  log: (line: string) => void;
}

/**
 * Starts commands in a pty by node-pty, which is native code and may be missing or unfit for the platform: then, and for good, with
 * pipes. It is loaded at the first command, so that no failure of it keeps the extension from starting.
 */
export class PtySpawner implements TerminalSpawner {
  private loaded: typeof NodePty | null | undefined;
  private problem: string | undefined;

  constructor(private readonly options: SpawnerOptions) {}

  state(): SpawnerState {
    const mode = this.load() ? 'pty' : 'pipes';
    return this.problem === undefined ? { mode } : { mode, problem: this.problem };
  }

  spawn(plan: TerminalPlan): PtyProcess {
    const pty = this.load();
    if (pty) {
      try {
        return spawnPty(pty, plan);
      } catch (error) {
        this.failed('The pseudoterminal could not be opened, pipes are used instead', error);
      }
    }
    return spawnPiped(plan);
  }

  private load(): typeof NodePty | null {
    if (this.loaded !== undefined) return this.loaded;
    this.loaded = null;
    const { nodePty } = this.options;
    if (nodePty === undefined) return null;
    try {
      if (process.platform === 'darwin') makeHelperExecutable(dirname(dirname(nodePty)));
      this.loaded = createRequire(nodePty)(nodePty) as typeof NodePty;
    } catch (error) {
      this.failed('node-pty could not be loaded, commands run with pipes', error);
    }
    return this.loaded;
  }

  private failed(what: string, error: unknown): void {
    this.problem = String(error);
    this.options.log(`${what}: ${this.problem}`);
  }
}

/** An archive tool may have dropped the mode of the program that node-pty starts everything through. */
function makeHelperExecutable(folder: string): void {
  const prebuilds = join(folder, 'prebuilds');
  for (const name of readdirSync(prebuilds).filter((entry) => entry.startsWith('darwin'))) {
    chmodSync(join(prebuilds, name, 'spawn-helper'), 0o755);
  }
}

function spawnPty(node: typeof NodePty, plan: TerminalPlan): PtyProcess {
  const term = plan.env['TERM'] ?? 'xterm-256color';
  const child = node.spawn(plan.file, plan.verbatim ?? plan.args, {
    // node-pty makes the name the value of TERM, whatever the environment says.
    name: term,
    cols: plan.cols ?? COLS,
    rows: plan.rows ?? ROWS,
    cwd: plan.cwd,
    env: { ...plan.env, TERM: term },
  });
  const { pid } = child;
  const tree = new ProcessTree(pid);
  let ended = false;
  child.onData((text) => plan.onData(text));
  drainOnDestroy(child, (text) => plan.onData(text));
  const exited = new Promise<TerminalExit>((resolve) => {
    child.onExit(({ exitCode, signal }) => {
      ended = true;
      resolve(toExit(exitCode, signal, process.platform === 'win32'));
    });
  });
  /** The file descriptor is closed at the exit, and its number may be another file's by then. */
  const whileOpen = (act: () => void): void => {
    if (!ended) act();
  };
  return {
    pid,
    mode: 'pty',
    exited,
    write: (text) => whileOpen(() => child.write(text)),
    resize: (cols, rows) => whileOpen(() => child.resize(Math.max(1, cols), Math.max(1, rows))),
    pause: () => whileOpen(() => child.pause()),
    resume: () => whileOpen(() => child.resume()),
    kill: () => whileOpen(() => void tree.terminate(KILL_GRACE)),
    killNow: () => tree.kill(),
    hasLeftovers: () => tree.alive(),
  };
}
