import { lineDiff } from '../../core/diff/lineDiff';
import type { DiffKeeper } from '../../core/session/intake';

/** Diffs whose texts are kept for "Open diff"; older ones are forgotten. */
const MAX_DIFFS = 300;

export interface DiffTexts {
  path: string;
  oldText: string | null;
  newText: string;
}

/** Keeps the texts of the diffs that agents sent; the page gets hunks only. */
export class DiffStore {
  private readonly kept = new Map<string, DiffTexts>();
  private next = 1;

  readonly keep: DiffKeeper = (diff) => {
    const ref = `diff-${this.next++}`;
    this.kept.set(ref, diff);
    const [oldest] = this.kept.keys();
    if (this.kept.size > MAX_DIFFS && oldest) this.kept.delete(oldest);
    return { ref, view: lineDiff(diff.oldText, diff.newText) };
  };

  find(ref: string): DiffTexts | undefined {
    return this.kept.get(ref);
  }
}
