import { WireError } from '../errors';

/** Which part of a file is asked for. */
export interface LineRange {
  /** 1-based first line; absent, null and 0 mean the beginning. */
  line?: number | null | undefined;
  /** Number of lines; absent and null mean to the end. */
  limit?: number | null | undefined;
}

/**
 * Reads the range of a request.
 *
 * @throws WireError -32602 where it is malformed (FS-12).
 */
export function parseRange({ line, limit }: { line?: unknown; limit?: unknown }): LineRange {
  return { line: wholeNumber(line, 'line'), limit: wholeNumber(limit, 'limit') };
}

/**
 * The exact text of some lines, line ends included (FS-4). The empty line after a last line end counts as a line; beyond it is an
 * error that tells the number of lines (FS-5).
 *
 * @throws WireError -32602 for a malformed range (FS-12) or one that begins beyond the end.
 */
export function sliceLines(text: string, range: LineRange): string {
  const { line, limit } = parseRange(range);
  const first = Math.max(1, line ?? 1);
  const start = lineStart(text, 0, first - 1);
  if (start === undefined) {
    const lines = countLines(text);
    throw WireError.invalidParams(`The file has ${lines} lines; line ${first} is beyond its end.`, { lines });
  }
  if (limit === undefined || limit === null) return text.slice(start);
  return text.slice(start, lineStart(text, start, limit) ?? text.length);
}

function wholeNumber(value: unknown, name: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw WireError.invalidParams(`"${name}" must be a whole number of at least 0.`);
}

/** Offset of the line that is `count` lines after the one at `from`; undefined where there is none. */
function lineStart(text: string, from: number, count: number): number | undefined {
  let at = from;
  for (let i = 0; i < count; i++) {
    const next = lineEnd(text, at);
    if (next === undefined) return undefined;
    at = next;
  }
  return at;
}

/** Offset after the next line end (LF, CRLF, or a lone CR as the editor counts it). */
function lineEnd(text: string, from: number): number | undefined {
  for (let i = from; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 10) return i + 1;
    if (unit === 13) return text.charCodeAt(i + 1) === 10 ? i + 2 : i + 1;
  }
  return undefined;
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = lineEnd(text, 0); at !== undefined; at = lineEnd(text, at)) lines++;
  return lines;
}
