import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type * as vscode from 'vscode';
import { PROTOCOL_ID, type HostToPage, type PageToHost } from '../../../src/core/chat/protocol';
import { Emitter } from '../../../src/core/emitter';
import { DisposableStore } from '../../../src/core/lifecycle';
import type { buildChat as build, ChatParts } from '../../../src/host/chat/buildChat';
import type { ChatPage as Page } from '../../../src/host/chat/chatPage';
import type { ChatViewProvider } from '../../../src/host/chat/chatViewProvider';
import type { PageStart } from '../../../src/host/chat/pageStart';
import { VIEW } from '../../../src/host/session/pages';
import { withEditor } from '../../support/withEditor';
import { LATER } from '../acp/memoryAgent';
import { agentWith, CAN_ALL, SessionWindow } from './sessionWindow';

const nothing = { dispose: () => undefined };

class TabInputWebview {
  constructor(readonly viewType: string) {}
}

/** The part of the editor in which the pages of the chat are. */
const editor = {
  tabs: [] as object[],
  commands: {
    ran: [] as string[],
    executeCommand: (name: string) => Promise.resolve(editor.commands.ran.push(name)),
  },
  answer: undefined as Promise<string | undefined> | undefined,
  ColorThemeKind: {},
  Disposable: {
    from: (...items: { dispose(): void }[]) => ({ dispose: () => items.map((item) => item.dispose()) }),
  },
  Uri: { joinPath: (_: unknown, ...parts: string[]) => parts.join('/') },
  TabInputWebview,
  env: { language: 'en', appRoot: '/' },
  extensions: { all: [] },
  l10n: { t: (text: string) => text },
  workspace: { onDidChangeConfiguration: () => nothing },
  window: {
    state: { focused: true },
    tabGroups: {
      get all() {
        return [{ tabs: editor.tabs }];
      },
    },
    onDidChangeActiveColorTheme: () => nothing,
    registerWebviewViewProvider: () => nothing,
    registerWebviewPanelSerializer: () => nothing,
    showWarningMessage: () => editor.answer,
  },
};
const { buildChat, ChatPage } = withEditor(editor, () => {
  const load = createRequire(__filename);
  return {
    ...(load('../../../src/host/chat/buildChat') as { buildChat: typeof build }),
    ...(load('../../../src/host/chat/chatPage') as { ChatPage: typeof Page }),
  };
});

/** A view or a tab, and the page in it. */
class Place {
  readonly posts: HostToPage[] = [];
  private readonly fromPage = new Emitter<unknown>();
  readonly visible = true;
  active = false;
  title = '';
  onDidChangeVisibility = () => nothing;
  onDidChangeViewState = () => nothing;
  onDidDispose = () => nothing;
  reveal = () => undefined;
  readonly webview = {
    html: '',
    asWebviewUri: String,
    postMessage: (message: HostToPage) => Promise.resolve(this.posts.push(message) > 0),
    onDidReceiveMessage: this.fromPage.event,
  };

  send(message: PageToHost): void {
    this.fromPage.fire(message);
  }

  get snapshots(): string[] {
    return this.posts.flatMap((post) => (post.type === 'snapshot' ? [post.key] : []));
  }

  /** Resolves with the answer to a wish. */
  async reply(): Promise<string | null> {
    for (;;) {
      const found = this.posts.find((post) => post.type === 'reply');
      if (found) return found.error;
      await new Promise(setImmediate);
    }
  }
}

/** The chat of a window. */
class Chat {
  readonly pruned: string[][] = [];
  readonly performed: string[] = [];
  readonly view = new Place();
  readonly chat: ChatViewProvider;
  private readonly scope = new DisposableStore();

  constructor(readonly window = new SessionWindow()) {
    const event = new Emitter<never>().event;
    const parts = {
      base: {
        scope: this.scope,
        context: { extensionPath: '/', extensionUri: '/' },
        log: { main: { info: () => undefined }, show: () => undefined },
        find: () => undefined,
      },
      sessions: window.sessions,
      drafts: { get: () => ({ text: '', attachments: [] }), set: () => undefined },
      composer: { sendKey: () => 'enter', onDidChangeSendKey: event },
      start: { show: () => undefined, onDidPost: event },
      perform: ({ type }: { type: string }) => Promise.resolve(void this.performed.push(type)),
      prune: (keys: string[]) => Promise.resolve(void this.pruned.push(keys)),
    };
    this.chat = buildChat(parts as unknown as ChatParts);
  }

  resolveView(): void {
    this.chat.resolveWebviewView(this.view as unknown as vscode.WebviewView);
  }

  restoreTab(place: Place, key: string): Promise<void> {
    const panel = place as unknown as vscode.WebviewPanel;
    return this.chat.deserializeWebviewPanel(panel, { key, agentId: 'memory' });
  }

  dispose(): void {
    this.scope.dispose();
  }
}

/** Resolves after all that can go on by itself. */
const settled = async (): Promise<void> => {
  for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate);
};

/** Lets the archive of a window answer only when told to. */
function holdArchive({ archive }: SessionWindow): () => void {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const list = archive.list.bind(archive);
  archive.list = () => held.then(list);
  return release;
}

describe('the pages of the chat', () => {
  let chat: Chat;
  afterEach(() => {
    chat.dispose();
    editor.tabs = [];
    editor.commands.ran = [];
  });

  it('SE-10 forgets no draft before each tab of before a reload has its session', async () => {
    chat = new Chat();
    const release = holdArchive(chat.window);
    editor.tabs = [{ input: new TabInputWebview(`mainThreadWebview-parley.chatEditor`) }];
    const restored = chat.restoreTab(new Place(), 'only-a-draft');
    assert.equal(chat.chat.tabsAreKnown, false, 'it has a page, and no session yet');
    chat.resolveView();
    release();
    await restored;
    await settled();
    assert.equal(chat.chat.tabsAreKnown, true);
    for (const keys of chat.pruned) assert.ok(keys.includes('only-a-draft'), keys.join());
    assert.ok(chat.window.sessions.find('only-a-draft'));
  });

  it('SE-10 shows no session in the view before the last one is back', async () => {
    const window = new SessionWindow();
    window.archive.last = { key: 'last', agentId: 'memory' };
    chat = new Chat(window);
    const release = holdArchive(window);
    chat.resolveView();
    chat.view.send({ type: 'ready', protocol: PROTOCOL_ID });
    await settled();
    assert.deepEqual(chat.view.snapshots, []);
    release();
    await settled();
    assert.deepEqual([...new Set(chat.view.snapshots)], ['last']);
  });

  it('shows what there is where the sessions can not be had', async () => {
    const window = new SessionWindow();
    const failed = Promise.reject(new Error('no disk'));
    const restore = window.sessions.restore.bind(window.sessions);
    chat = new Chat(window);
    window.sessions.restore = () => failed;
    const opened = chat.chat as unknown as {
      begin(id: string, place: Place): unknown;
    };
    opened.begin(VIEW, chat.view);
    window.sessions.restore = restore;
    chat.view.send({ type: 'ready', protocol: PROTOCOL_ID });
    await settled();
    assert.equal(chat.view.snapshots.length, 1);
  });

  it('PT-7 refuses what a tab asks for before it has its session', async () => {
    chat = new Chat();
    await chat.window.sessions.restore();
    const tab = new Place();
    const opening = chat.window.sessions.openTab.bind(chat.window.sessions);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    chat.window.sessions.openTab = async (...args) => {
      await held;
      return opening(...args);
    };
    const restored = chat.restoreTab(tab, 'key');
    tab.send({ type: 'ready', protocol: PROTOCOL_ID });
    tab.send({ type: 'intent', id: 1, intent: { type: 'prompt', text: 'go', attachments: [] } });
    assert.equal(await tab.reply(), 'The session is still being opened. Try again in a moment.');
    assert.deepEqual(chat.performed, []);
    release();
    await restored;
  });

  it('SE-4 brings a session on screen without waiting for its agent', async () => {
    const slowly = agentWith(CAN_ALL, { 'session/new': () => LATER });
    const window = new SessionWindow({ memory: agentWith(), slow: slowly });
    chat = new Chat(window);
    await window.sessions.restore();
    chat.resolveView();
    await settled();
    await window.use('first');
    const first = window.sessions.current;
    void window.sessions.create('slow');
    const slow = window.key;
    await window.sessions.show(first.key);
    await chat.chat.openSession(slow);
    assert.equal(window.key, slow);
    assert.deepEqual(editor.commands.ran, ['parley.chat.focus']);
  });

  it('SE-4 leaves a session that failed as it is when it is brought on screen', async () => {
    const window = new SessionWindow();
    chat = new Chat(window);
    await window.sessions.restore();
    chat.resolveView();
    await settled();
    const { current } = window.sessions;
    await window.use('first');
    await window.sessions.create();
    current.store.dispatch({
      type: 'bannerShown',
      banner: { severity: 'error', message: 'it broke', actions: [] },
    });
    current.controller.ensureConnected = () => assert.fail('connected');
    await chat.chat.openSession(current.key);
    await settled();
    assert.equal(window.key, current.key);
    assert.equal(current.store.state.banner?.message, 'it broke');
  });
});

describe('a page that did not start', () => {
  it('is not loaded anew after its tab was closed', async () => {
    let loads = 0;
    const webview = {
      set html(_: string) {
        loads++;
      },
      asWebviewUri: String,
    };
    const page = new ChatPage({ webview: webview as unknown as vscode.Webview, visible: false }, {
      id: VIEW,
      extensionUri: '/',
      openChannel: () => nothing,
      showLog: () => undefined,
      log: () => undefined,
    } as unknown as ConstructorParameters<typeof Page>[1]);
    page.load();
    const start = (page as unknown as { start: PageStart }).start;
    const fail = (): unknown => start.begun('of another build');
    let press: (answer: string) => void = () => undefined;
    editor.answer = new Promise((resolve) => (press = resolve));
    fail();
    fail();
    const before = loads;
    page.dispose();
    press('Reload page');
    await settled();
    assert.deepEqual([before, loads], [2, 2]);
  });
});
