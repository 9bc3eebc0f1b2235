import { AttentionQueue, isWanted, type NotificationMode } from '../../core/attention/attentionQueue';
import { readAttention, type AttentionEvent } from '../../core/attention/events';
import type { Disposable } from '../../core/lifecycle';
import type { SessionAction } from '../../core/session/actions';
import { isBusy } from '../../core/session/select';
import type { SessionState } from '../../core/session/state';

export interface NotifierPorts {
  /** True where a person looks at the session of this key now. */
  shows: (key: string) => boolean;
  mode: () => NotificationMode;
  /** True where permissions are asked in front of the person, wherever they look. */
  asksInFront: () => boolean;
  /** Tells one event; `questions`: how many questions of the session came with it. */
  tell: (key: string, event: AttentionEvent, questions: number) => void;
  /** ms since the epoch. */
  now: () => number;
}

/** Tells a person once of what happens in a session that they do not see. Nothing runs while there is nothing to tell. */
export class Notifier implements Disposable {
  private readonly queue = new AttentionQueue();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly ports: NotifierPorts) {}

  /** Takes what happened in a session, after it was applied to its state. */
  take(key: string, action: SessionAction, state: SessionState): void {
    const step = readAttention(action, state);
    if (!step) return;
    const { ports, queue } = this;
    if (step.type === 'raise' && (!isWanted(step.event, ports.mode()) || ports.shows(key))) return;
    const isPermission = step.type === 'raise' && step.event.kind === 'permission';
    const inFront = isPermission && ports.asksInFront();
    queue.take(key, step, { at: ports.now(), inTurn: isBusy(state), inFront });
    this.schedule();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private schedule(): void {
    clearTimeout(this.timer);
    const next = this.queue.next();
    if (next === undefined) return;
    this.timer = setTimeout(() => this.tellDue(), Math.max(0, next - this.ports.now()));
  }

  private tellDue(): void {
    const { now, shows, tell } = this.ports;
    for (const { key, event, questions } of this.queue.due(now(), shows)) tell(key, event, questions);
    this.schedule();
  }
}
