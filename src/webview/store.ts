import { batch, signal, type Signal } from '@preact/signals';
import type { HostToPage } from '../core/chat/protocol';
import { Replica } from '../core/chat/sync';
import { byId } from '../core/session/byId';
import { applyAction } from '../core/session/reduce';
import { emptySession, type Entry, type SessionState, type TerminalView } from '../core/session/state';
import type { Touched } from '../core/session/touch';

/** A part of the state that a view can follow; `permissions`: questions of any card or form. */
export type Part = Touched | 'permissions';

const WHOLE: readonly Part[] = [
  'entries',
  'turn',
  'queue',
  'plan',
  'config',
  'commands',
  'usage',
  'title',
  'connection',
  'banner',
  'agent',
  'changes',
  'permissions',
];

/** The page's replica of the session, with a signal for each part that a view follows. */
export class Store {
  /** Changed in place; read it after `follow` of the part. */
  state: SessionState = emptySession('');
  /** Grows when the entries are other ones altogether, though their ids may be the same. */
  epoch = 0;
  /** False until the first snapshot. */
  readonly loaded = signal(false);

  private readonly replica = new Replica();
  private readonly signals = new Map<Part, Signal<number>>();
  private readonly touched = new Set<Part>();
  private scheduled = false;

  constructor(private readonly schedule: (run: () => void) => void) {}

  /** Takes a message of the extension; false asks for a new snapshot. */
  receive(message: Extract<HostToPage, { type: 'snapshot' | 'actions' }>): boolean {
    if (message.type === 'snapshot') {
      this.replica.snapshot(message.seq);
      this.state = message.state;
      this.renew();
      return true;
    }
    if (!this.replica.accepts(message)) return false;
    for (const action of message.actions) {
      const { entries } = this.state;
      applyAction(this.state, action, this.touch);
      if (this.state.entries !== entries) this.renew();
    }
    return true;
  }

  /** Makes the view that runs now run again when the part changes. */
  follow(part: Part): number {
    let version = this.signals.get(part);
    if (!version) this.signals.set(part, (version = signal(0)));
    return version.value;
  }

  /** The entry of an id, without following it. */
  entry(id: number): Entry | undefined {
    return this.state.entries[this.indexOf(id)];
  }

  /** The index of the entry of an id, -1 where there is none. */
  indexOf(id: number): number {
    const { entries } = this.state;
    // Ids follow each other up to the last, since entries are only ever added; where old ones were left out, not at the beginning.
    const index = entries.length - 1 - ((entries.at(-1)?.id ?? 0) - id);
    return entries[index]?.id === id ? index : entries.findIndex((item) => item.id === id);
  }

  /** The terminal of an id, without following it. */
  terminal(id: string): TerminalView | undefined {
    return byId(this.state.terminals, id);
  }

  private renew(): void {
    this.epoch++;
    for (const part of WHOLE) this.touch(part);
    for (const part of this.signals.keys()) this.touch(part);
  }

  private readonly touch = (part: Part): void => {
    this.touched.add(part);
    if (this.scheduled) return;
    this.scheduled = true;
    this.schedule(this.flush);
  };

  private readonly flush = (): void => {
    this.scheduled = false;
    const parts = [...this.touched];
    this.touched.clear();
    if (parts.some((part) => this.mayAsk(part))) parts.push('permissions');
    batch(() => {
      this.loaded.value = true;
      for (const part of new Set(parts)) {
        const version = this.signals.get(part);
        if (version) version.value++;
      }
    });
  };

  private mayAsk(part: Part): boolean {
    if (!part.startsWith('entry:')) return false;
    const entry = this.entry(Number(part.slice('entry:'.length)));
    return entry?.kind === 'elicitation' || (entry?.kind === 'tool' && entry.permissions.length > 0);
  }
}
