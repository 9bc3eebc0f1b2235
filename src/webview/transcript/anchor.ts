import type { Place } from '../persisted';

/** Elements whose children are places of their own. What is inside of others may scroll by itself. */
const OPENED = '.section, .run, .fold-body, .entry.say, .markdown, .markdown :is(ul, ol, li, blockquote)';
/** What stands beside the flow of the text. */
const SKIPPED = '.message-tools';
/** Children above which the first one in view is found by halving. */
const MANY = 16;

interface Spot {
  find: () => Element | null;
  /** Where it is (px) below the top of the view. */
  offset: number;
}

const isDrawn = (element: Element): boolean => element.isConnected && element.getClientRects().length > 0;

/** The index of the first child that does not end above a height of the window. */
function firstBelow(children: HTMLCollection, edge: number): number {
  let low = 0;
  if (children.length <= MANY) return low;
  let high = children.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((children[middle]?.getBoundingClientRect().bottom ?? edge) <= edge) low = middle + 1;
    else high = middle;
  }
  // One that takes no part in the flow may have misled the search.
  return Math.max(0, low - 2);
}

/** Adds the place that begins first below the edge, in front of those around it that reach over the edge; true once it was found. */
function collect(parent: Element, edge: number, spots: Spot[]): boolean {
  const { children } = parent;
  for (let i = firstBelow(children, edge); i < children.length; i++) {
    const child = children[i];
    if (!child || child.matches(SKIPPED)) continue;
    const { top, bottom, height } = child.getBoundingClientRect();
    if (height === 0 || bottom <= edge) continue;
    spots.unshift({ find: () => (isDrawn(child) ? child : null), offset: top - edge });
    if (top >= edge - 1 || (child.matches(OPENED) && collect(child, edge, spots))) return true;
  }
  return false;
}

/** What a reader looks at: places at the top of the view, and where they are. */
export class Anchor {
  private spots: Spot[] = [];
  /** Where the view was scrolled to when the places were noted. */
  private top = 0;
  /** True while the places are those that should be there, not those that were seen. */
  isExpected = false;

  get isSet(): boolean {
    return this.spots.length > 0;
  }

  clear(): void {
    this.spots = [];
  }

  /** Notes the places at the top of the view among the sections, which are given from the first one that reaches into it. */
  note(log: HTMLElement, sections: readonly Element[]): void {
    this.spots = [];
    this.isExpected = false;
    this.top = log.scrollTop;
    const { top: edge, bottom } = log.getBoundingClientRect();
    for (const section of sections) {
      const box = section.getBoundingClientRect();
      if (box.top >= bottom) return;
      if (box.bottom <= edge) continue;
      this.spots.unshift({ find: () => (isDrawn(section) ? section : null), offset: box.top - edge });
      if (collect(section, edge, this.spots)) return;
    }
  }

  /** Notes places that may not be drawn yet. */
  expect(log: HTMLElement, ...spots: Spot[]): void {
    this.spots = spots;
    this.isExpected = true;
    this.top = log.scrollTop;
  }

  /** How far (px) down the reader's place has moved otherwise than by scrolling; undefined where it is gone. */
  moved(log: HTMLElement): number | undefined {
    const scrolled = this.scrolled(log);
    for (const { find, offset } of this.spots) {
      const element = find();
      if (!element) continue;
      return element.getBoundingClientRect().top - log.getBoundingClientRect().top - (offset - scrolled);
    }
    return undefined;
  }

  /** Puts the place back to where it should be: by what can be done otherwise, and the rest by scrolling. */
  restore(log: HTMLElement, otherwise: () => void): void {
    this.settle(log);
    otherwise();
    const rest = this.moved(log) ?? 0;
    if (Math.abs(rest) > 0.5) log.scrollTop += rest;
    this.top = log.scrollTop;
  }

  /** Counts from here what is scrolled. */
  private settle(log: HTMLElement): void {
    const scrolled = this.scrolled(log);
    for (const spot of this.spots) spot.offset -= scrolled;
    this.top = log.scrollTop;
  }

  /**
   * How far (px) the reader has scrolled down since the places were noted. Where the content became lower, the browser scrolls up to
   * the new end, which the reader did not.
   */
  private scrolled(log: HTMLElement): number {
    const by = log.scrollTop - this.top;
    const isCut = by < 0 && log.scrollTop >= log.scrollHeight - log.clientHeight - 1;
    return this.isExpected || isCut ? 0 : by;
  }

  /** The entry at the place, to come back to; null where none is drawn there yet. */
  place(log: HTMLElement): Place | null {
    if (this.isExpected) return null;
    for (const { find } of this.spots) {
      const entry = find()?.closest<HTMLElement>('[data-entry-id], [data-first-id]');
      if (!entry) continue;
      const now = entry.getBoundingClientRect().top - log.getBoundingClientRect().top;
      // What has moved will be put back in this frame.
      const offset = now - (this.moved(log) ?? 0);
      return { id: Number(entry.dataset['entryId'] ?? entry.dataset['firstId']), offset: Math.round(offset) };
    }
    return null;
  }
}
