import { readFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { LogReader, metaLine } from '../../core/history/log';
import type { SessionState } from '../../core/session/state';

const NEWLINE = 10;
/** Bytes that are read between two looks at what else there is to do. */
const SLICE = 500_000;

export interface ReadLog {
  /** Undefined where there is nothing to show, or a later Parley wrote it. */
  session: { state: SessionState; at: number } | undefined;
  /** Whole lines that could not be read; a torn last line is not counted. */
  unreadable: number;
}

/** Reads a log and makes a session of it. Throws only where the file cannot be read. */
export async function readLog(file: string): Promise<ReadLog> {
  const reader = new LogReader('');
  const rest = await eachLine(file, (line) => reader.take(line));
  const { unreadable } = reader;
  // A crash may have torn it; if it is whole, it counts.
  reader.take(rest);
  return { session: reader.finish(), unreadable };
}

/** Lines with what a log holds under `_meta`, the newest ones, at most `maxBytes` long together. */
export async function readMetaLines(file: string, maxBytes: number): Promise<string[]> {
  const lines: string[] = [];
  await eachLine(file, (line) => {
    const meta = metaLine(line);
    if (meta !== undefined) lines.push(meta);
  }).catch(() => undefined);
  return newest(lines, maxBytes);
}

/** The last lines that together are at most `max` bytes long. */
function newest(lines: string[], max: number): string[] {
  let left = max;
  let from = lines.length;
  while (from > 0 && left >= 0) left -= Buffer.byteLength(lines[--from] ?? '') + 1;
  return lines.slice(left < 0 ? from + 1 : from);
}

/** Calls for each line that has an end, and gives what follows the last one. */
async function eachLine(file: string, take: (line: string) => void): Promise<string> {
  const bytes = await readFile(file);
  let from = 0;
  let pause = SLICE;
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
    take(bytes.toString('utf8', from, end));
    from = end + 1;
    if (from < pause) continue;
    pause = from + SLICE;
    await setImmediate();
  }
  return bytes.toString('utf8', from);
}
