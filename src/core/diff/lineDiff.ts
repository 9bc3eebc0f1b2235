import { structuredPatch } from 'diff';
import type { DiffHunk, DiffLine, DiffView } from '../session/state';

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
  const patch = structuredPatch('', '', before, newText, '', '', { context: 3, timeout: TIMEOUT });
  return cap(patch ? patch.hunks.map(toHunk) : [replacement(before, newText)]);
}

function toHunk(hunk: { oldStart: number; newStart: number; lines: string[] }): DiffHunk {
  const lines = hunk.lines.filter((line) => !line.startsWith('\\')).map(toLine);
  return { oldStart: hunk.oldStart, newStart: hunk.newStart, lines };
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
