/** Runs something before the next painting; a hidden page, which paints nothing, gets a timer instead. */
export function onNextFrame(run: () => void): void {
  if (document.visibilityState === 'hidden') setTimeout(run, 100);
  else requestAnimationFrame(() => run());
}
