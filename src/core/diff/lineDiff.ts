import type { DiffHunk, DiffLine, DiffView } from '../session/state';
import { differingPart, lineFeeds } from './differingPart';
import { countLines, lineChanges, splitLines, type LineChange } from './lineChanges';

/** Lines that are shown around what differs. */
const CONTEXT = 3;
/** Lines of a diff that go to the page; the rest is behind "Open diff". */
const MAX_LINES = 200;
/** Texts beyond this many UTF-16 units are not compared. */
const MAX_COMPARED = 4_000_000;
/** Where more lines than this may differ, they count as one replaced piece, without a comparison. */
const MAX_COMPARED_LINES = 80_000;

/** Compares two texts by lines, with three lines of context; a rewritten file of 20,000 lines too takes some 10 ms. `oldText` null is a new file. */
export function lineDiff(oldText: string | null, newText: string): DiffView {
  const before = oldText ?? '';
  if (before.length + newText.length > MAX_COMPARED)
    return { added: 0, removed: 0, hunks: [], truncated: true };
  const { start, oldEnd, newEnd } = differingPart(before, newText, CONTEXT);
  const parts = { old: before.slice(start, oldEnd), now: newText.slice(start, newEnd) };
  const [oldCount, newCount] = [countOf(parts.old), countOf(parts.now)];
  const isHuge = oldCount + newCount > MAX_COMPARED_LINES;
  const most = isHuge ? MAX_LINES : MAX_COMPARED_LINES;
  const sides = {
    skipped: lineFeeds(before, start),
    old: splitLines(parts.old, most),
    now: splitLines(parts.now, most),
  };
  const changes = isHuge
    ? [{ oldStart: 0, oldEnd: oldCount, newStart: 0, newEnd: newCount }]
    : lineChanges(sides.old, sides.now);
  return { ...countLines(changes), ...toHunks(sides, changes) };
}

const countOf = (text: string): number =>
  lineFeeds(text, text.length) + (text === '' || text.endsWith('\n') ? 0 : 1);

interface Sides {
  /** Lines before the first of either side. */
  skipped: number;
  /** As many as are shown, at least. */
  old: readonly string[];
  now: readonly string[];
}

/** The hunks as far as the page shows them. */
function toHunks(sides: Sides, changes: readonly LineChange[]): { hunks: DiffHunk[]; truncated: boolean } {
  const hunks: DiffHunk[] = [];
  let left = MAX_LINES;
  for (const group of groups(changes)) {
    if (left === 0) return { hunks, truncated: true };
    const { hunk, whole } = toHunk(sides, group, left);
    hunks.push(hunk);
    if (!whole) return { hunks, truncated: true };
    left -= hunk.lines.length;
  }
  return { hunks, truncated: false };
}

/** Changes whose lines of context meet are shown together. */
function groups(changes: readonly LineChange[]): LineChange[][] {
  const all: LineChange[][] = [];
  for (const change of changes) {
    const last = all.at(-1);
    const gap = change.oldStart - (last?.at(-1)?.oldEnd ?? 0);
    if (last && gap <= 2 * CONTEXT) last.push(change);
    else all.push([change]);
  }
  return all;
}

/** A hunk of at most so many lines. */
function toHunk(
  { skipped, old, now }: Sides,
  group: readonly LineChange[],
  most: number,
): { hunk: DiffHunk; whole: boolean } {
  const lines: DiffLine[] = [];
  let whole = true;
  const add = (sign: DiffLine['sign'], from: readonly string[], start: number, end: number): void => {
    const stop = Math.min(end, start + most - lines.length);
    whole &&= stop === end;
    for (const line of from.slice(start, stop)) lines.push({ sign, text: line.replace(/\n$/, '') });
  };
  const first = group[0]?.oldStart ?? 0;
  const oldStart = Math.max(0, first - CONTEXT);
  let at = oldStart;
  for (const change of group) {
    add(' ', old, at, change.oldStart);
    add('-', old, change.oldStart, change.oldEnd);
    add('+', now, change.newStart, change.newEnd);
    at = change.oldEnd;
  }
  add(' ', old, at, Math.min(old.length, at + CONTEXT));
  const newStart = (group[0]?.newStart ?? 0) - (first - oldStart);
  return { hunk: { oldStart: skipped + oldStart + 1, newStart: skipped + newStart + 1, lines }, whole };
}
