import { lineChanges } from '../diff/lineChanges';

/** A line of a file: its bytes without the line end, and how it ends. */
interface RawLine {
  bytes: Uint8Array;
  end: string;
}

/** The lines of a file: what follows the last line feed is the last line, perhaps an empty one. */
interface RawText {
  /** The byte order mark, perhaps of no bytes. */
  mark: Uint8Array;
  lines: RawLine[];
}

/** How to make the bytes of a file into those of another text, as far as the encoding need not be known. */
export interface BytePatch {
  /** The lines that go, joined by line feeds; none is undefined. Only where the bytes are the encoded text is it known what goes. */
  removed: { text: string; bytes: Uint8Array } | undefined;
  /** The lines that come, joined by line feeds; none is undefined. */
  added: string | undefined;
  /** The text of the result, with the line ends that it gets. */
  text: string;
  /** The bytes of the result from those of `added`, without a mark; undefined if they have not as many lines. */
  build(added: Uint8Array | undefined): Uint8Array | undefined;
}

/**
 * Finds the lines in which the text of a file differs from its next text, so that all other lines keep their bytes, whatever they are
 * (FS-10). A changed line keeps the line end of the line that it replaces, an added one takes its neighbour's. Undefined where the
 * lines of the bytes are not those of the text.
 */
export function planBytePatch(
  file: { bytes: Uint8Array; encoding: string; text: string },
  next: string,
): BytePatch | undefined {
  const raw = splitBytes(file.bytes, file.encoding);
  const before = splitText(file.text);
  if (!isSameShape(raw.lines, before)) return undefined;
  const after = splitText(next).map(({ content }) => content);
  const changes = lineChanges(
    before.map(({ content }) => content),
    after,
  );
  const lines: { from: RawLine | undefined; end: string }[] = [];
  const gone: number[] = [];
  const added: string[] = [];
  const keep = (start: number, end: number): void => {
    for (const line of raw.lines.slice(start, end)) lines.push({ from: line, end: line.end });
  };
  let at = 0;
  for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
    keep(at, oldStart);
    for (let i = oldStart; i < oldEnd; i++) gone.push(i);
    for (let i = newStart; i < newEnd; i++) {
      const old = oldStart + i - newStart;
      lines.push({ from: undefined, end: old < oldEnd ? (raw.lines[old]?.end ?? '') : '' });
      added.push(after[i] ?? '');
    }
    at = oldEnd;
  }
  keep(at, raw.lines.length);
  giveEnds(lines);
  const { encoding } = file;
  const feed = unitsOf('\n', encoding);
  const goneBytes = gone.map((line) => raw.lines[line]?.bytes ?? new Uint8Array());
  return {
    removed:
      gone.length > 0
        ? {
            text: gone.map((line) => before[line]?.content ?? '').join('\n'),
            bytes: concat(goneBytes.flatMap((bytes, i) => (i > 0 ? [feed, bytes] : [bytes]))),
          }
        : undefined,
    added: added.length > 0 ? added.join('\n') : undefined,
    text: after.map((content, i) => content + (lines[i]?.end ?? '')).join(''),
    build: (bytes) => assemble(raw.mark, lines, { bytes, count: added.length, encoding }),
  };
}

/** The length of the byte order mark that bytes begin with, for an encoding that has one. */
export function markLength(bytes: Uint8Array, encoding: string): number {
  const [a, b, c] = bytes;
  if (encoding === 'utf16le') return a === 0xff && b === 0xfe ? 2 : 0;
  if (encoding === 'utf16be') return a === 0xfe && b === 0xff ? 2 : 0;
  return encoding.startsWith('utf8') && a === 0xef && b === 0xbb && c === 0xbf ? 3 : 0;
}

/** Whether two arrays have the same bytes. */
export function isSameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at === a.length;
}

/** Every line but the last must end somehow: like its neighbour before, else after, where it has no end of its own. */
function giveEnds(lines: { end: string }[]): void {
  let near = lines.find(({ end }) => end !== '')?.end ?? '\n';
  lines.forEach((line, i) => {
    if (i === lines.length - 1) line.end = '';
    else near = line.end ||= near;
  });
}

function assemble(
  mark: Uint8Array,
  lines: readonly { from: RawLine | undefined; end: string }[],
  added: { bytes: Uint8Array | undefined; count: number; encoding: string },
): Uint8Array | undefined {
  const { bytes, count, encoding } = added;
  const fresh = bytes ? cut(bytes, encoding) : [];
  if (fresh.length !== count) return undefined;
  const parts = [mark];
  const ends = new Map(['', '\n', '\r\n'].map((end) => [end, unitsOf(end, encoding)]));
  let next = 0;
  for (const { from, end } of lines) {
    const content = from ? from.bytes : fresh[next++];
    if (content) parts.push(content);
    const units = ends.get(end);
    if (units) parts.push(units);
  }
  return concat(parts);
}

function splitText(text: string): { content: string; end: string }[] {
  const all = text.split('\n');
  return all.map((line, i) => {
    if (i === all.length - 1) return { content: line, end: '' };
    return line.endsWith('\r') ? { content: line.slice(0, -1), end: '\r\n' } : { content: line, end: '\n' };
  });
}

function splitBytes(bytes: Uint8Array, encoding: string): RawText {
  const mark = bytes.subarray(0, markLength(bytes, encoding));
  const all = cut(bytes.subarray(mark.length), encoding);
  const carriage = unitsOf('\r', encoding);
  const lines = all.map((line, i) => {
    if (i === all.length - 1) return { bytes: line, end: '' };
    const rest = line.length - carriage.length;
    const isCrLf = rest >= 0 && isSameBytes(line.subarray(rest), carriage);
    return isCrLf ? { bytes: line.subarray(0, rest), end: '\r\n' } : { bytes: line, end: '\n' };
  });
  return { mark, lines };
}

/** Cuts bytes at line feeds, which go. No byte of a longer character is one, in any encoding whose characters are not all two bytes. */
function cut(bytes: Uint8Array, encoding: string): Uint8Array[] {
  const feed = unitsOf('\n', encoding);
  const lines: Uint8Array[] = [];
  let from = 0;
  for (let at = 0; at + feed.length <= bytes.length; at += feed.length) {
    if (bytes[at] !== feed[0] || (feed.length > 1 && bytes[at + 1] !== feed[1])) continue;
    lines.push(bytes.subarray(from, at));
    from = at + feed.length;
  }
  lines.push(bytes.subarray(from));
  return lines;
}

/** The bytes of line ends. */
function unitsOf(text: string, encoding: string): Uint8Array {
  const codes = Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
  if (encoding === 'utf16le') return Uint8Array.from(codes.flatMap((code) => [code, 0]));
  if (encoding === 'utf16be') return Uint8Array.from(codes.flatMap((code) => [0, code]));
  return Uint8Array.from(codes);
}

function isSameShape(raw: readonly RawLine[], text: readonly { end: string }[]): boolean {
  return raw.length === text.length && raw.every(({ end }, i) => end === text[i]?.end);
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
