import { effect } from '@preact/signals';
import { isBusy } from '../core/session/select';
import type { Page } from './page';

/** Lets the page's clock tick each second, but only while a turn runs, an agent is being reached, or the list of sessions is open. */
export function runClock(page: Page): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  const tick = (): void => {
    if (document.hidden) return;
    page.now.value = Date.now();
  };
  const stop = effect(() => {
    page.store.follow('turn');
    page.store.follow('connection');
    const { state } = page.store;
    const listed = page.sessionsOpen.value;
    const ticks = listed || isBusy(state) || state.connection.status === 'connecting';
    if (ticks === (timer !== undefined)) return;
    clearInterval(timer);
    timer = ticks ? setInterval(tick, 1000) : undefined;
    tick();
  });
  document.addEventListener('visibilitychange', tick);
  return () => {
    document.removeEventListener('visibilitychange', tick);
    stop();
    clearInterval(timer);
  };
}
