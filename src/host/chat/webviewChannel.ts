import type { Attachment } from '../../core/chat/attachment';
import type { MentionSource, SymbolPlace } from '../../core/chat/mentions';
import { readPageMessage } from '../../core/chat/pageMessages';
import {
  PROTOCOL_ID,
  type Draft,
  type HostToPage,
  type Intent,
  type PageToHost,
  type SendKey,
} from '../../core/chat/protocol';
import type { HighlightAnswer, HighlightRequest } from '../../core/highlight/messages';
import type { SessionList } from '../../core/chat/sessionRow';
import { ActionQueue } from '../../core/chat/sync';
import type { Event } from '../../core/emitter';
import { asObject } from '../../core/json';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import type { SessionAction } from '../../core/session/actions';
import type { SessionState } from '../../core/session/state';
import type { Mentions } from './mentions/mentions';

/** ms between two posts while actions arrive: one frame. */
const FRAME = 16;

/** ms that a page gets to paint; one that is hidden or gone paints nothing. */
const PAINT = 2_000;

/** Failures of one page that go to the log. */
const MAX_REPORTS = 20;

/** What the channel needs of a webview. */
export interface PagePort {
  postMessage(message: HostToPage): Thenable<boolean>;
  readonly onDidReceiveMessage: Event<unknown>;
}

/** Keeps what the composer of each session holds. */
export interface DraftKeeper {
  get(key: string): Draft;
  set(key: string, draft: Draft): void;
}

/** What the channel shows of the sessions. */
export interface ShownSessions {
  /** The session that the page shows; undefined while it is being opened. */
  readonly current: { readonly key: string; readonly store: { readonly state: SessionState } } | undefined;
  list(): SessionList;
  readonly onDidDispatch: Event<{ session: { key: string }; action: SessionAction }>;
  /** Another session is shown, or the shown one has another state altogether. */
  readonly onDidSwitch: Event<void>;
  readonly onDidChangeList: Event<void>;
}

/** What the composer of the page needs besides a session. */
export interface ComposerPort {
  mentions: Pick<Mentions, 'find' | 'take'>;
  /** Makes attachments of dropped files; `images`: pictures as such. `problem`: a sentence about what can't be attached. */
  takeDropped: (
    uris: readonly string[],
    images: boolean,
  ) => Promise<{ attachments: Attachment[]; problem: string | undefined }>;
  sendKey: () => SendKey;
  onDidChangeSendKey: Event<void>;
}

/** What the start of a conversation tells. */
export interface StartPort {
  /** Tells the pages what there is, now and when the agents have been looked for; `anew` looks again. */
  show: (anew: boolean) => void;
  /** Looks for models that the built-in agent could use, and tells the pages. */
  showModels: () => void;
  /** For every page. */
  onDidPost: Event<HostToPage>;
}

/** Colours code blocks. */
export interface CodePort {
  /** `page` tells the pages apart. Never rejects. */
  highlight(page: number, request: HighlightRequest): Promise<HighlightAnswer>;
  onDidChangeTheme: Event<void>;
}

export interface ChannelOptions {
  page: PagePort;
  sessions: ShownSessions;
  drafts: DraftKeeper;
  composer: ComposerPort;
  start: StartPort;
  /** Does what the person wants; a rejection's message is shown where they wanted it. */
  perform(intent: Intent): Promise<void>;
  code: CodePort;
  /** A page has begun; false if it is being made anew, so that it gets nothing. */
  accept(protocol: string): boolean;
  /** The person has turned to the page. */
  focused(): void;
  /** Reads a picture that a message of a session names, as a data URI; null where there is none to show. */
  readPicture(key: string, path: string): Promise<string | null>;
  /** Says to a person that what they asked for is not known here. */
  refusal(): string;
  log(line: string): void;
}

type Receivers = { [T in PageToHost['type']]: (message: Extract<PageToHost, { type: T }>) => unknown };

/**
 * Keeps one page in step with the shown session: a snapshot when it is ready and when another session is shown, then numbered
 * actions, one post a frame at most. The list of sessions goes along when it changed.
 */
export class WebviewChannel implements Disposable {
  private static channels = 0;
  private readonly number = ++WebviewChannel.channels;
  private readonly queue = new ActionQueue();
  private readonly disposables = new DisposableStore();
  private timer: NodeJS.Timeout | undefined;
  /** The page listens. */
  private ready = false;
  /** The page has a snapshot. */
  private synced = false;
  /** Reports of the page that still go to the log: one that fails at every frame would fill it. */
  private reports = MAX_REPORTS;
  private listChanged = false;
  /** What a page that is not there yet should do. */
  private wanted: HostToPage[] = [];
  /** Who waits for the page to paint, by the id of the question. */
  private readonly painting = new Map<number, () => void>();
  private nextPaint = 1;
  /** The question for mentions that was asked last; those before have no answer any more. */
  private asked = 0;

  /** One row for each message of the page. */
  private readonly receivers: Receivers = {
    ready: (message) => this.begin(message),
    resync: (message) => this.begin(message),
    focused: () => this.options.focused(),
    failed: ({ report }) => this.report(report),
    draft: ({ key, draft }) => this.options.drafts.set(key, draft),
    draftText: ({ key, text }) => {
      const { drafts } = this.options;
      drafts.set(key, { text, attachments: drafts.get(key).attachments });
    },
    painted: ({ id }) => this.painting.get(id)?.(),
    lookAround: ({ anew }) => this.options.start.show(anew),
    lookForModels: () => this.options.start.showModels(),
    findMentions: ({ id, query }) => this.findMentions(id, query),
    takeMention: ({ id, key, source }) => this.reply(id, () => this.takeMention(key, source)),
    takeDropped: ({ id, key, uris }) => this.reply(id, () => this.takeDropped(key, uris)),
    highlight: (request) => this.highlight(request),
    readPicture: ({ key, path }) => this.readPicture(key, path),
    intent: ({ id, intent }) => this.reply(id, () => this.options.perform(intent)),
  };

  constructor(private readonly options: ChannelOptions) {
    const { page, sessions } = options;
    this.disposables.add(page.onDidReceiveMessage((message) => this.receive(message)));
    this.disposables.add(
      sessions.onDidDispatch(({ session, action }) => {
        if (session.key === sessions.current?.key) this.enqueue(action);
      }),
    );
    this.disposables.add(sessions.onDidSwitch(() => this.ready && this.snapshot()));
    this.disposables.add(
      sessions.onDidChangeList(() => {
        this.listChanged = true;
        this.schedule();
      }),
    );
    this.disposables.add(options.start.onDidPost((message) => this.ready && this.post(message)));
    this.disposables.add(
      options.code.onDidChangeTheme(() => this.ready && this.post({ type: 'themeChanged' })),
    );
    this.disposables.add(options.composer.onDidChangeSendKey(() => this.ready && this.postSendKey()));
  }

  /** Puts the cursor into the composer, once the page is there. */
  focusComposer(): void {
    this.postOnceReady({ type: 'focusComposer' });
  }

  /** Opens the list of sessions, once the page is there. */
  showSessions(): void {
    this.postOnceReady({ type: 'showSessions' });
  }

  /** Brings a waiting question on screen, once the page is there. */
  revealQuestion(requestId: string): void {
    this.flush();
    this.postOnceReady({ type: 'revealQuestion', requestId });
  }

  /** Adds to the draft, once the page is there. */
  attach(attachments: Attachment[]): void {
    this.postOnceReady({ type: 'attach', attachments });
  }

  /** Posts what waits, now. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const message = this.queue.take();
    if (message) this.post(message);
    if (!this.listChanged || !this.ready) return;
    this.listChanged = false;
    this.post({ type: 'sessions', list: this.options.sessions.list() });
  }

  /** Posts what waits; resolves when the page has it on screen, or when it does not paint. */
  painted(): Promise<void> {
    this.flush();
    if (!this.ready) return Promise.resolve();
    const id = this.nextPaint++;
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        this.painting.delete(id);
        resolve();
      };
      const timer = setTimeout(finish, PAINT);
      this.painting.set(id, finish);
      this.post({ type: 'paint', id });
    });
  }

  /** The page listens. */
  get isThere(): boolean {
    return this.ready;
  }

  /** VS Code shows or hides the page. A hidden one is thrown away by VS Code, and gets nothing. */
  setVisible(visible: boolean): void {
    if (!visible) this.setAside();
    // Not through `post`: a page that was kept does not say that it is there.
    else if (!this.ready) void this.options.page.postMessage({ type: 'shown' });
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const finish of [...this.painting.values()]) finish();
    this.disposables.dispose();
  }

  private enqueue(action: SessionAction): void {
    if (!this.synced) return; // The snapshot will hold it.
    this.queue.push(action);
    this.schedule();
  }

  private schedule(): void {
    if (this.ready) this.timer ??= setTimeout(() => this.flush(), FRAME);
  }

  private receive(value: unknown): void {
    const message = readPageMessage(value);
    if (!message) return this.refuse(value);
    const take = this.receivers[message.type] as (message: PageToHost) => unknown;
    take(message);
  }

  private begin(message: Extract<PageToHost, { type: 'ready' | 'resync' }>): void {
    if (message.type === 'ready') {
      this.reports = MAX_REPORTS;
      this.setAside();
    }
    // One that asks for another snapshot had one, so it is of this build. It may have been kept while it was hidden.
    if (!this.options.accept(message.type === 'ready' ? message.protocol : PROTOCOL_ID)) return;
    this.ready = true;
    this.snapshot();
    if (this.options.composer.sendKey() !== 'enter') this.postSendKey();
  }

  private snapshot(): void {
    this.queue.clear();
    const { sessions, drafts } = this.options;
    if (!sessions.current) return; // It comes as soon as it is opened.
    const { key, store } = sessions.current;
    this.synced = true;
    this.post({ type: 'snapshot', seq: this.queue.seq, key, state: store.state, draft: drafts.get(key) });
    this.listChanged = true;
    this.flush();
    for (const wanted of this.wanted.splice(0)) this.post(wanted);
  }

  /** The page is gone or does not paint: it gets nothing until it says that it is there. */
  private setAside(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.queue.clear();
    this.ready = false;
    this.synced = false;
    for (const finish of [...this.painting.values()]) finish();
  }

  /** One that waits for an answer gets one. */
  private refuse(value: unknown): void {
    this.options.log('ignored a message of the page');
    const { type, id } = asObject(value);
    if (type === 'intent' && typeof id === 'number')
      this.post({ type: 'reply', id, error: this.options.refusal() });
  }

  private report(text: string): void {
    if (this.reports <= 0) return;
    this.reports--;
    this.options.log(`the page failed: ${text}`);
  }

  private async reply(id: number, work: () => Promise<void>): Promise<void> {
    let error: string | null = null;
    try {
      await work();
    } catch (caught) {
      error = caught instanceof Error ? caught.message : String(caught);
    }
    this.flush();
    this.post({ type: 'reply', id, error });
  }

  private async findMentions(id: number, query: string): Promise<void> {
    this.asked = id;
    const isCurrent = (): boolean => this.asked === id;
    try {
      await this.options.composer.mentions.find(query, {
        isCurrent,
        show: (items, done) => this.post({ type: 'mentions', id, items, done }),
      });
    } catch (error) {
      // What is open and the rest of the list are shown; only the files of the workspace are missing.
      this.options.log(`mentions: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private async takeMention(key: string, source: MentionSource | SymbolPlace): Promise<void> {
    this.attachTo(key, [await this.options.composer.mentions.take(source)]);
  }

  private async takeDropped(key: string, uris: readonly string[]): Promise<void> {
    const image = this.options.sessions.current?.store.state.abilities.image === true;
    const { attachments, problem } = await this.options.composer.takeDropped(uris, image);
    if (attachments.length > 0) this.attachTo(key, attachments);
    if (problem !== undefined) throw new Error(problem);
  }

  /** Adds to the draft of a session; the person may have turned to another one meanwhile, which it was not for. */
  private attachTo(key: string, attachments: Attachment[]): void {
    if (this.options.sessions.current?.key === key) this.post({ type: 'attach', attachments });
  }

  private async highlight(request: HighlightRequest): Promise<void> {
    this.post(await this.options.code.highlight(this.number, request));
  }

  private async readPicture(key: string, path: string): Promise<void> {
    let data: string | null = null;
    try {
      data = await this.options.readPicture(key, path);
    } catch (error) {
      this.options.log(`picture: ${error instanceof Error ? error.message : String(error)}`);
    }
    this.post({ type: 'picture', key, path, data });
  }

  private postSendKey(): void {
    this.post({ type: 'sendOn', key: this.options.composer.sendKey() });
  }

  private postOnceReady(message: HostToPage): void {
    if (this.synced) this.post(message);
    else this.wanted.push(message);
  }

  private post(message: HostToPage): void {
    if (!this.ready) return;
    // Rejects or gives false only when the view is gone; the next one starts with a snapshot.
    void this.options.page.postMessage(message);
  }
}
