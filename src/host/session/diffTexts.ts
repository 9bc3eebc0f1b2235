import { lineDiff } from '../../core/diff/lineDiff';
import type { DiffKeeper } from '../../core/session/intake';
import type { DiffView } from '../../core/session/state';

/** Diffs whose texts are kept for "Open diff"; older ones are forgotten. */
const MAX_DIFFS = 300;

export interface DiffTexts {
  path: string;
  oldText: string | null;
  newText: string;
}

/** Keeps the texts of the diffs that agents sent; the page gets hunks only. */
export class DiffStore {
  private readonly kept = new Map<string, { texts: DiffTexts; view: DiffView }>();
  /** The newest diff of each path: agents repeat a diff with every update of its call, and comparing is dear. */
  private readonly newest = new Map<string, string>();
  private next = 1;

  readonly keep: DiffKeeper = (texts) => {
    const last = this.newest.get(texts.path);
    const known = last === undefined ? undefined : this.kept.get(last);
    if (last !== undefined && known && isSame(known.texts, texts)) return { ref: last, view: known.view };
    const ref = `diff-${this.next++}`;
    const view = lineDiff(texts.oldText, texts.newText);
    this.kept.set(ref, { texts, view });
    this.newest.set(texts.path, ref);
    this.forgetOldest();
    return { ref, view };
  };

  find(ref: string): DiffTexts | undefined {
    return this.kept.get(ref)?.texts;
  }

  private forgetOldest(): void {
    const [oldest] = this.kept;
    if (this.kept.size <= MAX_DIFFS || !oldest) return;
    const [ref, { texts }] = oldest;
    this.kept.delete(ref);
    if (this.newest.get(texts.path) === ref) this.newest.delete(texts.path);
  }
}

function isSame(one: DiffTexts, other: DiffTexts): boolean {
  return one.oldText === other.oldText && one.newText === other.newText;
}
