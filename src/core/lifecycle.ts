/** Something that holds a resource until `dispose` is called; the shape of `vscode.Disposable`. */
export interface Disposable {
  dispose(): void;
}

/** Wraps a clean-up so that it runs once at most. */
export function toDisposable(cleanUp: () => void): Disposable {
  let done = false;
  return {
    dispose: () => {
      if (done) return;
      done = true;
      cleanUp();
    },
  };
}

/** Owns disposables of one scope (extension, connection or session). What is added after disposal is disposed at once. */
export class DisposableStore implements Disposable {
  private readonly items = new Set<Disposable>();
  private disposed = false;

  add<T extends Disposable>(item: T): T {
    if (this.disposed) item.dispose();
    else this.items.add(item);
    return item;
  }

  /** Disposes in reverse order of adding. */
  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    for (const item of [...this.items].reverse()) item.dispose();
    this.items.clear();
  }
}

/** Holds one disposable at a time; setting another disposes the one before. */
export class MutableDisposable<T extends Disposable> implements Disposable {
  private current: T | undefined;

  get value(): T | undefined {
    return this.current;
  }

  set value(next: T | undefined) {
    if (this.current === next) return;
    this.current?.dispose();
    this.current = next;
  }

  dispose(): void {
    this.value = undefined;
  }
}
