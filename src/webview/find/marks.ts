import type { Match } from './search';
import type { Matcher } from './matcher';
import { rangesIn } from './ranges';

/** Names of the highlights in the style sheet. */
const ALL = 'parley-find';
const CURRENT = 'parley-find-current';
/** Places that are marked at once, those next to the current one first. */
const MAX_MARKS = 2000;

/** The element of an entry, where it is drawn. */
export function entryElement(log: Element, id: number): Element | null {
  return log.querySelector(`[data-entry-id="${id}"]`);
}

/** What is looked for, and all that was found. */
export interface Sought {
  matcher: Matcher;
  matches: readonly Match[];
}

/** The place of a match; undefined where not all that it is counted among is drawn, unless the nearest one will do. */
export function rangeOfMatch(
  log: Element,
  { matcher, matches }: Sought,
  match: Match,
  nearest: boolean,
): Range | undefined {
  const entry = entryElement(log, match.id);
  const ranges = entry ? rangesIn(entry, match.where, matcher) : [];
  const all = matches.filter(({ id, where }) => id === match.id && where === match.where).length;
  if (ranges.length === all) return ranges[match.nth];
  return nearest ? (ranges[match.nth] ?? ranges.at(-1)) : undefined;
}

/** The elements that show matches, by the ids of their entries. */
function placesOf(matches: readonly Match[]): Map<number, Set<string>> {
  const places = new Map<number, Set<string>>();
  for (const { id, where } of matches) places.set(id, (places.get(id) ?? new Set()).add(where));
  return places;
}

/** Marks what is drawn, without touching the document. */
export function mark(log: Element, sought: Sought, current: number): void {
  const { matches, matcher } = sought;
  const shown = matches[current];
  const places = placesOf(matches);
  const distance = (element: Element): number => Math.abs(idOf(element) - (shown?.id ?? 0));
  const drawn = [...log.querySelectorAll('[data-entry-id]')]
    .filter((element) => places.has(idOf(element)))
    .sort((a, b) => distance(a) - distance(b));
  const marks: Range[] = [];
  for (const element of drawn) {
    for (const where of places.get(idOf(element)) ?? []) marks.push(...rangesIn(element, where, matcher));
    if (marks.length >= MAX_MARKS) break;
  }
  CSS.highlights.set(ALL, new Highlight(...marks));
  const place = shown && rangeOfMatch(log, sought, shown, true);
  const highlight = new Highlight(...(place ? [place] : []));
  highlight.priority = 1;
  CSS.highlights.set(CURRENT, highlight);
}

const idOf = (element: Element): number => Number(element.getAttribute('data-entry-id'));

/** Takes every mark away. */
export function unmark(): void {
  CSS.highlights.delete(ALL);
  CSS.highlights.delete(CURRENT);
}
