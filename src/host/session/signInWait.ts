/** Turns that wait until the person signed in (RP-7). */
export class SignInWait {
  private readonly waiters = new Set<{ resolve(): void; reject(error: Error): void }>();

  /** Resolves when the person signed in and the session is open again; rejects when that will not happen. */
  wait(): Promise<void> {
    return new Promise((resolve, reject) => this.waiters.add({ resolve, reject }));
  }

  /** Ends the waiting; with an error if there is nothing to go on with. */
  settle(error?: Error): void {
    for (const waiter of this.waiters) {
      if (error) waiter.reject(error);
      else waiter.resolve();
    }
    this.waiters.clear();
  }
}
