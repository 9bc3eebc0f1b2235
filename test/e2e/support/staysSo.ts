/** How long something may take, and how long it has to stay. */
export interface StayOptions {
  /** ms until it must be so; 10 s where absent. */
  withinMs?: number;
  /** ms for which it has to stay so. */
  holdMs?: number;
}

/**
 * Waits until an assertion holds, and asserts again and again for as long as it has to hold.
 * @param what said in the error
 * @param check looks once and throws if it is not as it must be
 */
export async function staysSo(
  what: string,
  check: () => Promise<void>,
  { withinMs = 10_000, holdMs = 0 }: StayOptions = {},
): Promise<void> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const problem = await problemOf(check);
    if (problem === undefined) break;
    if (Date.now() > deadline)
      throw new Error(`Not so within ${withinMs} ms: ${what}\n${problem.message}`, { cause: problem });
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  const end = Date.now() + holdMs;
  while (Date.now() < end) {
    const problem = await problemOf(check);
    if (problem) throw new Error(`It did not stay so: ${what}\n${problem.message}`, { cause: problem });
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}

async function problemOf(check: () => Promise<void>): Promise<Error | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
