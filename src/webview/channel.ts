import {
  PROTOCOL_ID,
  type Draft,
  type HostToPage,
  type Intent,
  type PageToHost,
} from '../core/chat/protocol';
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

  /** Tells that what came before a `paint` is on screen. */
  painted(id: number): void {
    this.post({ type: 'painted', id });
  }

  keepDraft(key: string, draft: Draft): void {
    this.post({ type: 'draft', key, draft });
  }

  /** Asks for something; rejects with what the extension says against it. */
  send(intent: Intent): Promise<void> {
    if (this.disposed) return Promise.reject(new Error('closed'));
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.post({ type: 'intent', id, intent });
    });
  }

  dispose(): void {
    this.disposed = true;
    window.removeEventListener('message', this.receive);
    for (const { reject } of this.waiting.values()) reject(new Error('closed'));
    this.waiting.clear();
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
