import { lineChanges, splitLines, type LineChange } from './lineChanges';

/** A place that both sides changed in different ways; each side's lines as text. */
export interface Conflict {
  base: string;
  mine: string;
  theirs: string;
}

export interface Merged {
  /** The merged text; where the sides conflict it has the lines of the preferred side. */
  text: string;
  conflicts: Conflict[];
}

/**
 * Three-way merge by lines: what either side changed against `base` is taken, and a change that both made alike is taken once. Changes
 * that overlap, or that add lines at the same place, are conflicts; changes of neighbouring lines are not. Texts may be any strings, so
 * that bytes read as latin1 keep every byte.
 */
export function merge(
  texts: { base: string; mine: string; theirs: string },
  prefer: 'mine' | 'theirs' = 'mine',
): Merged {
  const { base, mine, theirs } = texts;
  if (mine === theirs || base === theirs) return { text: mine, conflicts: [] };
  if (base === mine) return { text: theirs, conflicts: [] };
  const lines = splitLines(base);
  const one = new Side(lines, mine, theirs);
  const other = new Side(lines, theirs, mine);
  const conflicts: Conflict[] = [];
  const out: string[] = [];
  let at = 0;
  for (let region = nextRegion(one, other); region; region = nextRegion(one, other)) {
    out.push(lines.slice(at, region.start).join(''));
    const was = lines.slice(region.start, region.end).join('');
    const ours = one.take(region);
    const others = other.take(region);
    const clash = ours !== others && ours !== was && others !== was;
    if (clash) conflicts.push({ base: was, mine: ours, theirs: others });
    const takesTheirs = clash ? prefer === 'theirs' : ours === was;
    out.push(takesTheirs ? others : ours);
    at = region.end;
  }
  out.push(lines.slice(at).join(''));
  return { text: out.join(''), conflicts };
}

/** Lines of the base, from 0, end exclusive. */
interface Region {
  start: number;
  end: number;
}

/** One side of a merge; its changes are taken from the first to the last. */
class Side {
  private readonly lines: string[];
  private readonly changes: LineChange[];
  private next = 0;
  /** How far the side's lines are ahead of the base's. */
  private shift = 0;
  /** Where what the side adds would go on in a line that the other side left without its end: there it belongs to what is before. */
  private readonly openAt: number | undefined;

  constructor(base: readonly string[], text: string, others: string) {
    this.lines = splitLines(text);
    this.changes = lineChanges(base, this.lines);
    this.openAt = others === '' || others.endsWith('\n') ? undefined : base.length;
  }

  /** The change that comes next, or the one `ahead` after it. */
  peek(ahead = 0): LineChange | undefined {
    return this.changes[this.next + ahead];
  }

  /** The change that `peek` gives, if it begins inside a region. */
  within(region: Region, ahead = 0): LineChange | undefined {
    const change = this.peek(ahead);
    return change && isIn(change, region, this.openAt) ? change : undefined;
  }

  /** The side's text for a region of the base that holds its next changes as a whole. */
  take(region: Region): string {
    const from = region.start + this.shift;
    for (let change = this.within(region); change; change = this.within(region)) {
      this.shift = change.newEnd - change.oldEnd;
      this.next++;
    }
    return this.lines.slice(from, region.end + this.shift).join('');
  }
}

/** The next stretch of the base that a side changed, with all changes that overlap it. */
function nextRegion(one: Side, other: Side): Region | undefined {
  const first = earlier(one.peek(), other.peek());
  if (!first) return undefined;
  const region = { start: first.oldStart, end: first.oldEnd };
  const grow = (side: Side, from: number): number => {
    let ahead = from;
    for (let change = side.within(region, ahead); change; change = side.within(region, ++ahead))
      region.end = Math.max(region.end, change.oldEnd);
    return ahead;
  };
  let [fromOne, fromOther, before] = [0, 0, -1];
  while (fromOne + fromOther !== before) {
    before = fromOne + fromOther;
    fromOne = grow(one, fromOne);
    fromOther = grow(other, fromOther);
  }
  return region;
}

function earlier(a: LineChange | undefined, b: LineChange | undefined): LineChange | undefined {
  if (!a || !b) return a ?? b;
  // At one place an insertion comes before what replaces lines.
  return b.oldStart < a.oldStart || (b.oldStart === a.oldStart && b.oldEnd < a.oldEnd) ? b : a;
}

/** Whether a change begins inside a region; an insertion also where it stands at the place of another, or at an open end. */
function isIn({ oldStart, oldEnd }: LineChange, { start, end }: Region, openAt: number | undefined): boolean {
  if (oldStart < end) return oldStart >= start;
  return oldStart === end && oldEnd === end && (end === start || end === openAt);
}
