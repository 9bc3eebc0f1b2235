import { closeSync, mkdirSync, openSync, readFileSync, readSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { ErrorCode } from '../../core/acp';
import { WireError } from '../../core/errors';
import { isObject } from '../../core/json';
import { failureText } from '../access/failureText';
import type { AgentEvent, TimedEvent } from './event';

const NEWLINE = 0x0a;

/**
 * The file of a session's events, one JSON object a line. Each event is handed to the system before the next thing happens, so that a
 * process that is killed loses none: synchronous writes, which are small and rare beside a model call. A file that someone else wrote
 * to or deleted is not written to any more: two that give out the same ids would make one of two conversations.
 */
export class EventLog {
  /** @param size bytes of the file as it was read; 0: it is not there yet. */
  constructor(
    private readonly path: string,
    private size: number,
    private readonly now: () => number,
  ) {}

  /** Adds an event. Throws -32002 where the file is no longer the one that this log wrote last, else a sentence where it can't be written. */
  append(event: AgentEvent): void {
    try {
      this.write(`${JSON.stringify({ at: this.now(), ...event })}\n`);
    } catch (error) {
      if (error instanceof WireError) throw error;
      throw new WireError(
        ErrorCode.internal,
        `The session can't be kept in ${this.path}: ${failureText(error)}`,
      );
    }
  }

  private write(line: string): void {
    if (this.size === 0) mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    const found = statSync(this.path, { throwIfNoEntry: false });
    if ((found?.size ?? 0) !== this.size) throw WireError.notFound('The session as it was here');
    const file = openSync(this.path, 'a+', 0o600);
    try {
      // A process that was killed may have left half a line, which must not swallow the next one.
      const text = isTorn(file, this.size) ? `\n${line}` : line;
      this.size += writeSync(file, text);
    } finally {
      closeSync(file);
    }
  }
}

/** True where the file ends in the middle of a line. */
function isTorn(file: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE;
}

/** The events of a text of lines; torn lines and those of unknown kinds without a type are left out. */
export function parseEvents(text: string): TimedEvent[] {
  return text.split('\n').flatMap((line) => {
    if (line.trim() === '') return [];
    try {
      const event: unknown = JSON.parse(line);
      return isObject(event) && typeof event['type'] === 'string' ? [event as unknown as TimedEvent] : [];
    } catch {
      return []; // Half a line of a process that was killed.
    }
  });
}

/** Reads the events of a file, and how many bytes it has. Throws where there is none. */
export function readEvents(path: string): { events: TimedEvent[]; size: number } {
  const bytes = readFileSync(path);
  return { events: parseEvents(bytes.toString('utf8')), size: bytes.length };
}
