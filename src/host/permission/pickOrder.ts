import type { Disposable } from '../../core/lifecycle';
import type { PermissionRequest } from '../bridges/permissionBridge';

/** A question on screen. */
export interface ShownQuestion extends Disposable {
  /** More or fewer wait behind it. */
  refresh(): void;
}

/**
 * Which question is on screen: one at a time, the oldest first. One that the person closed comes back only when it is asked for again.
 */
export class PickOrder implements Disposable {
  private waiting: PermissionRequest[] = [];
  private shown: { request: PermissionRequest; view: ShownQuestion } | undefined;

  /** @param show Puts a question on screen; `closed` is to be called when it is gone, whatever the reason. */
  constructor(private readonly show: (request: PermissionRequest, closed: () => void) => ShownQuestion) {}

  /** Questions on screen and behind it. */
  get total(): number {
    return this.waiting.length + (this.shown ? 1 : 0);
  }

  /** `first`: now, before the one on screen, which then waits. */
  ask(request: PermissionRequest, first = false): void {
    const { shown } = this;
    if (shown?.request === request) return;
    const rest = this.waiting.filter((item) => item !== request);
    if (!first) this.waiting = this.waiting.includes(request) ? this.waiting : [...rest, request];
    else if (shown) this.waiting = [request, shown.request, ...rest];
    else this.waiting = [request, ...rest];
    if (first && shown) shown.view.dispose();
    this.next();
    this.shown?.view.refresh();
  }

  withdraw(requestId: string): void {
    this.waiting = this.waiting.filter((request) => request.requestId !== requestId);
    if (this.shown?.request.requestId === requestId) this.shown.view.dispose();
    this.shown?.view.refresh();
  }

  dispose(): void {
    this.waiting = [];
    this.shown?.view.dispose();
  }

  private next(): void {
    const request = this.shown ? undefined : this.waiting.shift();
    if (!request) return;
    const closed = (): void => {
      if (this.shown?.request !== request) return;
      this.shown = undefined;
      this.next();
    };
    this.shown = { request, view: this.show(request, closed) };
    this.shown.view.refresh();
  }
}
