import { useSignalEffect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { usePage, type Page } from '../page';
import { mark, unmark } from './marks';
import { reveal } from './reveal';

/** Least time (ms) from one count to the next while the conversation grows. */
const COUNT_EVERY = 250;

/** Runs something at most once per `COUNT_EVERY`, the last time at the end. */
function rarely(run: () => void): { ask: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  const ask = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      run();
    }, COUNT_EVERY);
  };
  return { ask, stop };
}

/** Counts and marks anew while the conversation changes; gives what stops that. */
function watch(page: Page, log: Element): () => void {
  const { find, arrived } = page;
  const draw = (): void => {
    const sought = find.sought();
    if (sought) mark(log, sought, find.result.peek().current);
    else unmark();
  };
  const counting = rarely(() => find.refresh());
  const marking = rarely(draw);
  const changed = new MutationObserver(marking.ask);
  changed.observe(log, { childList: true, subtree: true, characterData: true });
  const stops = [
    counting.stop,
    marking.stop,
    unmark,
    () => changed.disconnect(),
    arrived.subscribe(counting.ask),
    find.result.subscribe(draw),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** The marks of the find bar in the conversation, and the way to the current match. */
export function useFind(log: RefObject<HTMLElement | null>): void {
  const page = usePage();
  const { find } = page;
  const newest = useRef(find.led.peek());
  useSignalEffect(() => (find.open.value && log.current ? watch(page, log.current) : undefined));
  useSignalEffect(() => {
    const led = find.led.value;
    // Where the person was led before this conversation was drawn, they are not led again.
    if (led === newest.current) return;
    newest.current = led;
    const { matches, current } = find.result.peek();
    const match = matches[current];
    if (match && log.current)
      void reveal(page, log.current, match, () => newest.current === led && find.open.peek());
  });
}
