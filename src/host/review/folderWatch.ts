import type { Disposable } from '../../core/lifecycle';

/** What the tracker needs of the editor. Paths are absolute. */
export interface FolderPort {
  /** Tells of files that were made, changed or deleted in a folder, at any depth. */
  watch(folder: string, onEvent: (path: string) => void): Disposable;
  /**
   * A person saved a document, or made or deleted a file in the editor; a write of ours that goes through the editor tells it too.
   * `bytes` are what was saved; without them the file is read.
   */
  onDidSave(listener: (path: string, bytes?: Promise<Uint8Array>) => void): Disposable;
  /** The bytes that a document with unsaved changes would be saved as; undefined without one. */
  unsavedBytes(place: { path: string; real: string }): Promise<Uint8Array | undefined>;
}

/** Paths beyond this many are not looked at one by one. */
const MAX_MARKED = 2_000;
/** After so many pauses the paths are looked at although more come: for the first time, and later on. */
const PATIENCE = { first: 10, later: 20 };
/** Between two looks are so many pauses, and so many times what the last one took, as much may be written for minutes. */
const REST = { pauses: 4, times: 20 };

/** Gathers paths that may have changed, and gives them when no more come for a while. */
export class Marks implements Disposable {
  private readonly marked = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  /** ms of the monotonic clock: when the timer fires at the latest, and before what it does not. */
  private latest = 0;
  private earliest = 0;
  /** ms of the monotonic clock at which the last path was marked. */
  private last = 0;
  private patience = PATIENCE.first;
  private looking = false;
  private isOver = false;

  /** `pause` in ms. What `onPause` gives must not reject; meanwhile paths are only gathered. */
  constructor(
    private readonly onPause: (paths: string[]) => Promise<void>,
    private readonly pause: number,
  ) {}

  mark(path: string): void {
    if (this.isOver) return;
    if (this.marked.size < MAX_MARKED) this.marked.add(path);
    this.last = performance.now();
    if (!this.timer && !this.looking) this.wait();
  }

  /** The marked paths, which are not marked any more. */
  take(): string[] {
    clearTimeout(this.timer);
    this.timer = undefined;
    const paths = [...this.marked];
    this.marked.clear();
    return paths;
  }

  dispose(): void {
    this.isOver = true;
    this.take();
  }

  private wait(): void {
    this.latest = performance.now() + this.patience * this.pause;
    this.timer = setTimeout(() => this.check(), this.dueIn());
  }

  /** ms until no more came for a while. */
  private dueIn(): number {
    const quiet = Math.min(this.last + this.pause, this.latest);
    return Math.max(0, Math.ceil(Math.max(quiet, this.earliest) - performance.now()));
  }

  private check(): void {
    const more = this.dueIn();
    if (more > 0) this.timer = setTimeout(() => this.check(), more);
    else void this.look();
  }

  private async look(): Promise<void> {
    const from = performance.now();
    this.patience = from >= this.latest ? PATIENCE.later : PATIENCE.first;
    this.looking = true;
    await this.onPause(this.take());
    this.looking = false;
    const to = performance.now();
    this.earliest = to + Math.max(REST.pauses * this.pause, REST.times * (to - from));
    if (this.marked.size > 0 && !this.timer) this.wait();
  }
}
