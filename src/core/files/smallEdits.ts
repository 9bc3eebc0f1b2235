import { lineChanges, splitLines } from '../diff/lineChanges';
import { minimalEdit, type TextEdit } from './minimalEdit';

/** More edits than this are applied as one. */
const MAX_EDITS = 1_000;

/** Small replacements that make `before` into `after`, in order: the person's cursors, folds and marks between them stay (FS-9). */
export function smallEdits(before: string, after: string): TextEdit[] {
  const whole = minimalEdit(before, after);
  if (!whole) return [];
  const old = splitLines(before);
  const now = splitLines(after);
  const changes = lineChanges(old, now);
  if (changes.length > MAX_EDITS) return [whole];
  const edits: TextEdit[] = [];
  let [line, offset] = [0, 0];
  for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
    for (; line < oldStart; line++) offset += old[line]?.length ?? 0;
    const edit = minimalEdit(old.slice(oldStart, oldEnd).join(''), now.slice(newStart, newEnd).join(''));
    if (edit) edits.push({ start: offset + edit.start, end: offset + edit.end, text: edit.text });
  }
  return edits;
}
