import { onNextFrame } from './frame';
import type { Page } from './page';
import { focusEntry } from './transcript/entryKeys';

/** What keeps the focus by itself, so that nothing needs to be watched while it is there. */
const STAYS = '[data-parley="composer"], [data-parley="transcript"]';

const canHaveFocus = (element: Element): boolean =>
  element.isConnected && !element.matches(':disabled') && element.checkVisibility();

/** Where the focus goes when what had it is gone: never to an answer of a question, and from one never into the draft. */
function fallback(page: Page, home: readonly HTMLElement[], wasQuestion: boolean): void {
  const entry = home.find((box) => canHaveFocus(box) && box.dataset['entryId'] !== undefined);
  const log = document.querySelector<HTMLElement>('[data-parley="transcript"]');
  const wasInLog = home.some((box) => box === log);
  if (wasQuestion) log?.focus({ preventScroll: true });
  else if (entry) focusEntry(page, entry);
  else if (wasInLog) log?.focus({ preventScroll: true });
  else page.focusComposer.value++;
}

/** The boxes around an element, from the inside to the outside. */
function around(element: Element): HTMLElement[] {
  const boxes: HTMLElement[] = [];
  for (let box = element.parentElement; box; box = box.parentElement) boxes.push(box);
  return boxes;
}

/** Watches that the focus is never lost with the control that had it, but for controls whose views look after it themselves. */
export function guardFocus(page: Page): () => void {
  let last: { element: Element; home: HTMLElement[]; question: boolean } | undefined;
  let scheduled = false;
  const look = (): void => {
    scheduled = false;
    const { activeElement, body } = document;
    const gone = last !== undefined && !canHaveFocus(last.element);
    if (!last || !gone || !document.hasFocus()) return;
    if (activeElement !== body && activeElement !== last.element) return;
    const { home, question } = last;
    last = undefined;
    fallback(page, home, question);
  };
  const observer = new MutationObserver(() => {
    if (scheduled || !last || canHaveFocus(last.element)) return;
    scheduled = true;
    // The view that took the control away may know better where to go.
    onNextFrame(look);
  });
  const onFocusIn = ({ target }: FocusEvent): void => {
    observer.disconnect();
    last = undefined;
    if (!(target instanceof Element) || target.matches(STAYS)) return;
    const question = target.closest('[data-permission], [data-elicitation]') !== null;
    last = { element: target, home: around(target), question };
    observer.observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ['disabled', 'hidden'],
    });
  };
  const onFocusOut = ({ target }: FocusEvent): void => {
    // An element that is removed may lose the focus as well, which only shows afterwards.
    queueMicrotask(() => {
      const left = target instanceof Element && canHaveFocus(target) && document.hasFocus();
      if (left && last?.element === target) last = undefined;
    });
  };
  document.addEventListener('focusin', onFocusIn);
  document.addEventListener('focusout', onFocusOut);
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', onFocusIn);
    document.removeEventListener('focusout', onFocusOut);
  };
}
