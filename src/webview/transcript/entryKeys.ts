import type { Page } from '../page';

/** What arrow keys go through: entries, and calls that are folded into one line. */
const ENTRIES = '[data-entry-id], .run';
/** What needs the arrow keys for itself. */
const TAKES_ARROWS =
  'input, textarea, select, [role="listbox"], [role="radiogroup"], [tabindex="0"]:not([data-parley], a)';
/** Characters of a message that are read out as its name. */
const MAX_NAME = 1_500;

const logOf = (): HTMLElement | null => document.querySelector('[data-parley="transcript"]');

/** Entries in their order, those inside of an open run behind it. */
const entriesOf = (log: Element): HTMLElement[] =>
  [...log.querySelectorAll<HTMLElement>(ENTRIES)].filter((entry) => entry.getClientRects().length > 0);

/** Has the text of a message read out with its name for as long as it has the focus. */
function nameWithText(entry: HTMLElement): void {
  if (entry.dataset['entry'] !== 'user' && entry.dataset['entry'] !== 'agent') return;
  const name = entry.ariaLabel ?? '';
  const whole = `${name}: ${entry.innerText.trim().slice(0, MAX_NAME)}`;
  entry.ariaLabel = whole;
  entry.addEventListener(
    'blur',
    () => {
      if (entry.ariaLabel === whole) entry.ariaLabel = name;
    },
    { once: true },
  );
}

/** Gives an entry the focus, which Tab does not: from there it leads to the controls of the entry. */
export function focusEntry(page: Page, entry: HTMLElement, scroll: ScrollLogicalPosition = 'nearest'): void {
  entry.tabIndex = -1;
  nameWithText(entry);
  entry.focus({ preventScroll: true });
  page.leaveEnd(() => entry.scrollIntoView({ block: scroll }));
}

/** The entry that an arrow key leads to from the conversation itself: the last one in view for up, the first for down. */
function entryInView(log: Element, step: number): HTMLElement | undefined {
  const { top, bottom } = log.getBoundingClientRect();
  const inView = entriesOf(log).filter((entry) => {
    const box = entry.getBoundingClientRect();
    return box.bottom > top && box.top < bottom;
  });
  return inView.at(step < 0 ? -1 : 0);
}

/** True where more of an entry is to be read in the direction before the next one's turn comes. */
function reachesOut(log: Element, entry: Element, step: number): boolean {
  const view = log.getBoundingClientRect();
  const box = entry.getBoundingClientRect();
  return step < 0 ? box.top < view.top - 1 : box.bottom > view.bottom + 1;
}

/** Goes to the entry above or below; false leaves the key to the browser, which scrolls. */
function step(page: Page, target: Element, by: number): boolean {
  const log = logOf();
  if (!log) return false;
  const current = target.closest<HTMLElement>(ENTRIES);
  if (!current) {
    const entry = entryInView(log, by);
    if (entry) focusEntry(page, entry);
    return entry !== undefined;
  }
  if (reachesOut(log, current, by)) return false;
  const entries = entriesOf(log);
  const next = entries[entries.indexOf(current) + by];
  if (!next) return false;
  focusEntry(page, next);
  return true;
}

/** Folds or unfolds the entry that has the focus; `wanted` says which, else the other of the two. */
function fold(entry: Element, wanted?: boolean): boolean {
  const toggle = entry.querySelector<HTMLElement>('[aria-expanded]');
  if (!toggle) return false;
  const open = toggle.ariaExpanded === 'true';
  if (wanted === undefined || wanted !== open) toggle.click();
  return true;
}

function onKeyInLog(page: Page, log: HTMLElement, target: Element, key: string): boolean {
  if (key === 'ArrowUp' || key === 'ArrowDown') {
    if (target !== log && target.closest(TAKES_ARROWS)) return false;
    return step(page, target, key === 'ArrowUp' ? -1 : 1);
  }
  if (!target.matches(ENTRIES)) return false;
  if (key === 'Enter' || key === ' ') return fold(target);
  if (key === 'ArrowRight') return fold(target, true);
  return key === 'ArrowLeft' && fold(target, false);
}

/** Ctrl+Up leads from the beginning of the composer to the newest entry. */
function leaveComposer(page: Page, log: HTMLElement, field: HTMLTextAreaElement): boolean {
  if (field.selectionStart !== 0 || field.selectionEnd !== 0) return false;
  const last = entriesOf(log).at(-1);
  if (last) focusEntry(page, last, 'end');
  else log.focus();
  return true;
}

/** A key with Ctrl: between the composer and the conversation. */
function onCtrlKey(page: Page, log: HTMLElement, target: Element, key: string): boolean {
  if (key === 'ArrowUp') return target instanceof HTMLTextAreaElement && leaveComposer(page, log, target);
  if (key !== 'ArrowDown' || !log.contains(target)) return false;
  page.focusComposer.value++;
  return true;
}

const isForOthers = (
  page: Page,
  { defaultPrevented, isComposing, shiftKey, altKey }: KeyboardEvent,
): boolean => defaultPrevented || isComposing || shiftKey || altKey || page.sessionsOpen.peek();

/** Deals with a key that goes through the conversation, or between it and the composer, as in VS Code's own chat. */
export function onEntryKey(page: Page, event: KeyboardEvent): void {
  const { target, key } = event;
  const log = logOf();
  if (!log || !(target instanceof Element) || isForOthers(page, event)) return;
  const taken =
    event.ctrlKey || event.metaKey
      ? onCtrlKey(page, log, target, key)
      : log.contains(target) && onKeyInLog(page, log, target, key);
  if (taken) event.preventDefault();
}
