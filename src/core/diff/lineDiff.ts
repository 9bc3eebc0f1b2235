import { structuredPatch } from 'diff';
import type { DiffHunk, DiffLine, DiffView } from '../session/state';

/** Lines that are shown around what differs. */
const CONTEXT = 3;
/** Lines of a diff that go to the page; the rest is behind "Open diff". */
const MAX_LINES = 200;
/** ms after which a comparison gives up and shows the change as one replaced piece. */
const TIMEOUT = 300;
/** Texts beyond this many UTF-16 units are not compared. */
const MAX_COMPARED = 4_000_000;

/** Compares two texts by lines, with three lines of context. `oldText` null is a new file. */
export function lineDiff(oldText: string | null, newText: string): DiffView {
  const before = oldText ?? '';
  if (before.length + newText.length > MAX_COMPARED)
    return { added: 0, removed: 0, hunks: [], truncated: true };
  const { skipped, old, now } = around(before, newText);
  const patch = structuredPatch('', '', old, now, '', '', { context: CONTEXT, timeout: TIMEOUT });
  return cap(patch ? patch.hunks.map((hunk) => toHunk(hunk, skipped)) : [replacement(before, newText)]);
}

/** What differs, with the lines of context around it: most edits are small beside their file, and comparing is dear. */
function around(before: string, after: string): { skipped: number; old: string; now: string } {
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before.charCodeAt(same) === after.charCodeAt(same)) same++;
  const start = linesBack(before, same);
  let tail = 0;
  while (
    tail < shorter - same &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail++;
  // Both texts go on alike from here, so one of them tells how far.
  const end = linesOn(before, before.length - tail);
  const skipped = before.slice(0, start).split('\n').length - 1;
  return {
    skipped,
    old: before.slice(start, end),
    now: after.slice(start, end + after.length - before.length),
  };
}

/** Where the line begins that is `CONTEXT` lines before the one at `at`. */
function linesBack(text: string, at: number): number {
  let from = at;
  for (let n = 0; n <= CONTEXT && from >= 0; n++) from = from === 0 ? -1 : text.lastIndexOf('\n', from - 1);
  return from + 1;
}

/** Where the line ends that is `CONTEXT` lines after the one at `at`. */
function linesOn(text: string, at: number): number {
  let to = at;
  for (let n = 0; n <= CONTEXT; n++) {
    const end = text.indexOf('\n', to);
    if (end < 0) return text.length;
    to = end + 1;
  }
  return to;
}

function toHunk(hunk: { oldStart: number; newStart: number; lines: string[] }, skipped: number): DiffHunk {
  const lines = hunk.lines.filter((line) => !line.startsWith('\\')).map(toLine);
  return { oldStart: hunk.oldStart + skipped, newStart: hunk.newStart + skipped, lines };
}

function toLine(line: string): DiffLine {
  const sign = line[0];
  return { sign: sign === '+' || sign === '-' ? sign : ' ', text: line.slice(1) };
}

/** The coarse answer when a comparison takes too long: what lies between the common beginning and end was replaced. */
function replacement(before: string, after: string): DiffHunk {
  const old = before.split('\n');
  const now = after.split('\n');
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let tail = 0;
  while (
    tail < old.length - start &&
    tail < now.length - start &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]
  )
    tail++;
  const removed = old.slice(start, old.length - tail).map((text): DiffLine => ({ sign: '-', text }));
  const added = now.slice(start, now.length - tail).map((text): DiffLine => ({ sign: '+', text }));
  return { oldStart: start + 1, newStart: start + 1, lines: [...removed, ...added] };
}

function cap(hunks: DiffHunk[]): DiffView {
  const all = hunks.flatMap((hunk) => hunk.lines);
  const count = (sign: string): number => all.filter((line) => line.sign === sign).length;
  let left = MAX_LINES;
  const kept: DiffHunk[] = [];
  for (const hunk of hunks) {
    if (left <= 0) break;
    kept.push({ ...hunk, lines: hunk.lines.slice(0, left) });
    left -= hunk.lines.length;
  }
  return {
    added: count('+'),
    removed: count('-'),
    hunks: kept,
    truncated: left < 0 || kept.length < hunks.length,
  };
}
