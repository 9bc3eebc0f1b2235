import { signal } from '@preact/signals';
import { openElicitations } from '../../core/session/select';
import { onNextFrame } from '../frame';
import type { Page } from '../page';
import type { Place } from '../persisted';
import { Anchor } from './anchor';
import { SECTION, SectionHeights } from './sectionHeights';

/** How near to its end (px) a conversation counts as being read at its end. */
const NEAR_END = 24;
/** How far (px) beyond the view sections are drawn, and how many at most. */
const DRAW = { px: 2500, most: 3 };
/** How far beyond the view sections that are drawn stay so. */
const KEEP = { px: 5000, most: 4 };
/** The newest sections, which are all drawn while the end is being read: most conversations are no longer. */
const NEWEST = 8;
/** Sections of one selection that are all kept. */
const MOST_SELECTED = 8;
/** Keys by which a reader leaves the end. */
const LEAVING_KEYS: readonly string[] = ['ArrowUp', 'PageUp', 'Home', ' '];
/** What a reader who scrolls begins with. */
const LEAVING_EVENTS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;
/** Height (px) of a view that is not there yet. */
const VIEW = 800;

const isAtEnd = (log: HTMLElement): boolean =>
  log.scrollHeight - log.scrollTop - log.clientHeight <= NEAR_END;

const areSame = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index]);

/**
 * Decides which sections of a conversation are drawn, and where it is scrolled to: at its end while it is read there, else so that
 * nothing moves under the reader. Gaps stand for what is not drawn, with the remembered heights; where a height turns out to be
 * another one, the gap above takes the difference, so that the scrolling itself is left alone where that is possible.
 */
export class TranscriptWindow {
  /** True while new entries are being scrolled to. */
  readonly atEnd = signal(true);
  /** Grows when other sections should be drawn. */
  private readonly version = signal(0);
  private readonly heights = new SectionHeights();
  private readonly anchor = new Anchor();
  private readonly elements = new Map<number, HTMLElement>();
  private readonly resized = new ResizeObserver((changes) => this.onResize(changes));
  private log: HTMLElement | undefined;
  private drawn: readonly number[] = [];
  /** Ids of entries that stay drawn wherever they are. */
  private asked: readonly number[] = [];
  private follows = true;
  /** Right after the way to the end was taken: how high (px) all was then. A scroll that comes with another height is no reader's. */
  private held: { height: number } | undefined;
  private lastTop = 0;
  /** Where to begin; undefined once the view is there. */
  private start: Place | undefined;
  /** False until the first sections have been laid out: these are few, to be on screen soon. */
  private primed = false;
  private waits = false;
  /** The scrolling has ended, but where nothing is drawn yet. */
  private placeWaits = false;

  constructor(private readonly page: Page) {
    const { place } = page.persisted;
    if (!place || page.store.indexOf(place.id) < 0) return;
    this.start = place;
    this.follows = false;
    this.atEnd.value = false;
  }

  /** Begins with the element that scrolls; gives what ends it. */
  attach(log: HTMLElement): () => void {
    this.log = log;
    this.resized.observe(log);
    // The gaps may change while no section does.
    if (log.firstElementChild) this.resized.observe(log.firstElementChild);
    const { leaveEnd } = this.page;
    this.page.leaveEnd = (scroll) => this.leaveEnd(scroll);
    const onLeaving = (event: Event): void => {
      if (!(event instanceof KeyboardEvent) || LEAVING_KEYS.includes(event.key)) this.held = undefined;
    };
    for (const type of LEAVING_EVENTS) log.addEventListener(type, onLeaving, { passive: true });
    const onScroll = (): void => this.onScroll(log);
    // What was drawn last is measured in the frame that runs.
    const onScrollEnd = (): void => onNextFrame(() => this.log && this.keepPlace(log));
    log.addEventListener('scroll', onScroll, { passive: true });
    log.addEventListener('scrollend', onScrollEnd, { passive: true });
    if (this.start) this.goTo(log, this.start);
    this.start = undefined;
    if (this.follows) log.scrollTop = log.scrollHeight;
    this.lastTop = log.scrollTop;
    return () => {
      this.log = undefined;
      this.page.leaveEnd = leaveEnd;
      this.resized.disconnect();
      for (const type of LEAVING_EVENTS) log.removeEventListener(type, onLeaving);
      log.removeEventListener('scroll', onScroll);
      log.removeEventListener('scrollend', onScrollEnd);
    };
  }

  /** Makes the view that runs now run again when other sections should be drawn. */
  follow(): number {
    return this.version.value;
  }

  /** The sections to draw of so many entries, ascending. */
  plan(entries: number): readonly number[] {
    const count = Math.ceil(entries / SECTION);
    if (count === this.heights.count) return this.drawn;
    this.heights.grow(count);
    return (this.drawn = this.choose());
  }

  /** Height (px) of a section, as far as it is known. */
  heightOf(section: number): number {
    return this.heights.of(section);
  }

  /** Height (px) of what stands for the sections from one to another, the latter left out. */
  gap(from: number, to: number): number {
    return this.heights.span(from, to);
  }

  /** Takes the element of a section that was drawn. */
  enter(section: number, element: HTMLElement): void {
    this.elements.set(section, element);
    this.resized.observe(element);
  }

  leave(section: number, element: HTMLElement): void {
    this.elements.delete(section);
    this.resized.unobserve(element);
  }

  /** Follows what must stay drawn: what is found, and what asks the person something. */
  readonly watchAsked = (): void => {
    const { find, store } = this.page;
    const wanted = find.wanted.value;
    store.follow('permissions');
    store.follow('turn');
    const asking = openElicitations(store.state).map(({ id }) => id);
    this.asked = wanted === null ? asking : [...asking, wanted];
    this.refresh();
  };

  toEnd(): void {
    const { log } = this;
    this.follows = true;
    this.atEnd.value = true;
    this.anchor.clear();
    this.page.persisted.place = null;
    this.refresh();
    if (!log) return;
    this.pin(log);
    const held = (this.held = { height: log.scrollHeight });
    const release = (): void => {
      if (this.held === held) this.held = undefined;
    };
    onNextFrame(() => onNextFrame(release));
  }

  toStart(): void {
    const { log } = this;
    if (log) this.leaveEnd(() => (log.scrollTop = 0));
  }

  /** Scrolls as told. Where that leads away from the end, this is no longer followed, at once: the event comes a frame later. */
  leaveEnd(scroll: () => void): void {
    const { log } = this;
    const top = log?.scrollTop;
    scroll();
    if (!log || log.scrollTop === top) return;
    this.held = undefined;
    if (isAtEnd(log)) return;
    this.follows = false;
    this.atEnd.value = false;
  }

  private pin(log: HTMLElement): void {
    log.scrollTop = log.scrollHeight;
    // A turn of the wheel right after this is told by the same event: it must count from here.
    this.lastTop = log.scrollTop;
  }

  /** Goes one view further up, where something is not drawn. */
  showEarlier(): void {
    const { log } = this;
    if (!log) return;
    log.focus({ preventScroll: true });
    this.leaveEnd(() => (log.scrollTop -= log.clientHeight));
  }

  private refresh(): void {
    const next = this.choose();
    if (areSame(next, this.drawn)) return;
    this.drawn = next;
    this.version.value++;
  }

  private onScroll(log: HTMLElement): void {
    if (this.follows && log.scrollTop === this.lastTop) return;
    // Where the content was lower between two frames, the browser has scrolled up.
    if (this.held && this.held.height !== log.scrollHeight) return this.pin(log);
    // Only a person scrolls up; content that grows moves the end away without moving the reader.
    if (log.scrollTop < this.lastTop - 1 && !isAtEnd(log)) this.follows = false;
    else if (isAtEnd(log)) this.follows = true;
    if (this.follows) this.anchor.clear();
    else {
      this.keep(log);
      this.note(log);
    }
    this.lastTop = log.scrollTop;
    this.atEnd.value = this.follows;
    this.refresh();
  }

  private onResize(changes: readonly ResizeObserverEntry[]): void {
    const { log } = this;
    // A conversation that is covered has no size.
    if (!log || log.clientHeight === 0) return;
    this.measure(changes);
    const isFirst = !this.primed && this.elements.size > 0;
    if (isFirst) {
      this.heights.calibrate();
      this.drawGaps(log);
    }
    if (this.follows) this.pin(log);
    else {
      this.keep(log);
      this.atEnd.value = isAtEnd(log);
    }
    if (isFirst) this.primed = true;
    this.refreshSoon();
  }

  private measure(changes: readonly ResizeObserverEntry[]): void {
    for (const { target, borderBoxSize } of changes) {
      const section = target instanceof HTMLElement ? target.dataset['section'] : undefined;
      // One that is not laid out yet is as high as it was told to be.
      if (section !== undefined && target.firstElementChild?.checkVisibility({ contentVisibilityAuto: true }))
        this.heights.measure(Number(section), borderBoxSize[0]?.blockSize ?? 0);
    }
  }

  /** Draws other sections in the next frame: what is drawn in the course of this layout would be measured too late. */
  private refreshSoon(): void {
    if (this.waits || areSame(this.choose(), this.drawn)) return;
    this.waits = true;
    onNextFrame(() => {
      this.waits = false;
      if (this.log) this.refresh();
    });
  }

  /** Puts the reader's place back where it was, if something moved it. */
  private keep(log: HTMLElement): void {
    const moved = this.anchor.moved(log);
    if (moved !== undefined) this.scrollBack(log, moved);
    if (moved !== undefined && !this.anchor.isExpected) return;
    this.note(log);
    if (this.placeWaits) this.keepPlace(log);
  }

  private scrollBack(log: HTMLElement, moved: number): void {
    if (Math.abs(moved) <= 0.5) return;
    this.anchor.restore(log, () => {
      if (this.primed && !this.anchor.isExpected) this.stretchGapAbove(log, -moved);
    });
    this.lastTop = log.scrollTop;
  }

  /** Makes the gap above the view higher or lower, where there is one. */
  private stretchGapAbove(log: HTMLElement, by: number): void {
    const inView = this.heights.at(log.scrollTop - this.padding(log));
    const next = this.drawn.findIndex((section) => section >= inView);
    for (let i = next < 0 ? this.drawn.length - 1 : next; i >= 0; i--) {
      const [to, from] = [this.drawn[i] ?? 0, (this.drawn[i - 1] ?? -1) + 1];
      if (from >= to) continue;
      this.heights.stretch(from, to, by);
      this.drawGaps(log);
      return;
    }
  }

  private drawGaps(log: HTMLElement): void {
    for (const gap of log.querySelectorAll<HTMLElement>('.gap')) {
      const { from, to } = gap.dataset;
      gap.style.height = `${this.gap(Number(from), Number(to))}px`;
    }
  }

  /** Notes what the reader looks at; in a gap, the section that will be drawn there. */
  private note(log: HTMLElement): void {
    const top = log.scrollTop - this.padding(log);
    const first = this.heights.at(top);
    const sections = this.drawn.flatMap((section) => this.elements.get(section) ?? []);
    this.anchor.note(log, sections);
    if (this.anchor.isSet || this.heights.count === 0) return;
    const offset = this.heights.top(first) - top;
    this.anchor.expect(log, { find: () => this.elements.get(first) ?? null, offset });
  }

  private goTo(log: HTMLElement, { id, offset }: Place): void {
    const section = Math.floor(this.page.store.indexOf(id) / SECTION);
    log.scrollTop = this.heights.top(section) + this.padding(log) - offset;
    const entry = `[data-entry-id="${id}"], [data-first-id="${id}"]`;
    this.anchor.expect(
      log,
      { find: () => log.querySelector(entry), offset },
      { find: () => this.elements.get(section) ?? null, offset },
    );
  }

  private keepPlace(log: HTMLElement): void {
    if (!this.primed) return;
    const place = this.follows ? null : this.anchor.place(log);
    this.placeWaits = !this.follows && !place;
    if (!this.placeWaits) this.page.persisted.place = place;
  }

  /** Space above the first section. */
  private padding(log: HTMLElement): number {
    return log.firstElementChild ? parseFloat(getComputedStyle(log.firstElementChild).paddingTop) : 0;
  }

  private choose(): number[] {
    const { count } = this.heights;
    if (count === 0) return [];
    const [first, last] = this.inView();
    const low = this.reach(first, -1, DRAW);
    const high = this.reach(last, 1, DRAW);
    const [lowest, highest] = [this.reach(first, -1, KEEP), this.reach(last, 1, KEEP)];
    const chosen = new Set(this.pinned());
    for (let section = low; section <= high; section++) chosen.add(section);
    if (this.primed && this.follows)
      for (let section = count - NEWEST; section < count; section++) chosen.add(section);
    for (const section of this.drawn) if (section >= lowest && section <= highest) chosen.add(section);
    return [...chosen].filter((section) => section >= 0 && section < count).sort((a, b) => a - b);
  }

  /** The first and the last section in view. */
  private inView(): [number, number] {
    const { log, heights, start } = this;
    if (start) {
      const at = Math.floor(this.page.store.indexOf(start.id) / SECTION);
      return [at, Math.min(at + 1, heights.count - 1)];
    }
    const height = log?.clientHeight || VIEW;
    const top = this.follows || !log ? heights.total - height : log.scrollTop - this.padding(log);
    return [heights.at(top), heights.at(top + height)];
  }

  /** The section that is still within reach of another one. */
  private reach(from: number, step: 1 | -1, { px, most }: typeof DRAW): number {
    if (!this.primed) return Math.max(0, from + Math.min(step, 0));
    let section = from;
    let left = px;
    for (let n = 0; n < most && left > 0; n++) {
      const next = section + step;
      if (next < 0 || next >= this.heights.count) break;
      section = next;
      left -= this.heights.of(section);
    }
    return section;
  }

  /** Sections that stay drawn wherever the reader is: with the focus, with what is selected, with what must be reached. */
  private pinned(): number[] {
    const { log } = this;
    const asked = this.asked.map((id) => Math.floor(this.page.store.indexOf(id) / SECTION));
    if (!log) return asked;
    const sectionOf = (node: Node | null | undefined): number | undefined => {
      const element = node instanceof Element ? node : node?.parentElement;
      const section = log.contains(element ?? null) && element?.closest<HTMLElement>('.section');
      return section ? Number(section.dataset['section']) : undefined;
    };
    const focused = sectionOf(document.activeElement);
    return [...asked, ...(focused === undefined ? [] : [focused]), ...selected(sectionOf)];
  }
}

/** The sections of what is selected: all of them, or the first and the last of many. */
function selected(sectionOf: (node: Node | null | undefined) => number | undefined): number[] {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed) return [];
  const ends = [sectionOf(selection.anchorNode), sectionOf(selection.focusNode)];
  const [a, b] = ends;
  if (a === undefined || b === undefined) return ends.filter((section) => section !== undefined);
  const [low, high] = [Math.min(a, b), Math.max(a, b)];
  if (high - low >= MOST_SELECTED) return [low, high];
  return Array.from({ length: high - low + 1 }, (_, index) => low + index);
}
