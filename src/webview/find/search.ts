import type { Entry } from '../../core/session/state';
import type { Matcher } from './matcher';
import { partsOf, type PartSource } from './parts';

/** Matches above which counting stops. */
export const MAX_MATCHES = 9999;

/** One place in the conversation. */
export interface Match {
  /** Of the entry. */
  id: number;
  /** Selects the elements of the entry that show it and others. */
  where: string;
  /** Its place among the matches of these elements, 0-based. */
  nth: number;
  folds: readonly string[];
}

interface Found {
  version: number;
  matches: readonly Match[];
}

/** Looks for one query; what an entry held is remembered until it changes. */
export class Search {
  private readonly found = new WeakMap<Entry, Found>();

  constructor(
    private readonly matcher: Matcher,
    private readonly source: PartSource,
  ) {}

  /** Adds all matches in the order of the page, entry by entry; at most one more than `MAX_MATCHES`. */
  *scan(entries: Iterable<Entry>, all: Match[]): Generator<void, void> {
    for (const entry of entries) {
      for (const match of this.ofEntry(entry)) all.push(match);
      if (all.length > MAX_MATCHES) {
        all.length = MAX_MATCHES + 1;
        return;
      }
      yield;
    }
  }

  private ofEntry(entry: Entry): readonly Match[] {
    const known = this.found.get(entry);
    if (known?.version === entry.version && !hasTerminal(entry)) return known.matches;
    const matches = this.look(entry);
    this.found.set(entry, { version: entry.version, matches });
    return matches;
  }

  private look(entry: Entry): Match[] {
    const counts = new Map<string, number>();
    const matches: Match[] = [];
    for (const { where, texts, source, folds } of partsOf(entry, this.source)) {
      if (source !== undefined && !this.matcher.mayShow(source)) continue;
      let nth = counts.get(where) ?? 0;
      for (const text of texts())
        for (let left = this.matcher.places(text).length; left > 0; left--)
          matches.push({ id: entry.id, where, nth: nth++, folds });
      counts.set(where, nth);
    }
    return matches;
  }
}

/** The screen of a terminal changes without its entry. */
const hasTerminal = (entry: Entry): boolean =>
  entry.kind === 'tool' && entry.content.some(({ type }) => type === 'terminal');
