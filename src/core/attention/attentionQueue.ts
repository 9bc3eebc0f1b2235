import type { AttentionEvent, AttentionStep } from './events';

/**
 * ms in which what happens in one session is gathered: questions are told sooner than ends, which another turn may follow, and later where
 * a person has them in front already, and so may be about to answer.
 */
export const GATHER = { question: 300, end: 1_000, inFront: 4_000 } as const;

/** ms between two notifications of one session at least. */
export const SPACE = 3_000;

/** What to tell of a session: the weightiest event, and how many questions there are with it. */
export interface Due {
  key: string;
  event: AttentionEvent;
  questions: number;
}

/** When something happened, and how the session is then. */
export interface Moment {
  /** ms since the epoch. */
  at: number;
  /** The session has a turn that runs. */
  inTurn: boolean;
  /** The person has the question in front, as in a quick pick. */
  inFront?: boolean;
}

interface Waiting {
  events: AttentionEvent[];
  /** ms since the epoch. */
  due: number;
}

/** The weightiest first. */
const ORDER = ['permission', 'elicitation', 'signIn', 'failed', 'ended'] as const;

/**
 * Holds what happened in sessions that nobody looks at until it is told: several events of one session within a short time are told as
 * one, and what was dealt with meanwhile is not told. Times (`at`, ms since the epoch) come from the caller, who also waits.
 */
export class AttentionQueue {
  private readonly waiting = new Map<string, Waiting>();
  private readonly toldAt = new Map<string, number>();

  /** Takes what happened in the session of this key. */
  take(key: string, step: AttentionStep, moment: Moment): void {
    switch (step.type) {
      case 'raise':
        return this.raise(key, step.event, moment);
      case 'answered':
        return this.keep(key, (event) => !('requestId' in event) || event.requestId !== step.requestId);
      case 'signedIn':
        return this.keep(key, ({ kind }) => kind !== 'signIn');
      case 'begun':
        return this.keep(key, ({ kind }) => kind !== 'ended' && kind !== 'failed' && kind !== 'signIn');
    }
  }

  /** When the next is due, in ms since the epoch; undefined where nothing waits. */
  next(): number | undefined {
    const times = [...this.waiting.values()].map(({ due }) => due);
    return times.length > 0 ? Math.min(...times) : undefined;
  }

  /** Takes out what is due. `isSeen`: a person looks at that session now, and so is told nothing. */
  due(at: number, isSeen: (key: string) => boolean): Due[] {
    const due: Due[] = [];
    for (const [key, { events, due: time }] of [...this.waiting]) {
      if (time > at) continue;
      this.waiting.delete(key);
      const event = weightiest(events);
      if (!event || isSeen(key)) continue;
      this.toldAt.set(key, at);
      due.push({ key, event, questions: events.filter((item) => 'requestId' in item).length });
    }
    return due;
  }

  private raise(key: string, event: AttentionEvent, { at, inTurn, inFront = false }: Moment): void {
    const { events, due } = this.waiting.get(key) ?? { events: [], due: Infinity };
    // A sign-in is asked for where a prompt met it; elsewhere it can wait until the person comes.
    const refused = inTurn || events.some(({ kind }) => kind === 'failed');
    if (event.kind === 'signIn' && !refused) return;
    const isEnd = event.kind === 'ended' || event.kind === 'failed';
    const gather = isEnd ? GATHER.end : inFront ? GATHER.inFront : GATHER.question;
    const spaced = (this.toldAt.get(key) ?? -Infinity) + SPACE;
    this.waiting.set(key, {
      events: [...events, event],
      due: Math.max(Math.min(due, at + gather), spaced),
    });
  }

  private keep(key: string, isNews: (event: AttentionEvent) => boolean): void {
    const waiting = this.waiting.get(key);
    if (!waiting) return;
    waiting.events = waiting.events.filter(isNews);
    if (waiting.events.length === 0) this.waiting.delete(key);
  }
}

function weightiest(events: readonly AttentionEvent[]): AttentionEvent | undefined {
  for (const wanted of ORDER) {
    const found = events.find(({ kind }) => kind === wanted);
    if (found) return found;
  }
  return undefined;
}

/** What a person wants to be told of: all, what waits for them, nothing. */
export type NotificationMode = 'all' | 'questions' | 'off';

/** True for an event that the person wants to be told of. */
export function isWanted({ kind }: AttentionEvent, mode: NotificationMode): boolean {
  if (mode === 'off') return false;
  return mode === 'all' || (kind !== 'ended' && kind !== 'failed');
}

/** Text of an agent for a notification: one line, not longer than `max` UTF-16 units, and nothing in it is read as a link. */
export function plainMessage(line: string, max: number): string {
  const short = line.length <= max ? line : `${line.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
  // VS Code makes links, also to commands, of `[text](address)`.
  return short.replaceAll('](', '] (');
}
