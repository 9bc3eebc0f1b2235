/** The person ended the prompt turn by leaving a question unanswered; it is no error (PE-5). */
export class TurnCancelled extends Error {
  constructor() {
    super('The prompt turn was cancelled.');
    this.name = 'TurnCancelled';
  }
}

/** Waits some milliseconds; rejects at once when the signal aborts. */
export type Pause = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/**
 * A pause by the real clock.
 *
 * @param factor of human pace: 1 as it is, 0 without waiting.
 */
export function createPause(factor: number): Pause {
  return (milliseconds, signal) =>
    untilAborted(
      new Promise((resolve) => {
        const time = milliseconds * factor;
        // Never resolved at once: a stream without a gap would keep the cancel notification from being read.
        if (time < 1) setImmediate(resolve);
        else setTimeout(resolve, time);
      }),
      signal,
    );
}

/** The promise, or a rejection as soon as the signal aborts, whatever the promise does then. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(new TurnCancelled());
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The items of a stream until the signal aborts, also of one that ignores the signal. */
export async function* itemsUntilAborted<T>(
  stream: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const iterator = stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await untilAborted(iterator.next(), signal);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited: a stream that hangs would never answer.
    iterator.return?.().catch(() => undefined);
  }
}
