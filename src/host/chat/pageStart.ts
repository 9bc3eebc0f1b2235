import { PROTOCOL_ID } from '../../core/chat/protocol';
import type { Disposable } from '../../core/lifecycle';

/** ms in which a page that is in sight begins; a slow connection has to bring its script. */
const WITHIN = 15_000;

export interface PageStartOptions {
  /** Makes the page, or makes it anew. */
  load(): void;
  /** Tells the person that there is no page; `PageStart.load` tries again. */
  failed(): void;
  log(line: string): void;
  /** ms. */
  within?: number;
}

/** Watches that a page begins. One that does not, or that is of another build, is made anew once; then the person is told. */
export class PageStart implements Disposable {
  private timer: NodeJS.Timeout | undefined;
  private again = false;

  constructor(private readonly options: PageStartOptions) {}

  /** Makes the page; `inSight`: it is waited for. */
  load(inSight: boolean): void {
    this.again = false;
    this.options.load();
    this.setVisible(inSight);
  }

  /** A page that is not in sight does not begin. */
  setVisible(visible: boolean): void {
    clearTimeout(this.timer);
    this.timer = visible
      ? setTimeout(() => this.retry('did not begin'), this.options.within ?? WITHIN)
      : undefined;
  }

  /** The page has begun; false if it is made anew. */
  begun(protocol: string): boolean {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (protocol !== PROTOCOL_ID) {
      this.retry('is of another build');
      return false;
    }
    this.again = false;
    return true;
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  private retry(why: string): void {
    this.options.log(`the page ${why}`);
    if (this.again) return this.options.failed();
    this.again = true;
    this.options.load();
    this.setVisible(true);
  }
}
