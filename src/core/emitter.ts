import { toDisposable, type Disposable } from './lifecycle';

/** Subscribes to something that happens; the shape of `vscode.Event`. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** A minimal typed event. Listeners run in the order in which they were added. */
export class Emitter<T> implements Disposable {
  private readonly listeners = new Set<(value: T) => void>();

  readonly event: Event<T> = (listener) => {
    // A wrapper of its own, so that adding one function twice gives two subscriptions.
    const entry = (value: T): void => listener(value);
    this.listeners.add(entry);
    return toDisposable(() => this.listeners.delete(entry));
  };

  fire(value: T): void {
    for (const listener of [...this.listeners]) listener(value);
  }

  dispose(): void {
    this.listeners.clear();
  }
}
