import type { HostToPage, Intent } from '../../core/chat/protocol';
import { PROTOCOL_ID, readPageMessage } from '../../core/chat/protocol';
import { ActionQueue } from '../../core/chat/sync';
import type { Event } from '../../core/emitter';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import type { SessionAction } from '../../core/session/actions';
import type { SessionState } from '../../core/session/state';

/** ms between two posts while actions arrive: one frame. */
const FRAME = 16;

/** What the channel needs of a webview. */
export interface PagePort {
  postMessage(message: HostToPage): Thenable<boolean>;
  readonly onDidReceiveMessage: Event<unknown>;
}

/** Keeps what the composer holds. */
export interface DraftKeeper {
  text: string;
}

export interface ChannelOptions {
  page: PagePort;
  state: SessionState;
  draft: DraftKeeper;
  onDidDispatch: Event<SessionAction>;
  /** Does what the person wants; a rejection's message is shown where they wanted it. */
  perform(intent: Intent): Promise<void>;
  log(line: string): void;
}

/** Keeps one page in step with the session: a snapshot when it is ready, then numbered actions, one post a frame at most. */
export class WebviewChannel implements Disposable {
  private readonly queue = new ActionQueue();
  private readonly disposables = new DisposableStore();
  private timer: NodeJS.Timeout | undefined;
  private ready = false;
  private focusWanted = false;

  constructor(private readonly options: ChannelOptions) {
    this.disposables.add(options.page.onDidReceiveMessage((message) => this.receive(message)));
    this.disposables.add(options.onDidDispatch((action) => this.enqueue(action)));
  }

  /** Puts the cursor into the composer, once the page is there. */
  focusComposer(): void {
    this.focusWanted = !this.ready;
    if (this.ready) this.post({ type: 'focusComposer' });
  }

  /** Posts what waits, now. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const message = this.queue.take();
    if (message) this.post(message);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.disposables.dispose();
  }

  private enqueue(action: SessionAction): void {
    if (!this.ready) return; // The snapshot will hold it.
    this.queue.push(action);
    this.timer ??= setTimeout(() => this.flush(), FRAME);
  }

  private receive(value: unknown): void {
    const message = readPageMessage(value);
    if (!message) return this.options.log('ignored a message of the page');
    if (message.type === 'intent') return void this.answer(message.id, message.intent);
    if (message.type === 'draft') {
      this.options.draft.text = message.text;
      return;
    }
    if (message.type === 'ready' && message.protocol !== PROTOCOL_ID)
      this.options.log('the page is of another build');
    this.ready = true;
    this.queue.clear();
    const { state, draft } = this.options;
    this.post({ type: 'snapshot', seq: this.queue.seq, state, draft: draft.text });
    if (this.focusWanted) this.focusComposer();
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

  private post(message: HostToPage): void {
    // Rejects or gives false only when the view is gone; the next one starts with a snapshot.
    void this.options.page.postMessage(message);
  }
}
