import type { LinkMember } from './agentLink';

/** Updates that are kept for sessions without an answer; an agent that sends more is flooding. */
const MAX_EARLY = 10_000;
/** ms that a request for such a session waits. An agent that needs its answer before it answers us must not hang for ever. */
const MAX_WAIT = 15_000;

type Look = (sessionId: string | undefined, member?: LinkMember) => void;

/** Holds what an agent sends for a session before it answered the request that opens it (SE-5, SU-6). */
export class EarlyTraffic {
  private openings = 0;
  private updates: { sessionId: string; update: unknown }[] = [];
  private readonly waiting = new Set<Look>();
  private readonly logged = new Set<string>();

  /** @param maxWait ms that a request waits. */
  constructor(
    private readonly log: (line: string) => void,
    private readonly maxWait = MAX_WAIT,
  ) {}

  async during<T>(run: () => Promise<T>): Promise<T> {
    this.openings++;
    try {
      return await run();
    } finally {
      this.openings--;
      if (this.openings === 0) this.clear();
    }
  }

  update(sessionId: string, update: unknown): void {
    if (this.openings > 0 && this.updates.length < MAX_EARLY) {
      this.updates.push({ sessionId, update });
    } else {
      this.unknown(sessionId);
    }
  }

  /** The session that an id belongs to, once it is open; undefined if it never is. */
  async wait(sessionId: string, signal?: AbortSignal): Promise<LinkMember | undefined> {
    const member = this.openings > 0 ? await this.untilOpened(sessionId, signal) : undefined;
    if (!member) this.unknown(sessionId);
    return member;
  }

  private untilOpened(sessionId: string, signal?: AbortSignal): Promise<LinkMember | undefined> {
    return new Promise((resolve) => {
      const finish = (member: LinkMember | undefined): void => {
        clearTimeout(timer);
        this.waiting.delete(look);
        signal?.removeEventListener('abort', giveUp);
        resolve(member);
      };
      const giveUp = (): void => finish(undefined);
      const look: Look = (opened, member) => {
        if (opened === undefined || opened === sessionId) finish(member);
      };
      const timer = setTimeout(giveUp, this.maxWait);
      signal?.addEventListener('abort', giveUp);
      this.waiting.add(look);
      if (signal?.aborted) giveUp();
    });
  }

  /** Hands over what waited for a session, in the order of the wire. */
  opened(sessionId: string, member: LinkMember): void {
    const mine = this.updates.filter((item) => item.sessionId === sessionId);
    this.updates = this.updates.filter((item) => item.sessionId !== sessionId);
    for (const { update } of mine) member.takeUpdate(update);
    for (const look of [...this.waiting]) look(sessionId, member);
  }

  /** Nothing is being opened any more: what still waits belongs to nobody. */
  clear(): void {
    for (const { sessionId } of this.updates.splice(0)) this.update(sessionId, undefined);
    this.updates = [];
    for (const look of [...this.waiting]) look(undefined);
  }

  private unknown(sessionId: string): void {
    if (this.logged.has(sessionId)) return;
    this.logged.add(sessionId);
    this.log(`ignored what came for the unknown session ${sessionId}`);
  }
}
