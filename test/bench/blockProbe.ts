/** Watches for how long at most the thread did not get to its next turn; the first figure needs a turn before. */
export class BlockProbe {
  private longest = 0;
  private last = performance.now();
  private running = true;

  constructor() {
    this.tick();
  }

  /** The longest block until now, in ms; what runs at this moment counts. */
  stop(): number {
    this.note();
    this.running = false;
    return this.longest;
  }

  private note(): void {
    const now = performance.now();
    this.longest = Math.max(this.longest, now - this.last);
    this.last = now;
  }

  private tick(): void {
    setImmediate(() => {
      if (!this.running) return;
      this.note();
      this.tick();
    });
  }
}
