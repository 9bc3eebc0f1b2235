import { batch, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext, useLayoutEffect, useState } from 'preact/hooks';
import type { Attachment } from '../core/chat/attachment';
import type { HostToPage, Intent, SendKey } from '../core/chat/protocol';
import type { SessionList } from '../core/chat/sessionRow';
import type { StartView } from '../core/chat/start';
import { format, type PageString, type PageStrings } from '../core/chat/strings';
import type { Entry } from '../core/session/state';
import { isSign, lastSignOf } from '../core/session/waitsFor';
import { withAttachments } from './attachments';
import { Channel, type HostApi } from './channel';
import { addFound } from './composer/addFiles';
import type { Editing } from './composer/queueEditor';
import { Find } from './find/find';
import { onNextFrame } from './frame';
import { CodeColors } from './highlight/codeColors';
import { PageDrawings } from './markdown/drawn/pageDrawings';
import { createParser } from './markdown/parser';
import { Persisted } from './persisted';
import { Store, type Part } from './store';
import { revealQuestion } from './transcript/reveal';

type Mentions = Extract<HostToPage, { type: 'mentions' }>;
type Snapshot = Extract<HostToPage, { type: 'snapshot' }>;

/** All that views share. */
export class Page {
  readonly store = new Store(onNextFrame);
  readonly channel: Channel;
  readonly persisted: Persisted;
  readonly parser = createParser();
  readonly find = new Find(this.store, this.parser);
  /** The colours of code blocks. */
  readonly code = new CodeColors((request) => this.channel.highlight(request));
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
  /** What the start of a conversation tells; null before it was asked for. */
  readonly start = signal<StartView | null>(null);
  /** True while the list of sessions covers the conversation. */
  readonly sessionsOpen = signal(false);
  /** Ids of open questions that are on screen. */
  readonly inView = signal<ReadonlySet<string>>(new Set());
  /** What the extension last said can be mentioned. */
  readonly mentions = signal<Mentions>({ type: 'mentions', id: 0, items: [], done: true });
  /** What is drawn over the source of messages. */
  readonly drawings = new PageDrawings(this);
  readonly sendKey = signal<SendKey>('enter');
  /** Grows when the composer should get the focus. */
  readonly focusComposer = signal(0);
  /** Grows when the composer left the earlier prompts. */
  readonly wentBack = signal(0);
  /** Queued prompts that are being changed, of every session. */
  readonly queueEdits = signal<readonly Editing[]>([]);
  /** Grows when the end of the conversation should be shown. */
  readonly showEnd = signal(0);
  /**
   * Scrolls the conversation by other means than the reader's own, so that what grows meanwhile does not lead back to its end. The
   * conversation sets it while it is drawn.
   */
  leaveEnd: (scroll: () => void) => void = (scroll) => scroll();
  /** Grows with every message about the session. */
  readonly arrived = signal(0);
  /** When anything last came of the agent or of what runs for it, in ms since the epoch; followed by `arrived`. */
  heardAt = Date.now();
  /** True while the line about a long wait offers to stop the agent by force. */
  readonly forceOffered = signal(false);
  private resyncing = false;
  /** The draft while an earlier prompt is shown in its place. */
  private waiting: string | undefined;
  /** The attachments that the extension has been told of last, and of which session. */
  private kept: { key: string; attachments: readonly Attachment[] } | undefined;

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

  /** Changes what the composer holds; a draft that waits meanwhile is the one that stays kept. */
  setDraft(text: string): void {
    this.draft.value = text;
    // Where nothing waits, what is made of an earlier prompt is the draft.
    if (this.waiting?.trim() === '') this.waiting = undefined;
    this.keepDraft();
  }

  /** Shows an earlier prompt in the composer while the draft waits. */
  showInstead(text: string, waiting: string): void {
    this.draft.value = text;
    this.waiting = waiting;
  }

  /** Goes back from an earlier prompt to the draft; false where it is shown already. */
  backToDraft(): boolean {
    if (this.waiting === undefined) return false;
    this.draft.value = this.waiting;
    this.waiting = undefined;
    this.wentBack.value++;
    return true;
  }

  /** What the composer holds next is the draft again. */
  endWaiting(): void {
    this.waiting = undefined;
  }

  setAttachments(list: readonly Attachment[]): void {
    this.attachments.value = list;
    this.keepDraft();
  }

  private keepDraft(): void {
    const key = this.key.peek();
    // Before the first snapshot nobody knows whose draft this is; it is kept when that has come.
    if (key === '') return;
    const text = this.waiting ?? this.draft.peek();
    const attachments = this.attachments.peek();
    const areKept = this.kept?.key === key && this.kept.attachments === attachments;
    this.kept = { key, attachments };
    // Megabytes with every key would make typing slow.
    if (areKept && attachments.some(({ kind }) => kind === 'image' || kind === 'audio'))
      this.channel.keepDraftText(key, text);
    else this.channel.keepDraft(key, { text, attachments: [...attachments] });
  }

  private receive(message: Exclude<HostToPage, { type: 'reply' }>): void {
    switch (message.type) {
      case 'focusComposer':
        this.focusComposer.value++;
        return;
      case 'shown':
        if (this.key.peek() !== '') this.channel.resync();
        return;
      case 'paint':
        // The views are drawn in the next frame; it is on screen when the one after it begins.
        onNextFrame(() => onNextFrame(() => this.channel.painted(message.id)));
        return;
      case 'mentions':
        // An answer to an earlier question is out of date.
        if (message.id >= this.mentions.peek().id) this.mentions.value = message;
        return;
      case 'tokens':
      case 'noTokens':
        return this.code.receive(message);
      case 'themeChanged':
        return this.code.themeChanged();
      case 'picture':
        return this.drawings.pictures.take(message);
      case 'sendOn':
        this.sendKey.value = message.key;
        return;
      case 'sessions':
        this.sessions.value = message.list;
        return;
      case 'start':
        this.start.value = message.view;
        return;
      case 'showSessions':
        this.sessionsOpen.value = true;
        return;
      case 'revealQuestion':
        this.sessionsOpen.value = false;
        // The card may be drawn in the next frame only.
        onNextFrame(() => onNextFrame(() => revealQuestion(this, message.requestId)));
        return;
      case 'attach':
        return void addFound(this, message.attachments);
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
    this.heardAt = lastSignOf(message.state, Date.now());
    this.arrived.value++;
  }

  private takeActions(message: Extract<HostToPage, { type: 'actions' }>): void {
    if (this.resyncing) return;
    const { epoch } = this.store;
    if (!this.store.receive(message)) {
      this.resyncing = true;
      this.channel.resync();
      return;
    }
    if (message.actions.some(isSign)) this.heardAt = Date.now();
    this.arrived.value++;
    // The conversation began anew: the place in the old one means nothing.
    if (this.store.epoch !== epoch) this.persisted.place = null;
  }

  /** Makes the session of a snapshot the one that is written to. */
  private enter({ key, draft, state }: Snapshot): void {
    const before = this.key.peek();
    if (key === before) return;
    const text = this.draft.peek();
    const attachments = this.attachments.peek();
    batch(() => {
      this.persisted.enter(key, state.agent.id);
      this.find.renew();
      this.key.value = key;
      this.waiting = undefined;
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
  useLayoutEffect(() => persisted.watch(key, setChosen), [key]);
  return [chosen ?? byDefault, (open) => persisted.setOpen(key, open)];
}
