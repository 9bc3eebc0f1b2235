import { lineEndOf, withLineEnd } from '../files/eol';

/** Most lines that are needed to find the begin or the end of a block in a file. */
const MAX_ANCHOR = 5;

/** A comment that stands for code which was left out: with it in place of that code the file would be broken. */
const LEFT_OUT = /^\s*(?:\/\/|#|--|;|%|\/\*|<!--|\{\/\*)?\s*(?:\.{3}|…)/m;

/**
 * The text of a file with a code block in it. A block for a new or empty file is all of it. Else the block takes the place of the
 * lines from its first line to its last one, where both are in the file and it is clear which they are. Undefined where it is not, or
 * where the block leaves code out.
 */
export function applyCode(current: string | undefined, block: string): string | undefined {
  const code = withLineEnd(block, '\n').replace(/^(?:[ \t]*\n)+|\s+$/g, '');
  if (current === undefined || current.trim() === '') return `${code}\n`;
  if (LEFT_OUT.test(code)) return undefined;
  const end = lineEndOf(current) ?? '\n';
  const file = withLineEnd(current, '\n').split('\n');
  const lines = indentedAs(file, code.split('\n'));
  const place = placeOf(file, lines);
  return place && [...file.slice(0, place.start), ...lines, ...file.slice(place.end)].join(end);
}

/** The lines, moved to the right where the first of them is in the file once, further right. */
function indentedAs(file: readonly string[], lines: readonly string[]): readonly string[] {
  const [first = ''] = lines;
  if (file.includes(first)) return lines;
  const [same, ...more] = file.filter((line) => line.trim() === first.trim());
  if (same === undefined || more.length > 0) return lines;
  const missing = indentOf(same).length - indentOf(first).length;
  if (missing <= 0) return lines;
  const indent = same.slice(0, missing);
  return lines.map((line) => (line.trim() === '' ? line : indent + line));
}

function placeOf(
  file: readonly string[],
  lines: readonly string[],
): { start: number; end: number } | undefined {
  const start = isWhole(file, lines)
    ? file.findIndex((line) => line.trim() !== '')
    : onlyPlace(file, (count) => lines.slice(0, count), 0)?.start;
  if (start === undefined) return undefined;
  const end = isWhole(file, lines)
    ? file.findLastIndex((line) => line.trim() !== '') + 1
    : (onlyPlace(file, (count) => lines.slice(-count), start)?.end ?? endOfPart(file, lines, start));
  return end === undefined ? undefined : { start, end };
}

/** Where some lines are that the file has once; one more is taken until there is no other such place. */
function onlyPlace(
  file: readonly string[],
  take: (count: number) => readonly string[],
  from: number,
): { start: number; end: number } | undefined {
  for (let count = 1; count <= MAX_ANCHOR; count++) {
    const wanted = take(count);
    if (wanted.length < count) return undefined;
    const starts: number[] = [];
    for (let at = from; at + count <= file.length; at++)
      if (wanted.every((line, i) => file[at + i] === line)) starts.push(at);
    const [start] = starts;
    if (start === undefined) return undefined;
    if (starts.length === 1) return { start, end: start + count };
  }
  return undefined;
}

/** The end of a part whose lines are all further right than its first and its last one, as in a function. */
function endOfPart(file: readonly string[], lines: readonly string[], start: number): number | undefined {
  const [first = ''] = lines;
  const last = lines.at(-1) ?? '';
  const indent = indentOf(first).length;
  if (lines.length < 2 || indentOf(last).length !== indent) return undefined;
  for (let at = start + 1; at < file.length; at++) {
    const line = file[at] ?? '';
    if (line === last) return at + 1;
    if (line.trim() !== '' && indentOf(line).length <= indent) return undefined;
  }
  return undefined;
}

/** Whether a block begins and ends as the file does, and is not much shorter. */
function isWhole(file: readonly string[], lines: readonly string[]): boolean {
  const first = file.find((line) => line.trim() !== '');
  const last = file.findLast((line) => line.trim() !== '');
  return first === lines[0] && last === lines.at(-1) && lines.length * 3 >= file.length * 2;
}

const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? '';
