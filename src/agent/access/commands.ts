import type { TerminalExitStatus, ToolCallContent } from '../../core/acp';

/** A command to run in the session's folder. */
export interface CommandRun {
  command: string;
  cwd: string;
  signal: AbortSignal;
  timeLimitMs: number;
  /** Told whenever the card should show something else: a terminal, or the output so far. */
  show(content: ToolCallContent[]): void;
}

/** How a command ended, and the tail of what it printed. */
export interface CommandEnd extends TerminalExitStatus {
  output: string;
  timedOut: boolean;
}

/** Runs command lines of the platform's shell. */
export interface CommandAccess {
  run(run: CommandRun): Promise<CommandEnd>;
}

/** Most bytes of output that are kept; the end of it is kept. */
export const OUTPUT_LIMIT = 64 * 1024;

/** Calls `stop` once when the time is over; the function that it gives ends the watch and tells whether it was. */
export function watchTime(limitMs: number, stop: () => void): () => boolean {
  let over = false;
  const timer = setTimeout(() => {
    over = true;
    stop();
  }, limitMs);
  return () => {
    clearTimeout(timer);
    return over;
  };
}
