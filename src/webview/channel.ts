import {
  PROTOCOL_ID,
  type Draft,
  type HostToPage,
  type Intent,
  type PageToHost,
} from '../core/chat/protocol';
import type { MentionSource, SymbolPlace } from '../core/chat/mentions';
import type { HighlightRequest } from '../core/highlight/messages';
import { isObject } from '../core/json';
import type { Disposable } from '../core/lifecycle';

/** What VS Code gives to a page. */
export interface HostApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): HostApi;

/** Gets the connection to VS Code, which exists once per page. */
export function acquireHost(): HostApi {
  return acquireVsCodeApi();
}

interface Waiting {
  resolve: () => void;
  reject: (error: Error) => void;
}

/** Messages to and from the extension; every intent is a request that settles. */
export class Channel implements Disposable {
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 1;
  private disposed = false;

  constructor(
    private readonly host: HostApi,
    private readonly onMessage: (message: Exclude<HostToPage, { type: 'reply' }>) => void,
  ) {
    window.addEventListener('message', this.receive);
  }

  ready(): void {
    this.post({ type: 'ready', protocol: PROTOCOL_ID });
  }

  resync(): void {
    this.post({ type: 'resync' });
  }

  /** Tells that the person has turned to the page. */
  focused(): void {
    this.post({ type: 'focused' });
  }

  /** Tells what failed here, for the log. */
  failed(report: string): void {
    this.post({ type: 'failed', report });
  }

  /** Tells that what came before a `paint` is on screen. */
  painted(id: number): void {
    this.post({ type: 'painted', id });
  }

  /** Asks for the colours of some lines of code; the answer is a message. */
  highlight(request: HighlightRequest): void {
    this.post(request);
  }

  /** Asks for a picture that a message of a session names; the answer comes as a message. */
  readPicture(key: string, path: string): void {
    this.post({ type: 'readPicture', key, path });
  }

  keepDraft(key: string, draft: Draft): void {
    this.post({ type: 'draft', key, draft });
  }

  /** Keeps the text of a draft whose attachments are kept already. */
  keepDraftText(key: string, text: string): void {
    this.post({ type: 'draftText', key, text });
  }

  /** Asks for something; rejects with what the extension says against it. */
  send(intent: Intent): Promise<void> {
    return this.ask((id) => ({ type: 'intent', id, intent }));
  }

  /** Asks for what the start of a conversation tells; `anew` looks for agents again. */
  lookAround(anew: boolean): void {
    this.post({ type: 'lookAround', anew });
  }

  /** Asks for models that the built-in agent could use. */
  lookForModels(): void {
    this.post({ type: 'lookForModels' });
  }

  /** Asks what can be mentioned; gives the id that the answers carry. */
  findMentions(query: string): number {
    const id = this.nextId++;
    this.post({ type: 'findMentions', id, query });
    return id;
  }

  /** Attaches what is no file to the draft of a session; rejects with what the extension says against it. */
  takeMention(key: string, source: MentionSource | SymbolPlace): Promise<void> {
    return this.ask((id) => ({ type: 'takeMention', id, key, source }));
  }

  /** Attaches dropped files to the draft of a session; rejects with what the extension says against it. */
  takeDropped(key: string, uris: string[]): Promise<void> {
    return this.ask((id) => ({ type: 'takeDropped', id, key, uris }));
  }

  dispose(): void {
    this.disposed = true;
    window.removeEventListener('message', this.receive);
    for (const { reject } of this.waiting.values()) reject(new Error('closed'));
    this.waiting.clear();
  }

  private ask(message: (id: number) => PageToHost): Promise<void> {
    if (this.disposed) return Promise.reject(new Error('closed'));
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.post(message(id));
    });
  }

  private post(message: PageToHost): void {
    this.host.postMessage(message);
  }

  private readonly receive = (event: MessageEvent<unknown>): void => {
    if (!isObject(event.data) || typeof event.data['type'] !== 'string') return;
    const message = event.data as unknown as HostToPage;
    if (message.type !== 'reply') {
      this.onMessage(message);
      return;
    }
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.error === null) waiting?.resolve();
    else waiting?.reject(new Error(message.error));
  };
}
