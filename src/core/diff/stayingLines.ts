import { diffArrays } from 'diff';

/** Edits after which the exact comparison of both texts, or of a stretch between two landmarks, gives up. */
const MAX_EDITS = { whole: 250, stretch: 60 };
/** What exact comparisons may cost together, as the sum of their squared edits: some 10 ms. */
const EFFORT = 200_000;
/** How often a stretch is split at landmarks again. */
const MAX_DEPTH = 8;

/** Lines of both sides, ends exclusive. */
interface Stretch {
  oldStart: number;
  oldEnd: number;
  newStart: number;
  newEnd: number;
}

/** All lines that are equal; how often either side has them in the stretch at hand, and where the last of them is. */
interface Kind {
  olds: number;
  nows: number;
  oldAt: number;
  newAt: number;
}

/**
 * Which lines of `before` are still there: for each its place in `after`, or -1; places only rise. Few edits are found exactly. For many,
 * lines that each side has once serve as landmarks, and a stretch that still differs too much counts as replaced; so the time grows with
 * the lengths and not with their product. Equal texts always give equal answers.
 */
export function stayingLines(before: readonly string[], after: readonly string[]): readonly number[] {
  return new Comparison(before, after).run();
}

class Comparison {
  private readonly old: readonly Kind[];
  private readonly now: readonly Kind[];
  private readonly stays: number[];
  private effort = EFFORT;

  constructor(before: readonly string[], after: readonly string[]) {
    const kinds = new Map<string, Kind>();
    const toKind = (line: string): Kind => {
      let kind = kinds.get(line);
      if (!kind) kinds.set(line, (kind = { olds: 0, nows: 0, oldAt: 0, newAt: 0 }));
      return kind;
    };
    this.old = before.map(toKind);
    this.now = after.map(toKind);
    this.stays = before.map(() => -1);
  }

  run(): readonly number[] {
    this.compare({ oldStart: 0, oldEnd: this.old.length, newStart: 0, newEnd: this.now.length }, 0);
    return this.stays;
  }

  private compare(whole: Stretch, depth: number): void {
    const stretch = this.takeEnds(whole);
    this.count(stretch);
    // A line that one side alone has cannot stay, so leaving it out changes nothing but the cost.
    const olds = places(this.old, stretch.oldStart, stretch.oldEnd, ({ nows }) => nows > 0);
    const nows = places(this.now, stretch.newStart, stretch.newEnd, ({ olds: count }) => count > 0);
    if (olds.length === 0 || nows.length === 0) return;
    if (this.compareExactly(olds, nows, depth === 0 ? MAX_EDITS.whole : MAX_EDITS.stretch)) return;
    if (depth < MAX_DEPTH) this.split(stretch, this.landmarks(olds), depth + 1);
  }

  /** Notes what both sides begin and end with, and gives what lies between. */
  private takeEnds(whole: Stretch): Stretch {
    const { old, now, stays } = this;
    let { oldStart, oldEnd, newStart, newEnd } = whole;
    while (oldStart < oldEnd && newStart < newEnd && old[oldStart] === now[newStart])
      stays[oldStart++] = newStart++;
    while (oldStart < oldEnd && newStart < newEnd && old[oldEnd - 1] === now[newEnd - 1])
      stays[--oldEnd] = --newEnd;
    return { oldStart, oldEnd, newStart, newEnd };
  }

  private count({ oldStart, oldEnd, newStart, newEnd }: Stretch): void {
    each(this.old, oldStart, oldEnd, (kind) => (kind.olds = kind.nows = 0));
    each(this.now, newStart, newEnd, (kind) => (kind.olds = kind.nows = 0));
    each(this.old, oldStart, oldEnd, (kind, at) => {
      kind.olds++;
      kind.oldAt = at;
    });
    each(this.now, newStart, newEnd, (kind, at) => {
      kind.nows++;
      kind.newAt = at;
    });
  }

  /** False where it takes too many edits; then nothing is noted. */
  private compareExactly(olds: readonly number[], nows: readonly number[], most: number): boolean {
    const maxEditLength = Math.min(most, Math.floor(Math.sqrt(this.effort)));
    if (maxEditLength === 0) return false;
    const parts = diffArrays(
      olds.map((at) => this.old[at]),
      nows.map((at) => this.now[at]),
      { maxEditLength },
    );
    const edits = parts?.reduce((sum, { added, removed, count }) => sum + (added || removed ? count : 0), 0);
    this.effort -= (edits ?? maxEditLength) ** 2;
    if (!parts) return false;
    let [oldAt, newAt] = [0, 0];
    for (const { added, removed, count } of parts) {
      if (!added && !removed) this.keep(olds.slice(oldAt, oldAt + count), nows.slice(newAt, newAt + count));
      if (!added) oldAt += count;
      if (!removed) newAt += count;
    }
    return true;
  }

  private keep(olds: readonly number[], nows: readonly number[]): void {
    olds.forEach((old, at) => (this.stays[old] = nows[at] ?? -1));
  }

  /** Lines that each side has once, as far as they are in the same order on both; as many as there can be. */
  private landmarks(olds: readonly number[]): Kind[] {
    const once = olds
      .map((at) => this.old[at])
      .filter((kind): kind is Kind => kind?.olds === 1 && kind.nows === 1);
    return longestRising(once);
  }

  private split(stretch: Stretch, landmarks: readonly Kind[], depth: number): void {
    if (landmarks.length === 0) return;
    let { oldStart, newStart } = stretch;
    // Copied, as the comparisons of the parts count anew.
    for (const { oldAt, newAt } of landmarks.map((kind) => ({ ...kind }))) {
      this.stays[oldAt] = newAt;
      this.compare({ oldStart, oldEnd: oldAt, newStart, newEnd: newAt }, depth);
      oldStart = oldAt + 1;
      newStart = newAt + 1;
    }
    this.compare({ ...stretch, oldStart, newStart }, depth);
  }
}

function each(
  kinds: readonly Kind[],
  from: number,
  to: number,
  work: (kind: Kind, at: number) => void,
): void {
  for (let at = from; at < to; at++) {
    const kind = kinds[at];
    if (kind) work(kind, at);
  }
}

function places(kinds: readonly Kind[], from: number, to: number, wanted: (kind: Kind) => boolean): number[] {
  const found: number[] = [];
  each(kinds, from, to, (kind, at) => {
    if (wanted(kind)) found.push(at);
  });
  return found;
}

/** The longest part of the list, in its order, whose places in the new text only rise. */
function longestRising(kinds: readonly Kind[]): Kind[] {
  interface Link {
    kind: Kind;
    before: Link | undefined;
  }
  /** By length, the rising part of that length that ends lowest. */
  const best: Link[] = [];
  for (const kind of kinds) {
    let [low, high] = [0, best.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((best[middle]?.kind.newAt ?? 0) < kind.newAt) low = middle + 1;
      else high = middle;
    }
    best[low] = { kind, before: best[low - 1] };
  }
  const rising: Kind[] = [];
  for (let link = best.at(-1); link; link = link.before) rising.push(link.kind);
  return rising.reverse();
}
