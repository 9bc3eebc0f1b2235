/** Longest time (ms) for which work in slices keeps the page from anything else. */
const SLICE = 6;

/**
 * Does work step by step, in slices with pauses for whatever else the page has to do; the first slice at once.
 * @param afterSlice hears after each slice whether that was the last one
 * @returns what stops it
 */
export function inSlices(steps: Iterator<unknown>, afterSlice: (done: boolean) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  const run = (): void => {
    const end = performance.now() + SLICE;
    let done: boolean | undefined;
    do done = steps.next().done;
    while (!done && performance.now() < end);
    afterSlice(done === true);
    if (!done && !stopped) timer = setTimeout(run);
  };
  run();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
