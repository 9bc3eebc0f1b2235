import { spawn, type ChildProcess } from 'node:child_process';
import type { Disposable } from '../../core/lifecycle';

export interface WatchdogOptions {
  /** Arguments of node that run the watchdog's program. */
  args: readonly string[];
  log: (line: string) => void;
}

/**
 * Sees to it that no command outlives the extension host, even where that crashes or is killed and can do nothing itself (TE-13). A
 * small process holds the other end of a pipe, which the system closes in any case; see watchdogMain.ts. It is started with the first
 * command.
 */
export class Watchdog implements Disposable {
  private readonly pids = new Set<number>();
  private child: ChildProcess | undefined;
  private disposed = false;

  constructor(private readonly options: WatchdogOptions) {}

  /** Pid of the watchdog; undefined while it does not run. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** From now on the process and all below it end with the extension host. Call it right after the start of the process. */
  watch(pid: number): void {
    if (this.disposed || pid <= 1 || this.pids.has(pid)) return;
    this.pids.add(pid);
    if (this.child) this.tell(`+${pid}`);
    else this.start();
  }

  /** The process is gone, or is meant to live on. */
  unwatch(pid: number): void {
    if (this.pids.delete(pid)) this.tell(`-${pid}`);
  }

  /** Lets the watchdog end; what is still on its list ends too. */
  dispose(): void {
    this.disposed = true;
    this.child?.stdin?.end();
  }

  private start(): void {
    const { PATH, SystemRoot } = process.env;
    const child = spawn(process.execPath, this.options.args, {
      // What finding `ps` and `taskkill` needs, and no options of the editor's own processes.
      env: { PATH, SystemRoot, ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['pipe', 'ignore', 'ignore'],
      // Not in our process group: a signal to that must not end it first.
      detached: true,
      windowsHide: true,
    });
    this.child = child;
    child.once('error', (error) => this.lost(child, error.message));
    child.once('exit', (code, signal) => this.lost(child, signal ?? `exit code ${code}`));
    // EPIPE when it is gone; its exit tells it.
    child.stdin.on('error', () => undefined);
    child.unref();
    for (const pid of this.pids) this.tell(`+${pid}`);
  }

  private lost(child: ChildProcess, why: string): void {
    if (this.child !== child) return;
    // The next command starts another one, which is told all pids.
    this.child = undefined;
    if (!this.disposed) this.options.log(`The watchdog of commands ended: ${why}`);
  }

  private tell(line: string): void {
    this.child?.stdin?.write(`${line}\n`);
  }
}
