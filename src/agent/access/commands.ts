import type { TerminalExitStatus, ToolCallContent } from '../../core/acp';
import { OutputBuffer, utf8Length } from '../../core/terminal/outputBuffer';
import { firstBytes } from '../tools/bounds';

/** A command to run in the session's folder. */
export interface CommandRun {
  command: string;
  cwd: string;
  signal: AbortSignal;
  timeLimitMs: number;
  /** Told whenever the card should show something else: a terminal, or the output so far. */
  show(content: ToolCallContent[]): void;
}

/** How a command ended, and what it printed, with a remark where something of it was left out. */
export interface CommandEnd extends TerminalExitStatus {
  output: string;
  timedOut: boolean;
}

/** Runs command lines of the platform's shell. */
export interface CommandAccess {
  run(run: CommandRun): Promise<CommandEnd>;
}

/** Most bytes of output that are kept. */
export const OUTPUT_LIMIT = 64 * 1024;

/** Bytes of them for the beginning. */
const HEAD_LIMIT = 16 * 1024;

/** Keeps the beginning and the end of an output. */
export class CommandOutput {
  private head = '';
  private isHeadFull = false;
  private headBytes = 0;
  private bytes = 0;
  private readonly tail = new OutputBuffer(OUTPUT_LIMIT - HEAD_LIMIT);

  append(text: string): void {
    this.bytes += utf8Length(text);
    const first = this.isHeadFull ? '' : firstBytes(text, HEAD_LIMIT - this.headBytes);
    this.head += first;
    this.headBytes += utf8Length(first);
    if (first.length === text.length) return;
    this.isHeadFull = true;
    this.tail.append(text.slice(first.length));
  }

  /** All that is kept. */
  text(): string {
    const tail = this.tail.text();
    if (!this.tail.truncated) return this.head + tail;
    const left = this.bytes - this.headBytes - utf8Length(tail);
    return `${this.head}\n\n[Note: ${left} bytes were left out here.]\n\n${tail}`;
  }
}

/** The end of an output of which others kept only that. */
export function outputTail(text: string, isCut: boolean): string {
  const tail = new OutputBuffer(OUTPUT_LIMIT);
  tail.append(text);
  return isCut || tail.truncated ? `[Note: The beginning was left out.]\n\n${tail.text()}` : text;
}

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
