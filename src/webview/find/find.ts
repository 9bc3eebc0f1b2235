import { batch, signal } from '@preact/signals';
import type { MarkdownIt } from 'markdown-it';
import type { Store } from '../store';
import { createMatcher, type Matcher } from './matcher';
import { shownTexts } from './plainText';
import { Search, type Match } from './search';
import { inSlices } from './slices';

/** What was found; `current` is an index, -1 where nothing was. */
export interface FindResult {
  matches: readonly Match[];
  current: number;
  /** False while the conversation is still being looked through: more may be found, after those that are there. */
  settled: boolean;
}

const NOTHING: FindResult = { matches: [], current: -1, settled: true };
/** Least time (ms) between two results while a conversation is being looked through. */
const SHOW_EVERY = 100;

const isSame = (a: Match, b: Match): boolean => a.id === b.id && a.where === b.where && a.nth === b.nth;

/** Find in the conversation: looks in the state, so also in what is folded or not drawn. Does nothing while it is closed. */
export class Find {
  readonly open = signal(false);
  readonly query = signal('');
  readonly matchCase = signal(false);
  readonly result = signal<FindResult>(NOTHING);
  /** Grows when the person should be led to the current match. */
  readonly led = signal(0);
  /** Grows when the field should get the focus. */
  readonly focusField = signal(0);
  /** Id of an entry that must be drawn, though it is old. */
  readonly wanted = signal<number | null>(null);
  private matcher: Matcher | undefined;
  private search: Search | undefined;
  /** What blocks show, for the next query. */
  private shown = new WeakMap<object, { text: string; texts: string[] }>();
  /** Id of the entry from which a new query is looked for. */
  private from = 0;
  private focused: Element | null = null;
  /** Ends the search that runs. */
  private stop: (() => void) | undefined;
  /** The conversation changed while it was being looked through. */
  private stale = false;

  constructor(
    private readonly store: Store,
    private readonly parser: MarkdownIt,
  ) {}

  /**
   * Opens the bar, or goes back to its field.
   * @param from id of the first entry in view
   * @param query what is selected; an empty one leaves the last query
   */
  show(from: number, query: string): void {
    batch(() => {
      if (!this.open.peek()) this.focused = document.activeElement;
      this.open.value = true;
      this.focusField.value++;
      this.from = from;
      if (query !== '') this.query.value = query;
      this.begin();
    });
  }

  /** Closes the bar; gives what had the focus before it. */
  close(): Element | null {
    batch(() => {
      this.open.value = false;
      this.result.value = NOTHING;
      this.wanted.value = null;
    });
    this.stopScan();
    this.search = undefined;
    this.matcher = undefined;
    this.shown = new WeakMap();
    const { focused } = this;
    this.focused = null;
    return focused;
  }

  /** What is looked for and what was found; undefined while nothing is looked for. */
  sought(): { matcher: Matcher; matches: readonly Match[] } | undefined {
    return this.matcher && { matcher: this.matcher, matches: this.result.peek().matches };
  }

  setQuery(query: string): void {
    this.query.value = query;
    this.begin();
  }

  setMatchCase(matchCase: boolean): void {
    this.matchCase.value = matchCase;
    this.begin();
  }

  /** Leads to another match, and from the last to the first. */
  go(step: 1 | -1): void {
    const { matches, current, settled } = this.result.peek();
    const next = (current + step + matches.length) % matches.length;
    if (matches[next]) this.lead(matches, next, settled);
  }

  /** Counts anew, since the conversation changed; the current match stays where it is, and the reader too. */
  refresh(): void {
    this.stale = this.stop !== undefined;
    if (this.stale || !this.search) return;
    this.scan(this.search, (now, done) => {
      if (!done) return;
      const { matches, current } = this.result.peek();
      const was = matches[current];
      const same = was ? now.findIndex((match) => isSame(match, was)) : -1;
      this.result.value = {
        matches: now,
        current: same >= 0 ? same : Math.min(Math.max(current, 0), now.length - 1),
        settled: true,
      };
    });
  }

  /** Looks in another conversation, without leading anywhere in it. */
  renew(): void {
    this.stopScan();
    this.from = 0;
    this.wanted.value = null;
    this.result.value = NOTHING;
    this.refresh();
  }

  private begin(): void {
    if (!this.open.peek()) return;
    const { matches: before, current } = this.result.peek();
    this.from = before[current]?.id ?? this.from;
    this.matcher = createMatcher(this.query.peek(), this.matchCase.peek());
    this.search =
      this.matcher &&
      new Search(this.matcher, {
        markdown: (block) => this.shownBy(block),
        terminal: (id) => this.store.terminal(id),
      });
    if (this.search) this.seek(this.search);
    else this.lead([], -1, true);
  }

  /** Looks for a new query, and leads to the first match from where the reader is, else to the last one of all. */
  private seek(search: Search): void {
    const { from } = this;
    let led = false;
    let shown = 0;
    this.result.value = { ...NOTHING, settled: false };
    this.scan(search, (matches, settled) => {
      const now = performance.now();
      if (led) {
        if (!settled && now - shown < SHOW_EVERY) return;
        this.result.value = { matches, current: this.result.peek().current, settled };
      } else {
        const first = matches.findIndex(({ id }) => id >= from);
        led = first >= 0 || settled;
        if (!led) return;
        this.lead(matches, first >= 0 ? first : matches.length - 1, settled);
      }
      shown = now;
    });
  }

  private stopScan(): void {
    this.stop?.();
    this.stop = undefined;
    this.stale = false;
  }

  /** Looks through the conversation in slices; what is found is told after each of them. */
  private scan(search: Search, tell: (matches: readonly Match[], done: boolean) => void): void {
    this.stopScan();
    const matches: Match[] = [];
    let over = false;
    const stop = inSlices(search.scan(this.store.state.entries, matches), (done) => {
      over = done;
      if (done) this.stop = undefined;
      tell(matches, done);
      if (done && this.stale) this.refresh();
    });
    if (!over) this.stop = stop;
  }

  private shownBy(block: { text: string }): string[] {
    const { text } = block;
    const known = this.shown.get(block);
    if (known?.text === text) return known.texts;
    const texts = shownTexts(this.parser, text);
    this.shown.set(block, { text, texts });
    return texts;
  }

  private lead(matches: readonly Match[], current: number, settled: boolean): void {
    batch(() => {
      this.result.value = { matches, current, settled };
      if (current >= 0) this.led.value++;
    });
  }
}
