/** The wait for a condition came to nothing. */
export class WaitedInVain extends Error {
  constructor(what: string, timeout: number) {
    super(`Waited ${timeout / 1000} s in vain for ${what}.`);
    this.name = 'WaitedInVain';
  }
}

/**
 * Ask again and again until there is an answer, at most for `timeout` milliseconds.
 * @param what said in the error: "the chat panel to show"
 * @param probe gives undefined for "not yet"
 */
export async function until<T>(
  what: string,
  probe: () => Promise<T | undefined> | T | undefined,
  timeout = 30_000,
): Promise<T> {
  const deadline = Date.now() + timeout;
  for (;;) {
    const answer = await probe();
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new WaitedInVain(what, timeout);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}
