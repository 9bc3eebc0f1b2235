import { asObject, asString } from '../core/json';
import type { HostApi } from './channel';

/** What outlives a reload of the page: how the conversation was being read. The draft is kept by the extension. */
export class Persisted {
  private sessionId: string | null;
  private scrollTop: number | null;
  private readonly toggled: Map<string, boolean>;

  constructor(private readonly host: HostApi) {
    const saved = asObject(host.getState());
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
    const { sessionId, scrollTop, toggled } = this;
    this.host.setState({ sessionId, scrollTop, toggled: Object.fromEntries(toggled) });
  }
}
