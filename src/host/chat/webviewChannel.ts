import type { Attachment } from '../../core/chat/attachment';
import type { Draft, HostToPage, Intent, PageToHost } from '../../core/chat/protocol';
import { PROTOCOL_ID, readPageMessage } from '../../core/chat/protocol';
import type { SessionList } from '../../core/chat/sessionRow';
import { ActionQueue } from '../../core/chat/sync';
import type { Event } from '../../core/emitter';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import type { SessionAction } from '../../core/session/actions';
import type { SessionState } from '../../core/session/state';

/** ms between two posts while actions arrive: one frame. */
const FRAME = 16;

/** ms that a page gets to paint; one that is hidden or gone paints nothing. */
const PAINT = 2_000;

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
  /** The session that the panel shows. */
  readonly current: { readonly key: string; readonly store: { readonly state: SessionState } };
  list(): SessionList;
  readonly onDidDispatch: Event<{ session: { key: string }; action: SessionAction }>;
  /** Another session is shown, or the shown one has another state altogether. */
  readonly onDidSwitch: Event<void>;
  readonly onDidChangeList: Event<void>;
}

export interface ChannelOptions {
  page: PagePort;
  sessions: ShownSessions;
  drafts: DraftKeeper;
  /** Does what the person wants; a rejection's message is shown where they wanted it. */
  perform(intent: Intent): Promise<void>;
  log(line: string): void;
}

/**
 * Keeps one page in step with the shown session: a snapshot when it is ready and when another session is shown, then numbered
 * actions, one post a frame at most. The list of sessions goes along when it changed.
 */
export class WebviewChannel implements Disposable {
  private readonly queue = new ActionQueue();
  private readonly disposables = new DisposableStore();
  private timer: NodeJS.Timeout | undefined;
  private ready = false;
  private listChanged = false;
  /** What a page that is not there yet should do. */
  private wanted: HostToPage[] = [];
  /** Who waits for the page to paint, by the id of the question. */
  private readonly painting = new Map<number, () => void>();
  private nextPaint = 1;

  constructor(private readonly options: ChannelOptions) {
    const { page, sessions } = options;
    this.disposables.add(page.onDidReceiveMessage((message) => this.receive(message)));
    this.disposables.add(
      sessions.onDidDispatch(({ session, action }) => {
        if (session.key === sessions.current.key) this.enqueue(action);
      }),
    );
    this.disposables.add(sessions.onDidSwitch(() => this.ready && this.snapshot()));
    this.disposables.add(
      sessions.onDidChangeList(() => {
        this.listChanged = true;
        this.schedule();
      }),
    );
  }

  /** Puts the cursor into the composer, once the page is there. */
  focusComposer(): void {
    this.postOnceReady({ type: 'focusComposer' });
  }

  /** Opens the list of sessions, once the page is there. */
  showSessions(): void {
    this.postOnceReady({ type: 'showSessions' });
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

  dispose(): void {
    clearTimeout(this.timer);
    for (const finish of [...this.painting.values()]) finish();
    this.disposables.dispose();
  }

  private enqueue(action: SessionAction): void {
    if (!this.ready) return; // The snapshot will hold it.
    this.queue.push(action);
    this.schedule();
  }

  private schedule(): void {
    if (this.ready) this.timer ??= setTimeout(() => this.flush(), FRAME);
  }

  private receive(value: unknown): void {
    const message = readPageMessage(value);
    if (!message) return this.options.log('ignored a message of the page');
    if (message.type === 'intent') return void this.answer(message.id, message.intent);
    if (message.type === 'painted') return this.painting.get(message.id)?.();
    if (message.type === 'draft') return this.options.drafts.set(message.key, message.draft);
    this.begin(message);
  }

  private begin(message: Extract<PageToHost, { type: 'ready' | 'resync' }>): void {
    if (message.type === 'ready' && message.protocol !== PROTOCOL_ID)
      this.options.log('the page is of another build');
    this.ready = true;
    this.snapshot();
    for (const wanted of this.wanted.splice(0)) this.post(wanted);
  }

  private snapshot(): void {
    this.queue.clear();
    const { sessions, drafts } = this.options;
    const { key, store } = sessions.current;
    this.post({ type: 'snapshot', seq: this.queue.seq, key, state: store.state, draft: drafts.get(key) });
    this.listChanged = true;
    this.flush();
  }

  private async answer(id: number, intent: Intent): Promise<void> {
    let error: string | null = null;
    try {
      await this.options.perform(intent);
    } catch (caught) {
      error = caught instanceof Error ? caught.message : String(caught);
    }
    this.flush();
    this.post({ type: 'reply', id, error });
  }

  private postOnceReady(message: HostToPage): void {
    if (this.ready) this.post(message);
    else this.wanted.push(message);
  }

  private post(message: HostToPage): void {
    // Rejects or gives false only when the view is gone; the next one starts with a snapshot.
    void this.options.page.postMessage(message);
  }
}
