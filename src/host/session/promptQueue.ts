import type { Draft } from '../../core/chat/protocol';
import type { QueuedPrompt, QueueState } from '../../core/session/state';
import type { SessionStore } from './sessionStore';
import type { TurnResult } from './turnAnswer';

export interface PromptQueueOptions {
  store: SessionStore;
  /** True while a turn runs. */
  isBusy(): boolean;
  /** Sends a queued prompt; it has left the queue when its turn begins. Rejects if it could not be sent or its turn failed. */
  send(prompt: QueuedPrompt): Promise<TurnResult>;
  /** Asks the agent to stop the turn. */
  cancelTurn(): void;
  /** Why a removed prompt is never answered. */
  removed(): string;
  newId(): string;
}

interface Waiter {
  resolve: (result: TurnResult) => void;
  reject: (error: Error) => void;
}

/** Prompts that wait for the end of the turn: visible, editable, sent one after the other (PT-7). */
export class PromptQueue {
  private readonly waiters = new Map<string, Waiter>();
  /** Those that go out when the turn ends, however it ends: it is cancelled to make room for them, or they are the person's answer. */
  private readonly urgent = new Set<string>();
  private sending = false;

  constructor(private readonly options: PromptQueueOptions) {}

  private get state(): QueueState {
    return this.options.store.state.queue;
  }

  /**
   * Puts a prompt at the end; resolves when its turn is over. After Stop it goes to the front, and out as soon as the agent has
   * stopped: it was written after the person stopped what came before.
   */
  add(draft: Draft): Promise<TurnResult> {
    const id = this.options.newId();
    const { items, paused } = this.state;
    const item = { id, text: draft.text, attachments: [...draft.attachments] };
    const stopping = this.options.store.state.turn.status === 'cancelling' && this.urgent.size === 0;
    if (stopping) this.urgent.add(id);
    this.change(stopping ? [item, ...items] : [...items, item], items.length > 0 && paused);
    return new Promise((resolve, reject) => {
      this.waiters.set(id, { resolve, reject });
      this.next();
    });
  }

  /**
   * Puts what the person answered to a question of the turn before all else. It goes out even if the agent ends the turn badly because of
   * that answer, but not after Stop.
   */
  addAnswer(text: string): void {
    const id = this.options.newId();
    const { items, paused } = this.state;
    const after = items.findIndex((item) => !this.urgent.has(item.id));
    const at = after < 0 ? items.length : after;
    this.urgent.add(id);
    this.change([...items.slice(0, at), { id, text, attachments: [] }, ...items.slice(at)], paused);
    this.next();
  }

  remove(id: string): void {
    const waiter = this.waiters.get(id);
    this.waiters.delete(id);
    this.urgent.delete(id);
    this.change(this.state.items.filter((item) => item.id !== id));
    waiter?.reject(new Error(this.options.removed()));
  }

  edit(id: string, text: string): void {
    if (text.trim() === '') return this.remove(id);
    this.change(this.state.items.map((item) => (item.id === id ? { ...item, text } : item)));
  }

  /** @param to New index, 0-based. */
  move(id: string, to: number): void {
    const item = this.state.items.find((queued) => queued.id === id);
    if (!item) return;
    const rest = this.state.items.filter((queued) => queued.id !== id);
    const at = Math.min(Math.max(0, to), rest.length);
    this.change([...rest.slice(0, at), item, ...rest.slice(at)]);
  }

  /** Cancels the turn, if one runs, and sends this prompt before the others. */
  sendNow(id: string): void {
    this.move(id, 0);
    if (this.state.items[0]?.id !== id) return;
    this.urgent.add(id);
    if (this.options.isBusy()) this.options.cancelTurn();
    else this.next();
  }

  resume(): void {
    this.change(this.state.items, false);
    this.next();
  }

  /** The person stopped the turn: nothing goes out until they say so. */
  stop(): void {
    this.urgent.clear();
    this.pause();
  }

  /** A failure, a refusal: what comes next is for the person to say. */
  pause(): void {
    if (this.state.items.length > 0 && !this.state.paused) this.change(this.state.items, true);
  }

  /** A turn is over; `well` if it ended by itself. */
  turnEnded(well: boolean): void {
    if (!well && this.urgent.size === 0) this.pause();
    this.next();
  }

  /** The session is closed. */
  close(): void {
    for (const { reject } of this.waiters.values()) reject(new Error(this.options.removed()));
    this.waiters.clear();
  }

  private next(): void {
    const [first] = this.state.items;
    if (!first || this.sending || this.options.isBusy()) return;
    if (this.state.paused && !this.urgent.has(first.id)) return;
    this.urgent.delete(first.id);
    void this.send(first);
  }

  private async send(item: QueuedPrompt): Promise<void> {
    this.sending = true;
    const waiter = this.waiters.get(item.id);
    try {
      const answer = this.options.send(item);
      // From here on `isBusy` tells, so that the end of this very turn may send the next one.
      const result = await answer.finally(() => (this.sending = false));
      waiter?.resolve(result);
    } catch (error) {
      // One that was not taken stays, and waits for the person.
      if (this.state.items.some(({ id }) => id === item.id)) {
        this.pause();
        this.tell(error);
        return;
      }
      waiter?.reject(error instanceof Error ? error : new Error(String(error)));
    }
    this.waiters.delete(item.id);
  }

  /** Says why nothing was sent, unless a banner or the sign-in says it already. */
  private tell(error: unknown): void {
    const { store } = this.options;
    const { banner, connection } = store.state;
    if (banner !== null || connection.status === 'auth') return;
    const title = error instanceof Error ? error.message : String(error);
    store.dispatch({ type: 'noticeShown', severity: 'warning', title });
  }

  private change(items: QueuedPrompt[], paused = this.state.paused): void {
    this.options.store.dispatch({
      type: 'queueChanged',
      queue: { items, paused: items.length > 0 && paused },
    });
  }
}
