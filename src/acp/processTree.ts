import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** ms between two looks at processes that were asked to end. */
const POLL = 50;
/** Passes of a kill: a process may start another one while we look. */
const PASSES = 3;

/** One row of the table of processes. */
export interface ProcessRow {
  pid: number;
  parent: number;
  group: number;
  /** Id of the session, where the platform tells it. */
  session?: number;
  /** When it started; tells a process from a later one with the same pid. Absent where the platform does not tell. */
  start?: string;
  /** Ended, but not yet collected by its parent. */
  zombie: boolean;
}

/** What differs between platforms. */
export interface ProcessSystem {
  platform: NodeJS.Platform;
  /** Runs a program and does not wait for it; its errors mean that there was nothing to do. */
  run(command: string, args: string[]): void;
}

const thisSystem: ProcessSystem = {
  platform: process.platform,
  run: (command, args) => void execFile(command, args, { windowsHide: true }, () => undefined),
};

/**
 * A process and all that it started, also what was orphaned since or moved to a process group of its own (TE-13, TR-8). The process
 * has to lead a session or a group: a pty and `detached` see to that. Make it right after the start, so that a later process with the
 * same pid is never taken for this one.
 */
export class ProcessTree {
  private readonly start: string | undefined;
  /** pid → start, of everything that was ever seen in the tree. */
  private readonly seen = new Map<number, string | undefined>();

  constructor(
    private readonly root: number,
    private readonly system: ProcessSystem = thisSystem,
  ) {
    this.start = system.platform === 'linux' ? linuxRow(root)?.start : undefined;
    this.seen.set(root, this.start);
  }

  /** Sends a signal to every process of the tree. Windows knows only the forced end. */
  signal(signal: NodeJS.Signals): void {
    // Pid 0 is our own group, 1 the system's first process; a failed start gives no pid.
    if (this.root <= 1 || this.root === process.pid) return;
    if (this.system.platform === 'win32') {
      this.system.run('taskkill', ['/pid', String(this.root), '/T', '/F']);
      return;
    }
    const living = this.look();
    for (const { pid } of living) send(pid, signal);
    // The group as well, for a process that started in between, but only while the group is known to be ours.
    if (living.some((row) => row.group === this.root)) send(-this.root, signal);
  }

  /** SIGKILL to the whole tree, now. */
  kill(): void {
    for (let pass = 0; pass < PASSES; pass++) {
      this.signal('SIGKILL');
      if (this.system.platform !== 'linux' || this.look().length === 0) return;
    }
  }

  /**
   * SIGKILL to what is left when the first process has ended. Windows can't tell it any more, and might have given the id to another
   * process.
   */
  killRest(): void {
    if (this.system.platform !== 'win32') this.kill();
  }

  /** SIGTERM, then SIGKILL to what is still there after `grace` ms. Resolves when that is done. */
  async terminate(grace: number): Promise<void> {
    this.signal('SIGTERM');
    const deadline = Date.now() + grace;
    while (this.look().length > 0 && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, POLL));
    }
    this.kill();
  }

  /** Whether anything of the tree still runs, as far as the platform tells without much work; on Windows it does not: false. */
  alive(): boolean {
    if (this.system.platform === 'linux') return this.look().length > 0;
    return this.system.platform !== 'win32' && this.root > 1 && groupExists(this.root);
  }

  /** The living processes of the tree. */
  private look(): ProcessRow[] {
    if (this.root <= 1 || this.system.platform === 'win32') return [];
    const table = processTable();
    const reused =
      this.start !== undefined && table.some(({ pid, start }) => pid === this.root && start !== this.start);
    const members = treeOf(table, reused ? undefined : this.root, this.seen);
    for (const { pid, start } of members) this.seen.set(pid, start);
    return members.filter((row) => !row.zombie);
  }
}

/**
 * The rows below a root or in its session or group, and those seen before with what they started. A parent comes
 * before its children: signalled the other way round, a shell would go on with its next command. `root` is undefined where its pid
 * belongs to another process by now.
 */
export function treeOf(
  table: readonly ProcessRow[],
  root: number | undefined,
  seen: ReadonlyMap<number, string | undefined>,
): ProcessRow[] {
  const children = new Map<number, ProcessRow[]>();
  for (const row of table) children.set(row.parent, [...(children.get(row.parent) ?? []), row]);
  const found = new Map<number, ProcessRow>();
  const visit = (row: ProcessRow): void => {
    if (found.has(row.pid)) return;
    found.set(row.pid, row);
    for (const child of children.get(row.pid) ?? []) visit(child);
  };
  for (const row of table) {
    const ours = root !== undefined && (row.session === root || row.group === root || row.pid === root);
    if (ours || (seen.has(row.pid) && seen.get(row.pid) === row.start && row.pid !== root)) visit(row);
  }
  return [...found.values()];
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // ESRCH: it ended by itself; EPERM: not ours any more. Nothing is left to stop.
  }
}

function groupExists(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function processTable(): ProcessRow[] {
  if (process.platform !== 'linux') return psTable();
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => linuxRow(Number(name)) ?? []);
}

function linuxRow(pid: number): ProcessRow | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined; // It ended while we looked.
  }
}

/** Reads `/proc/<pid>/stat`. */
export function parseStat(stat: string): ProcessRow {
  // The name in parentheses may hold spaces and parentheses; the fields are counted after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const row: ProcessRow = {
    pid: Number.parseInt(stat, 10),
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    zombie: fields[0] === 'Z' || fields[0] === 'X',
  };
  const start = fields[19];
  return start === undefined ? row : { ...row, start };
}

function psTable(): ProcessRow[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat='], { encoding: 'utf8' });
  return parsePs(typeof stdout === 'string' ? stdout : '');
}

/** Reads the lines of `ps -A -o pid=,ppid=,pgid=,stat=`. */
export function parsePs(text: string): ProcessRow[] {
  return text.split('\n').flatMap((line) => {
    const [pid, parent, group, state] = line.trim().split(/\s+/);
    if (state === undefined) return [];
    return [
      { pid: Number(pid), parent: Number(parent), group: Number(group), zombie: state.startsWith('Z') },
    ];
  });
}
