import type { Disposable } from '../../core/lifecycle';
import { Backlog, LOW_WATER } from '../../core/terminal/backlog';

/** ms between two writes: more often than the screen is painted is of no use. */
const FRAME = 16;
/** UTF-16 units of a write: about what the editor draws in a frame. */
const PORTION = 64 * 1024;

export interface TabFlowOptions {
  write(text: string): void;
  /** Lines came faster than they can be shown, and are left out here. */
  leftOut(lines: number): void;
  /** Asks to stop, and to start again, the flow of output. */
  onPressure(high: boolean): void;
}

/**
 * Writes output to a tab at the pace at which the editor can show it: an editor takes in whatever an extension writes, and stands
 * still in a flood. The first write goes out at once; no timer runs while nothing happens.
 */
export class TabFlow implements Disposable {
  private readonly backlog = new Backlog();
  private timer: NodeJS.Timeout | undefined;
  private paused = false;
  private disposed = false;

  constructor(private readonly options: TabFlowOptions) {}

  push(text: string): void {
    if (this.disposed) return;
    this.backlog.push(text);
    this.setPressure(this.paused || this.backlog.full);
    if (!this.timer) this.step();
  }

  /** Writes all that waits. */
  flush(): void {
    while (this.portion());
    this.setPressure(false);
  }

  dispose(): void {
    this.disposed = true;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.setPressure(false);
  }

  private step(): void {
    this.timer = undefined;
    if (this.disposed || !this.portion()) return;
    if (this.backlog.size < LOW_WATER) this.setPressure(false);
    this.timer = setTimeout(() => this.step(), FRAME);
  }

  /** Writes the next part; false if nothing waits. */
  private portion(): boolean {
    let text = '';
    while (text.length < PORTION) {
      const part = this.backlog.take(PORTION - text.length);
      if (part === undefined) break;
      if (typeof part === 'string') {
        text += part;
        continue;
      }
      if (text !== '') this.options.write(text);
      text = '';
      this.options.leftOut(part);
    }
    if (text !== '') this.options.write(text);
    return text !== '';
  }

  private setPressure(high: boolean): void {
    if (this.paused === high) return;
    this.paused = high;
    this.options.onPressure(high);
  }
}
