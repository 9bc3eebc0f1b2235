import { batch, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { Attachment } from '../core/chat/attachment';
import type { HostToPage, Intent } from '../core/chat/protocol';
import type { SessionList } from '../core/chat/sessionRow';
import { format, type PageString, type PageStrings } from '../core/chat/strings';
import type { Entry } from '../core/session/state';
import { withAttachments } from './attachments';
import { Channel, type HostApi } from './channel';
import { onNextFrame } from './frame';
import { createParser } from './markdown/parser';
import { Persisted } from './persisted';
import { Store, type Part } from './store';

type Snapshot = Extract<HostToPage, { type: 'snapshot' }>;

/** All that views share. */
export class Page {
  readonly store = new Store(onNextFrame);
  readonly channel: Channel;
  readonly persisted: Persisted;
  readonly parser = createParser();
  /** ms since the epoch; ticks only while something is running. */
  readonly now = signal(Date.now());
  /** Why the last wish was not granted. */
  readonly problem = signal<string | null>(null);
  /** The session that is drawn; empty before the first snapshot. */
  readonly key = signal('');
  /** The text in the composer; changed by `setDraft` alone. */
  readonly draft = signal('');
  /** What is attached to the draft; changed by `setAttachments` alone. */
  readonly attachments = signal<readonly Attachment[]>([]);
  /** The sessions of the window. */
  readonly sessions = signal<SessionList>({ rows: [], loading: false, problem: null });
  /** True while the list of sessions covers the conversation. */
  readonly sessionsOpen = signal(false);
  /** Ids of open questions that are on screen. */
  readonly inView = signal<ReadonlySet<string>>(new Set());
  /** Grows when the composer should get the focus. */
  readonly focusComposer = signal(0);
  /** Grows when the end of the conversation should be shown. */
  readonly showEnd = signal(0);
  private resyncing = false;

  constructor(
    host: HostApi,
    private readonly strings: PageStrings,
  ) {
    this.persisted = new Persisted(host);
    this.channel = new Channel(host, (message) => this.receive(message));
  }

  /** A text of the page. */
  readonly t = (key: PageString, ...args: readonly (string | number)[]): string =>
    format(this.strings[key], ...args);

  /** Asks the extension for something; true if it was granted, else the reason is shown above the composer. */
  readonly act = async (intent: Intent): Promise<boolean> => {
    this.problem.value = await this.attempt(intent);
    return this.problem.peek() === null;
  };

  /** Asks the extension for something; gives the reason where it was not granted, for the view to show. */
  readonly attempt = async (intent: Intent): Promise<string | null> => {
    try {
      await this.channel.send(intent);
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };

  setDraft(text: string): void {
    this.draft.value = text;
    this.keepDraft();
  }

  setAttachments(list: readonly Attachment[]): void {
    this.attachments.value = list;
    this.keepDraft();
  }

  private keepDraft(): void {
    const key = this.key.peek();
    // Before the first snapshot nobody knows whose draft this is; it is kept when that has come.
    if (key === '') return;
    this.channel.keepDraft(key, { text: this.draft.peek(), attachments: [...this.attachments.peek()] });
  }

  private receive(message: Exclude<HostToPage, { type: 'reply' }>): void {
    switch (message.type) {
      case 'focusComposer':
        this.focusComposer.value++;
        return;
      case 'paint':
        // The views are drawn in the next frame; it is on screen when the one after it begins.
        onNextFrame(() => onNextFrame(() => this.channel.painted(message.id)));
        return;
      case 'sessions':
        this.sessions.value = message.list;
        return;
      case 'showSessions':
        this.sessionsOpen.value = true;
        return;
      case 'attach':
        return this.setAttachments(withAttachments(this.attachments.peek(), message.attachments));
      case 'snapshot':
        return this.takeSnapshot(message);
      case 'actions':
        return this.takeActions(message);
    }
  }

  private takeSnapshot(message: Snapshot): void {
    this.resyncing = false;
    this.store.receive(message);
    this.enter(message);
  }

  private takeActions(message: Extract<HostToPage, { type: 'actions' }>): void {
    if (this.resyncing) return;
    const { epoch } = this.store;
    if (!this.store.receive(message)) {
      this.resyncing = true;
      this.channel.resync();
      return;
    }
    // The conversation began anew: the place in the old one means nothing.
    if (this.store.epoch !== epoch) this.persisted.scroll = null;
  }

  /** Makes the session of a snapshot the one that is written to. */
  private enter({ key, draft }: Snapshot): void {
    const before = this.key.peek();
    if (key === before) return;
    const text = this.draft.peek();
    const attachments = this.attachments.peek();
    batch(() => {
      this.persisted.enter(key);
      this.key.value = key;
      this.draft.value = draft.text;
      this.attachments.value = draft.attachments;
      if (before !== '') {
        this.problem.value = null;
        return;
      }
      // What was typed before the first snapshot came is newer.
      if (text !== '') this.draft.value = text;
      if (attachments.length > 0) this.attachments.value = withAttachments(draft.attachments, attachments);
      if (text !== '' || attachments.length > 0) this.keepDraft();
    });
  }
}

/** Carries the page to its views. */
export const PageContext = createContext<Page | undefined>(undefined);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error('A view was drawn outside the page.');
  return page;
}

/** Draws the view again when the part changes; returns the version. */
export function usePart(part: Part): number {
  return usePage().store.follow(part);
}

/** The entry of an id; draws the view again when it changes. */
export function useEntry<K extends Entry['kind']>(id: number, kind: K): (Entry & { kind: K }) | undefined {
  const { store } = usePage();
  store.follow(`entry:${id}`);
  const entry = store.entry(id);
  return entry?.kind === kind ? (entry as Entry & { kind: K }) : undefined;
}

/** Whether something foldable is open: as the person left it, else as given; remembered over a reload. */
export function useOpen(key: string, byDefault: boolean): [boolean, (open: boolean) => void] {
  const { persisted } = usePage();
  const [chosen, setChosen] = useState(persisted.isOpen(key));
  const choose = (open: boolean): void => {
    persisted.setOpen(key, open);
    setChosen(open);
  };
  return [chosen ?? byDefault, choose];
}
