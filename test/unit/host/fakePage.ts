import assert from 'node:assert/strict';
import {
  PROTOCOL_ID,
  type Draft,
  type HostToPage,
  type Intent,
  type PageToHost,
  type SendKey,
} from '../../../src/core/chat/protocol';
import type { SessionList } from '../../../src/core/chat/sessionRow';
import { Replica } from '../../../src/core/chat/sync';
import { Emitter } from '../../../src/core/emitter';
import type { SessionAction } from '../../../src/core/session/actions';
import { applyAction } from '../../../src/core/session/reduce';
import type { SessionState } from '../../../src/core/session/state';
import {
  WebviewChannel,
  type CodePort,
  type ComposerPort,
  type ShownSessions,
} from '../../../src/host/chat/webviewChannel';
import { SessionStore } from '../../../src/host/session/sessionStore';
import { TestSession, text } from '../../support/session';

/** A session of which only the state counts. */
export interface FakeSession {
  key: string;
  store: SessionStore;
}

/** Sessions without agents; one of them is shown. */
export class FakeSessions implements ShownSessions {
  current: FakeSession;
  shownList: SessionList = { rows: [], loading: false, problem: null };
  private readonly dispatched = new Emitter<{ session: { key: string }; action: SessionAction }>();
  private readonly switched = new Emitter<void>();
  private readonly listed = new Emitter<void>();
  readonly onDidDispatch = this.dispatched.event;
  readonly onDidSwitch = this.switched.event;
  readonly onDidChangeList = this.listed.event;

  constructor() {
    this.current = this.add('first');
  }

  add(key: string): FakeSession {
    const session = { key, store: new SessionStore('Test') };
    session.store.onDidDispatch((action) => this.dispatched.fire({ session, action }));
    session.store.onDidReset(() => this.switched.fire());
    return session;
  }

  show(session: FakeSession): void {
    this.current = session;
    this.switched.fire();
  }

  list(): SessionList {
    return this.shownList;
  }

  changeList(problem: string | null = null): void {
    this.shownList = { ...this.shownList, problem };
    this.listed.fire();
  }
}

/** Mentions that a test answers, and the key that sends. */
export class FakeComposer implements ComposerPort {
  key: SendKey = 'enter';
  private readonly changed = new Emitter<void>();
  readonly onDidChangeSendKey = this.changed.event;
  mentions: ComposerPort['mentions'] = {
    find: (_, { show }) => {
      show([], true);
      return Promise.resolve();
    },
    take: (source) => {
      const name = typeof source === 'object' ? source.name : source;
      return Promise.resolve({ kind: 'text', name, text: name });
    },
  };

  takeDropped: ComposerPort['takeDropped'] = (uris, images) =>
    Promise.resolve({
      attachments: uris.map((path) => ({ kind: 'file', path, name: images ? 'image' : 'file' })),
      problem: undefined,
    });

  sendKey = (): SendKey => this.key;

  change(key: SendKey): void {
    this.key = key;
    this.changed.fire();
  }
}

/** A page that keeps what it is told, as copies, and what it makes of it. */
export class FakePage {
  readonly posts: HostToPage[] = [];
  readonly sessions = new FakeSessions();
  readonly log: string[] = [];
  readonly drafts = new Map<string, Draft>();
  readonly channel: WebviewChannel;
  state: SessionState | undefined;
  /** How often it counted as begun. */
  begun = 0;
  /** How often the person turned to it. */
  focused = 0;
  private readonly replica = new Replica();
  private readonly toHost = new Emitter<unknown>();
  readonly themeChanged = new Emitter<void>();
  /** Colours of code, as a test gives them. */
  readonly code: CodePort = {
    highlight: (_, { block }) => Promise.resolve({ type: 'noTokens', block, why: 'plain' }),
    onDidChangeTheme: this.themeChanged.event,
  };
  /** What every page is told. */
  readonly toPages = new Emitter<HostToPage>();
  /** Pictures of the workspace, as a test gives them. */
  readPicture: (key: string, path: string) => Promise<string | null> = () => Promise.resolve(null);
  /** What pages asked to look for; true for anew. */
  readonly looked: boolean[] = [];
  lookedForModels = 0;
  /** What the page of a test can mention; set before it asks. */
  readonly composer: FakeComposer = new FakeComposer();
  private wake: () => void = () => undefined;
  private readonly source = new TestSession();

  constructor(perform: (intent: Intent) => Promise<void> = () => Promise.resolve()) {
    this.channel = new WebviewChannel({
      page: {
        postMessage: (message) => {
          this.take(structuredClone(message));
          return Promise.resolve(true);
        },
        onDidReceiveMessage: this.toHost.event,
      },
      sessions: this.sessions,
      drafts: {
        get: (key) => this.drafts.get(key) ?? { text: '', attachments: [] },
        set: (key, draft) => this.drafts.set(key, draft),
      },
      composer: this.composer,
      code: this.code,
      readPicture: (key, path) => this.readPicture(key, path),
      start: {
        show: (anew) => this.looked.push(anew),
        showModels: () => (this.lookedForModels += 1),
        onDidPost: this.toPages.event,
      },
      perform,
      accept: (protocol) => {
        if (protocol === PROTOCOL_ID) return (this.begun += 1) > 0;
        this.log.push(`a page of ${protocol}`);
        return false;
      },
      focused: () => (this.focused += 1),
      refusal: () => 'not known here',
      log: (line) => this.log.push(line),
    });
  }

  /** Of the shown session. */
  get store(): SessionStore {
    return this.sessions.current.store;
  }

  /** A page that is ready. */
  static ready(perform?: (intent: Intent) => Promise<void>): FakePage {
    const page = new FakePage(perform);
    page.send({ type: 'ready', protocol: PROTOCOL_ID });
    return page;
  }

  send(message: PageToHost): void {
    this.toHost.fire(message);
  }

  sendRaw(message: unknown): void {
    this.toHost.fire(message);
  }

  /** The agent of the shown session sends updates. */
  wire(...updates: object[]): void {
    for (const update of updates) this.store.dispatch(this.source.action(update));
  }

  /** The agent of another session sends updates. */
  wireTo({ store }: FakeSession, ...updates: object[]): void {
    for (const update of updates) store.dispatch(this.source.action(update));
  }

  /** What was posted about the session itself. */
  get types(): string[] {
    return this.posts.map(({ type }) => type).filter((type) => type !== 'sessions');
  }

  ofType<T extends HostToPage['type']>(type: T): Extract<HostToPage, { type: T }>[] {
    return this.posts.filter((post): post is Extract<HostToPage, { type: T }> => post.type === type);
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => (this.wake = resolve));
  }

  /** Waits for a frame that begins after everything before, so that a post that was due has been made. */
  static async frame(): Promise<void> {
    const clock = FakePage.ready();
    clock.wire(text('tick'));
    await clock.until(() => clock.ofType('actions').length > 0);
    clock.channel.dispose();
  }

  private take(message: HostToPage): void {
    this.posts.push(message);
    if (message.type === 'snapshot') {
      this.replica.snapshot(message.seq);
      this.state = message.state;
    } else if (message.type === 'actions') {
      assert.ok(this.state && this.replica.accepts(message), 'the actions follow what the page holds');
      for (const action of message.actions) applyAction(this.state, action, () => undefined);
    }
    this.wake();
  }
}
