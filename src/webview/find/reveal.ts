import { onNextFrame } from '../frame';
import type { Page } from '../page';
import { bringIntoView } from './bringIntoView';
import { entryElement, rangeOfMatch } from './marks';
import type { Match } from './search';

const nextFrame = (): Promise<void> => new Promise(onNextFrame);

/** Opens the line into which calls are folded, where an entry is in one. */
function unfoldRun({ store, persisted }: Page, id: number): void {
  for (let first = id; store.entry(first)?.kind === 'tool'; first--)
    if (persisted.isWatched(`run:${first}`)) return persisted.setOpen(`run:${first}`, true);
}

function placeOf({ find }: Page, log: Element, match: Match, nearest: boolean): Range | undefined {
  const sought = find.sought();
  return sought && rangeOfMatch(log, sought, match, nearest);
}

/** Draws what holds a match and unfolds it; gives the match's place, where it is on the page at last. */
async function unfold(page: Page, log: Element, match: Match): Promise<Range | undefined> {
  const { find, persisted } = page;
  const place = (nearest: boolean): Range | undefined => placeOf(page, log, match, nearest);
  find.wanted.value = match.id;
  await nextFrame();
  const drawn = place(false);
  if (drawn) return drawn;
  if (!entryElement(log, match.id)) unfoldRun(page, match.id);
  for (const key of match.folds) persisted.setOpen(key, true);
  await nextFrame();
  return place(true);
}

/** Leads the reader to a match; `isNewest` turns false when they want to be somewhere else. */
export async function reveal(page: Page, log: Element, match: Match, isNewest: () => boolean): Promise<void> {
  const place = await unfold(page, log, match);
  if (!isNewest()) return;
  if (!place) {
    page.leaveEnd(() => entryElement(log, match.id)?.scrollIntoView({ block: 'center' }));
    return;
  }
  page.leaveEnd(() => bringIntoView(place, log));
  // Sections that were never laid out get their true height only now.
  await nextFrame();
  const again = isNewest() && placeOf(page, log, match, true);
  if (again) page.leaveEnd(() => bringIntoView(again, log));
}
