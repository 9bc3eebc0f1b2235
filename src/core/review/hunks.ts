import { lineChanges, splitLines, type LineChange } from '../diff/lineChanges';
import { merge } from '../diff/merge';
import { isBinary, toBytes, toUnits } from './units';

/** The three texts of a file under review. */
export interface ReviewedFile {
  /** What the review compares with. */
  base: Uint8Array;
  /** As the agent left it. */
  after: Uint8Array;
  /** As it stands now, with what the person changed since. */
  current: Uint8Array;
}

/** Lines of the current text, from 0, both inclusive. */
export interface LineSpan {
  from: number;
  to: number;
}

/** The agent's change at some lines, in all forms that a review needs. */
export interface HunkAt {
  /** What the agent left, without its change there. */
  afterWithout: Uint8Array;
  /** What the review compares with, with the agent's change there. */
  baseWith: Uint8Array;
}

/**
 * Finds the changes of the agent that touch some lines of the file as it stands now. A person's own changes are no changes of the agent:
 * lines that only they changed give undefined, as does a file that is no text.
 */
export function hunkAt({ base, after, current }: ReviewedFile, span: LineSpan): HunkAt | undefined {
  if ([base, after, current].some(isBinary)) return undefined;
  const [old, left, now] = [toUnits(base), toUnits(after), toUnits(current)];
  if (old.form !== left.form || left.form !== now.form) return undefined;
  const oldLines = splitLines(old.text);
  const leftLines = splitLines(left.text);
  const nowLines = splitLines(now.text);
  const since = lineChanges(leftLines, nowLines);
  const all = lineChanges(oldLines, leftLines);
  const hunks = all.filter((hunk) => touches(standsAt(hunk, since), span));
  if (hunks.length === 0) return undefined;
  const { form } = left;
  return {
    afterWithout: toBytes({ form, text: replaceRuns(leftLines, oldLines, hunks.map(turnRound)) }),
    baseWith: toBytes({ form, text: replaceRuns(oldLines, leftLines, hunks) }),
  };
}

/** Applies to `text` what leads from `from` to `to`; undefined where that does not fit it, or it is no text. */
export function carryOver(text: Uint8Array, from: Uint8Array, to: Uint8Array): Uint8Array | undefined {
  if ([text, from, to].some(isBinary)) return undefined;
  const [mine, base, theirs] = [toUnits(text), toUnits(from), toUnits(to)];
  if (mine.form !== base.form || base.form !== theirs.form) return undefined;
  const merged = merge({ base: base.text, mine: mine.text, theirs: theirs.text });
  return merged.conflicts.length > 0 ? undefined : toBytes({ form: mine.form, text: merged.text });
}

/** Where the new side of a hunk stands after later changes; a later change that meets it belongs to it. Lines from 0, end exclusive. */
function standsAt({ newStart, newEnd }: LineChange, since: readonly LineChange[]): [number, number] {
  let [start, end] = [newStart, newEnd];
  let [startShift, endShift] = [0, 0];
  for (const change of since) {
    const shift = change.newEnd - change.oldEnd;
    if (meets(change, newStart, newEnd)) {
      start = Math.min(start, change.oldStart);
      end = Math.max(end, change.oldEnd);
      endShift = shift;
    } else if (change.oldEnd <= newStart) startShift = endShift = shift;
  }
  return [start + startShift, end + endShift];
}

/** Whether a later change takes in a part of the lines from `start` to `end`, or stands where lines were removed. */
function meets({ oldStart, oldEnd }: LineChange, start: number, end: number): boolean {
  if (start === end) return oldStart <= start && oldEnd >= start && (oldStart === oldEnd || oldEnd > start);
  return oldStart < end && oldEnd > start;
}

/** A hunk that only removed lines stands between two lines, and either of them names it. */
function touches([start, end]: [number, number], { from, to }: LineSpan): boolean {
  return start === end ? from <= start && to >= start - 1 : from < end && to >= start;
}

function turnRound({ oldStart, oldEnd, newStart, newEnd }: LineChange): LineChange {
  return { oldStart: newStart, oldEnd: newEnd, newStart: oldStart, newEnd: oldEnd };
}

/** The old lines with some runs of them replaced by those of the new ones. */
function replaceRuns(old: readonly string[], now: readonly string[], runs: readonly LineChange[]): string {
  const out: string[] = [];
  let at = 0;
  for (const { oldStart, oldEnd, newStart, newEnd } of runs) {
    out.push(...old.slice(at, oldStart), ...now.slice(newStart, newEnd));
    at = oldEnd;
  }
  out.push(...old.slice(at));
  return out.join('');
}
