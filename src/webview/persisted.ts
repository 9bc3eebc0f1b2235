import { asObject, asString } from '../core/json';
import type { HostApi } from './channel';

/** What outlives a reload of the page: the draft, and how the conversation was being read. */
export class Persisted {
  draft: string;
  private sessionId: string | null;
  private scrollTop: number | null;
  private readonly toggled: Map<string, boolean>;

  constructor(private readonly host: HostApi) {
    const saved = asObject(host.getState());
    this.draft = asString(saved['draft']) ?? '';
    this.sessionId = asString(saved['sessionId']) ?? null;
    this.scrollTop = typeof saved['scrollTop'] === 'number' ? saved['scrollTop'] : null;
    this.toggled = new Map(
      Object.entries(asObject(saved['toggled'])).map(([key, open]) => [key, open === true] as const),
    );
  }

  /** Forgets how another conversation was read. */
  enter(sessionId: string | null): void {
    if (sessionId === null || sessionId === this.sessionId) return;
    this.sessionId = sessionId;
    this.scrollTop = null;
    this.toggled.clear();
    this.save();
  }

  setDraft(draft: string): void {
    this.draft = draft;
    this.save();
  }

  /** Where the reader was; null at the end of the conversation. */
  get scroll(): number | null {
    return this.scrollTop;
  }

  set scroll(top: number | null) {
    if (top === this.scrollTop) return;
    this.scrollTop = top;
    this.save();
  }

  /** What the person chose for something that can be folded; undefined: nothing. */
  isOpen(key: string): boolean | undefined {
    return this.toggled.get(key);
  }

  setOpen(key: string, open: boolean): void {
    this.toggled.set(key, open);
    this.save();
  }

  private save(): void {
    const { draft, sessionId, scrollTop, toggled } = this;
    this.host.setState({ draft, sessionId, scrollTop, toggled: Object.fromEntries(toggled) });
  }
}
