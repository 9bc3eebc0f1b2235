/** What to start; the environment lacks `TERM` unless the agent set it. */
export interface TerminalPlan {
  file: string;
  args: string[];
  /** A Windows command line in place of `args`. */
  verbatim?: string;
  cwd: string;
  env: Record<string, string>;
  cols?: number;
  rows?: number;
  /** Gets all output, decoded; nothing comes after the exit. */
  onData(text: string): void;
}

export interface TerminalExit {
  code: number | null;
  /** `SIGKILL` and the like. */
  signal: string | null;
}

/** A command that runs in a terminal of its own. */
export interface PtyProcess {
  readonly pid: number;
  /** `pipe` has no terminal: no typing, no resizing, LF as the program wrote it. */
  readonly mode: 'pty' | 'pipe';
  /** Settles once, after all output was delivered. */
  readonly exited: Promise<TerminalExit>;
  write(text: string): void;
  resize(cols: number, rows: number): void;
  /** Stops and starts the reading of output; the command waits meanwhile once the system's buffer is full. */
  pause(): void;
  resume(): void;
  /** TERM to the whole tree, KILL after two seconds. */
  kill(): void;
  /** KILL to the whole tree, now: also to what outlived the command. */
  killNow(): void;
  /** True if processes that the command started still run after it. */
  hasLeftovers(): boolean;
}

/** How commands are started: `pipes` where node-pty can't be loaded. */
export interface SpawnerState {
  mode: 'pty' | 'pipes';
  /** What the system said, where something failed. */
  problem?: string;
}

/** Starts commands. */
export interface TerminalSpawner {
  /** How the next command would be started. */
  state?(): SpawnerState;
  /** @throws if the system can't start a process. */
  spawn(plan: TerminalPlan): PtyProcess;
}

/** Size of a terminal that nobody looks at. */
export const COLS = 120;
export const ROWS = 30;
/** ms from TERM to KILL. */
export const KILL_GRACE = 2_000;
