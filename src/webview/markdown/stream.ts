import type { MarkdownCommitter } from './committer';

/** Share of time that drawing one message may take: the next drawing waits this many times the cost of the last. */
const REST_FACTOR = 4;

/** Pause per character of the block that is still open, ms: the browser lays all of it out again, which the cost does not show. */
const REST_PER_CHARACTER = 1 / 200;

/** Paces a committer: draws at once where it can, else when the last drawing has paid off; needs no frame when idle. */
export class MarkdownStream {
  private length = 0;
  private notBefore = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly committer: MarkdownCommitter) {}

  /** Takes the whole text so far, of which only the new end is read; `complete` draws what waits, whatever it costs. */
  update(text: string, complete: boolean): void {
    if (text.length > this.length) {
      this.committer.append(text.slice(this.length));
      this.length = text.length;
    } else if (this.timer === undefined) return;
    const wait = complete ? 0 : this.notBefore - performance.now();
    if (wait <= 0) this.draw();
    else this.timer ??= setTimeout(this.draw, wait);
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  private readonly draw = (): void => {
    clearTimeout(this.timer);
    this.timer = undefined;
    const start = performance.now();
    this.committer.flush();
    const end = performance.now();
    const rest = Math.max((end - start) * REST_FACTOR, this.committer.openLength * REST_PER_CHARACTER);
    this.notBefore = end + rest;
  };
}
