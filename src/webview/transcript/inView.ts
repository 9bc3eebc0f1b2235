import { useEffect, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import { REFLEX_DELAY } from '../../core/permission/reflexGuard';
import { usePage } from '../page';

/** Tells whether something has been on screen long enough for a press of it to be meant; `report` hears whether it is there at all. */
export function useSeen(
  target: RefObject<HTMLElement | null>,
  key: string,
  report?: (visible: boolean) => void,
): boolean {
  const [ready, setReady] = useState(false);
  useEffect(() => {
    const element = target.current;
    if (!element) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver((changes) => {
      const visible = changes.at(-1)?.isIntersecting ?? false;
      report?.(visible);
      clearTimeout(timer);
      if (visible) timer = setTimeout(() => setReady(true), REFLEX_DELAY);
      else setReady(false);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
      report?.(false);
    };
  }, [key]);
  return ready;
}

/**
 * Tells whether an open question has been on screen long enough for an answer to be meant, and tells the page whether it is on
 * screen at all. A press that was meant for something else comes sooner.
 */
export function useReadyToAnswer(card: RefObject<HTMLElement | null>, requestId: string): boolean {
  const { inView } = usePage();
  return useSeen(card, requestId, (visible) => {
    const next = new Set(inView.peek());
    if (visible) next.add(requestId);
    else next.delete(requestId);
    inView.value = next;
  });
}

/**
 * Takes the focus out of a question that is being answered: its buttons go away, and the keys that follow must not land in the
 * draft.
 */
export function leaveQuestion(card: RefObject<HTMLElement | null>): void {
  if (card.current?.contains(document.activeElement))
    document.querySelector<HTMLElement>('[data-parley="transcript"]')?.focus({ preventScroll: true });
}
