/** Resolves in the next frame, to its time, ms. */
export const frame = (): Promise<number> => new Promise(requestAnimationFrame);

/** Resolves when what is in the document by now is on screen. */
export async function painted(): Promise<void> {
  await frame();
  await new Promise((resolve) => setTimeout(resolve));
}

/** Scrolls an element up, one step a frame. */
export async function scrollUp(log: Element, steps: number, px: number): Promise<number[]> {
  const times: number[] = [];
  let last = await frame();
  for (let i = 0; i < steps; i++) {
    log.scrollTop -= px;
    const now = await frame();
    times.push(now - last);
    last = now;
  }
  return times;
}
