import { stayingLines } from './stayingLines';

/** A run of lines that differs. Lines are counted from 0, ends are exclusive; an empty run on one side is a pure insertion or removal. */
export interface LineChange {
  oldStart: number;
  oldEnd: number;
  newStart: number;
  newEnd: number;
}

/**
 * The lines of a text, each with its line feed; joined they are the text again. A text of no units has no lines.
 *
 * @param most after so many lines the rest is left out
 */
export function splitLines(text: string, most = Infinity): string[] {
  const lines: string[] = [];
  let from = 0;
  for (let at = text.indexOf('\n'); at >= 0 && lines.length < most; at = text.indexOf('\n', from)) {
    lines.push(text.slice(from, at + 1));
    from = at + 1;
  }
  if (from < text.length && lines.length < most) lines.push(text.slice(from));
  return lines;
}

/** The runs of lines that differ, in order. A stretch that differs too much to be compared in some 10 ms counts as one change. */
export function lineChanges(before: readonly string[], after: readonly string[]): LineChange[] {
  const changes: LineChange[] = [];
  let [oldStart, newStart] = [0, 0];
  const close = (oldEnd: number, newEnd: number): void => {
    if (oldEnd > oldStart || newEnd > newStart) changes.push({ oldStart, oldEnd, newStart, newEnd });
    [oldStart, newStart] = [oldEnd + 1, newEnd + 1];
  };
  stayingLines(before, after).forEach((place, at) => {
    if (place >= 0) close(at, place);
  });
  close(before.length, after.length);
  return changes;
}

/** How many lines came and went. */
export function countLines(changes: readonly LineChange[]): { added: number; removed: number } {
  let added = 0;
  let removed = 0;
  for (const change of changes) {
    added += change.newEnd - change.newStart;
    removed += change.oldEnd - change.oldStart;
  }
  return { added, removed };
}
