import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { differingPart, lineFeeds } from '../../core/diff/differingPart';
import type { LineChange } from '../../core/diff/lineChanges';
import { decodeText, encodingOf } from '../files/textCodec';
import { compare, type CompareJob } from './compare';
import { WorkerQueue, type WorkerTimes } from './workerQueue';

/** Lines that came and went; both 0 for what is no text. */
export interface LineCounts {
  added: number;
  removed: number;
  binary: boolean;
}

/** Bytes or UTF-16 units of both sides, without what they begin and end with, that are compared at once. */
const SMALL = 65_536;
/** Bytes or units of both sides beyond which nothing is compared. */
const HUGE = 64 * 1_048_576;
const TIMES: WorkerTimes = { limit: 3_000, linger: 1_000 };
/** Bytes that are looked at in one go, and lines that are counted in one go: below 1 ms each. */
const PIECE = { bytes: 1_048_576, lines: 20_000 };

/** Compares contents by lines without holding up the thread that it is called in: what is not small goes to a worker thread. */
export class LineComparer {
  private readonly queue: WorkerQueue;
  private ids = 0;

  /**
   * @param file the worker's script, `diffWorker.js`
   * @param times beyond the limit, and where the worker fails, what differs counts as one replaced piece
   */
  constructor(file: string, times = TIMES) {
    this.queue = new WorkerQueue(file, times);
  }

  /** Whether there is a thread now; when all is done it soon ends. */
  get hasThread(): boolean {
    return this.queue.isRunning;
  }

  /** How many lines came and went; every byte counts, so that other line ends do too. Never rejects. */
  async count(before: Uint8Array, after: Uint8Array): Promise<LineCounts> {
    const encodings = [encodingOf(before), encodingOf(after)];
    if (encodings.includes(undefined)) return { added: 0, removed: 0, binary: true };
    const isWide = encodings.some((encoding) => encoding?.startsWith('utf16'));
    const [old, now] = isWide
      ? differingText(decodeText(before) ?? '', decodeText(after) ?? '')
      : await differingBytes(toBuffer(before), toBuffer(after));
    const numbers = await this.compare('count', old, now);
    const [added = 0, removed = 0] = numbers ?? [await linesOf(now), await linesOf(old)];
    return { added, removed, binary: false };
  }

  /** The runs of lines that differ, in order. Never rejects. */
  async changes(before: string, after: string): Promise<LineChange[]> {
    const { start, oldEnd, newEnd } = differingPart(before, after);
    const [old, now] = [before.slice(start, oldEnd), after.slice(start, newEnd)];
    const skipped = lineFeeds(before, start);
    const compared = await this.compare('changes', old, now);
    const numbers = [...(compared ?? [0, await linesOf(old), 0, await linesOf(now)])];
    const changes: LineChange[] = [];
    for (let at = 0; at < numbers.length; at += 4) {
      const [oldStart = 0, oldStop = 0, newStart = 0, newStop = 0] = numbers
        .slice(at, at + 4)
        .map((line) => line + skipped);
      changes.push({ oldStart, oldEnd: oldStop, newStart, newEnd: newStop });
    }
    return changes;
  }

  /** Ends the thread; what waits is answered as one replaced piece. */
  dispose(): void {
    this.queue.dispose();
  }

  /** Undefined where it takes too long or fails. */
  private async compare(
    want: CompareJob['want'],
    before: Part,
    after: Part,
  ): Promise<Uint32Array | undefined> {
    const length = before.length + after.length;
    if (length === 0) return new Uint32Array(0);
    if (length > HUGE) return undefined;
    const job = { id: ++this.ids, want, before: toLetters(before), after: toLetters(after) };
    return length < SMALL ? compare(job).numbers : (await this.queue.run(job))?.numbers;
  }
}

type Part = Buffer | string;

/** A letter for each byte: all bytes count then, and the line feed is the same in all encodings but UTF-16. */
const toLetters = (part: Part): string => (typeof part === 'string' ? part : part.toString('latin1'));

const toBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** What lies between the lines that both begin and end with. */
function differingText(before: string, after: string): [string, string] {
  const { start, oldEnd, newEnd } = differingPart(before, after);
  return [before.slice(start, oldEnd), after.slice(start, newEnd)];
}

/** The same for bytes, of which there may be very many. */
async function differingBytes(before: Buffer, after: Buffer): Promise<[Part, Part]> {
  if (before.length + after.length < SMALL) return differingText(toLetters(before), toLetters(after));
  const shorter = Math.min(before.length, after.length);
  const same = await sameBytes(shorter, (from, to) => [before.subarray(from, to), after.subarray(from, to)]);
  const start = same === 0 ? 0 : before.lastIndexOf(0x0a, same - 1) + 1;
  const endOf = (bytes: Buffer, from: number, to: number): Buffer =>
    Buffer.from(bytes.subarray(bytes.length - to, bytes.length - from)).reverse();
  const tail = await sameBytes(shorter - same, (from, to) => [
    endOf(before, from, to),
    endOf(after, from, to),
  ]);
  // Both go on alike from here, so one of them tells where the line ends.
  const lineEnd = before.indexOf(0x0a, before.length - tail);
  const kept = lineEnd < 0 ? 0 : before.length - lineEnd - 1;
  return [before.subarray(start, before.length - kept), after.subarray(start, after.length - kept)];
}

/** How many bytes are the same on both sides, in pieces, so that a huge file holds nothing up. */
async function sameBytes(
  length: number,
  piece: (from: number, to: number) => [Buffer, Buffer],
): Promise<number> {
  for (let from = 0; from < length; from += PIECE.bytes) {
    if (from > 0) await setImmediate();
    const [one, other] = piece(from, Math.min(length, from + PIECE.bytes));
    if (one.equals(other)) continue;
    let at = 0;
    while (one[at] === other[at]) at++;
    return from + at;
  }
  return length;
}

/** How many lines a part has, counted in pieces. */
async function linesOf(part: Part): Promise<number> {
  let count = 0;
  let from = 0;
  for (let at = part.indexOf('\n'); at >= 0; at = part.indexOf('\n', from)) {
    from = at + 1;
    if (++count % PIECE.lines === 0) await setImmediate();
  }
  return from < part.length ? count + 1 : count;
}

const shared = new LineComparer(join(__dirname, 'diffWorker.js'));

/** How many lines came and went between two contents of a file; both 0 for what is no text. Neither blocks for long nor rejects. */
export function countChanges(before: Uint8Array, after: Uint8Array): Promise<LineCounts> {
  return shared.count(before, after);
}
