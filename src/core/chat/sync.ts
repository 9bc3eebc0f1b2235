import type { SessionAction } from '../session/actions';
import { joinToolUpdates } from '../session/joinToolUpdates';
import type { HostToPage } from './protocol';

/** Joins two adjacent actions where one does the same work; undefined where it would not. */
function coalesce(first: SessionAction, second: SessionAction): SessionAction | undefined {
  if (first.type === 'update' && second.type === 'update')
    return joinChunks(first, second) ?? joinToolUpdates(first, second);
  if (
    first.type === 'terminalScreen' &&
    second.type === 'terminalScreen' &&
    first.terminalId === second.terminalId
  ) {
    if (second.from <= first.from) return second;
    // A jump: the first action says that the lines in between are gone.
    if (second.from > first.from + first.lines.length) return undefined;
    const kept = first.lines.slice(0, second.from - first.from);
    return { ...second, from: first.from, lines: [...kept, ...second.lines] };
  }
  return undefined;
}

type Update = Extract<SessionAction, { type: 'update' }>;

function joinChunks({ update: a }: Update, { update: b, at }: Update): SessionAction | undefined {
  if (a.kind !== 'chunk' || b.kind !== 'chunk' || a.block.type !== 'text' || b.block.type !== 'text')
    return undefined;
  // User chunks may be an echo that is taken piece by piece.
  if (a.role !== b.role || a.role === 'user' || a.messageId !== b.messageId) return undefined;
  if (a.block.text === '' || b.block.text === '') return undefined;
  return { type: 'update', update: { ...a, block: { type: 'text', text: a.block.text + b.block.text } }, at };
}

/** Agents send up to half a megabyte under `_meta`, of which the page shows nothing. */
function withoutMeta(action: SessionAction): SessionAction {
  if (action.type !== 'update' || !action.meta) return action;
  const { type, update, at } = action;
  return { type, update, at };
}

/** Collects actions for the page between two posts; `seq` counts posted actions, after joining. */
export class ActionQueue {
  private waiting: SessionAction[] = [];
  private next = 0;

  /** Number that the next posted action gets. */
  get seq(): number {
    return this.next;
  }

  push(action: SessionAction): void {
    const shown = withoutMeta(action);
    const last = this.waiting.at(-1);
    const joined = last && coalesce(last, shown);
    if (joined) this.waiting[this.waiting.length - 1] = joined;
    else this.waiting.push(shown);
  }

  /** Takes what waits as one message; undefined if nothing does. */
  take(): Extract<HostToPage, { type: 'actions' }> | undefined {
    if (this.waiting.length === 0) return undefined;
    const message = { type: 'actions' as const, seq: this.next, actions: this.waiting };
    this.next += this.waiting.length;
    this.waiting = [];
    return message;
  }

  /** Forgets what waits, since a snapshot will hold it. */
  clear(): void {
    this.waiting = [];
  }
}

/** The page's side: tells which messages follow on what it holds. */
export class Replica {
  private next: number | undefined;

  snapshot(seq: number): void {
    this.next = seq;
  }

  /** True if the actions follow without a gap; false asks for a new snapshot. */
  accepts(message: { seq: number; actions: readonly unknown[] }): boolean {
    if (this.next !== message.seq) return false;
    this.next += message.actions.length;
    return true;
  }
}
