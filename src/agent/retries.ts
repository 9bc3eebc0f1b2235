import { createPause, type Pause } from './abort';
import { ModelFailure } from './model/model';

/** How often one prompt turn goes on after a model call that failed. */
export const MAX_RETRIES = 3;

/** Longest wait for a model that asks to be left alone, in ms; a longer one is the person's decision. */
export const LONGEST_WAIT_MS = 60_000;

/** Whether a failed model call is tried again, and when. */
export class Retries {
  private count = 0;

  /** @param tell is told before each wait. */
  constructor(
    private readonly pause: Pause = createPause(1),
    private readonly tell: (failure: ModelFailure, waitMs: number) => void = () => undefined,
  ) {}

  /** Waits until the call may be tried again; throws the error where that makes no sense. */
  async wait(error: unknown, signal: AbortSignal): Promise<'again'> {
    if (!(error instanceof ModelFailure)) throw error;
    const wait = error.retryAfterMs;
    if (wait === undefined || wait > LONGEST_WAIT_MS || this.count >= MAX_RETRIES) throw error;
    this.count++;
    this.tell(error, wait);
    await this.pause(wait, signal);
    return 'again';
  }
}
