import { countLines, lineChanges, splitLines } from '../../core/diff/lineChanges';

/** Two parts of a file, as text or with a letter for each byte, and what is wanted of them. */
export interface CompareJob {
  id: number;
  want: 'count' | 'changes';
  before: string;
  after: string;
}

/** `[added, removed]`, or the changes with four numbers each, so that many cross between threads at once. */
export interface CompareResult {
  id: number;
  numbers: Uint32Array<ArrayBuffer>;
}

/** Compares two parts; takes as long as it takes, see `stayingLines`. */
export function compare({ id, want, before, after }: CompareJob): CompareResult {
  const changes = lineChanges(splitLines(before), splitLines(after));
  if (want === 'count') {
    const { added, removed } = countLines(changes);
    return { id, numbers: Uint32Array.of(added, removed) };
  }
  const numbers = new Uint32Array(4 * changes.length);
  changes.forEach(({ oldStart, oldEnd, newStart, newEnd }, at) =>
    numbers.set([oldStart, oldEnd, newStart, newEnd], 4 * at),
  );
  return { id, numbers };
}
