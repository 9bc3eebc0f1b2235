import * as vscode from 'vscode';
import type { Attachment } from '../../core/chat/attachment';
import { asObject, asString } from '../../core/json';
import type { Disposable } from '../../core/lifecycle';
import { titleOf } from '../../core/session/title';
import { visibleText } from '../../core/visibleText';
import type { ShownPages } from '../attention/shownPages';
import { PanelType, View } from '../contributions';
import { VIEW } from '../session/pages';
import type { Sessions } from '../session/sessions';
import { ChatPage, type Place } from './chatPage';
import { pageFor } from './pages';
import type { WebviewChannel } from './webviewChannel';

/** Longest title of a tab, in UTF-16 units. */
const LONGEST_TITLE = 60;

export interface ChatOptions {
  extensionUri: vscode.Uri;
  sessions: Sessions;
  /** Opens the channel of a page. */
  openChannel: (id: string, webview: vscode.Webview, accept: (protocol: string) => boolean) => WebviewChannel;
  /** VS Code has made the view. */
  onShown: () => void;
  /** Nothing is written in the composer of a session. */
  isUnwritten: (key: string) => boolean;
  showLog: () => void;
  log: (line: string) => void;
}

/** The pages of the chat: that of the view, and any number of editor tabs. */
export class ChatViewProvider
  implements vscode.WebviewViewProvider, vscode.WebviewPanelSerializer, ShownPages, Disposable
{
  private readonly pages = new Map<string, ChatPage>();
  private readonly panels = new Map<string, vscode.WebviewPanel>();
  private readonly listening: Disposable;
  private view: vscode.WebviewView | undefined;
  private badge: vscode.ViewBadge | undefined;
  private count = 0;
  /** What the page of the view should do as soon as VS Code has made it. */
  private wanted: ((channel: WebviewChannel) => void)[] = [];

  constructor(private readonly options: ChatOptions) {
    const { sessions } = options;
    this.listening = vscode.Disposable.from(
      sessions.onDidReveal((id) => void this.show((channel) => channel.focusComposer(), id)),
      sessions.onDidChangeList(() => this.nameTabs()),
      sessions.onDidShow(() => this.nameTabs()),
    );
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    view.badge = this.badge;
    const page = this.begin(VIEW, view);
    view.onDidChangeVisibility(() => page.setVisible(view.visible));
    view.onDidDispose(() => {
      this.end(VIEW, page);
      if (this.view === view) this.view = undefined;
    });
    for (const act of this.wanted.splice(0)) act(page.channel);
    this.options.onShown();
  }

  /** A tab of before the window was loaded anew; its page says which session it showed. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { key, agentId } = asObject(state);
    const id = this.takePanel(panel);
    const { sessions } = this.options;
    await sessions.restore();
    await this.fill(id, () => sessions.openTab(id, asString(key), asString(agentId)));
  }

  /** Moves a session into an editor tab, or opens one of the list there; `new`: an empty one. */
  async openInEditor(key: string): Promise<void> {
    const { sessions } = this.options;
    const id = this.nextId();
    if (!(await sessions.openTab(id, key === 'new' ? undefined : key))) return;
    const panel = vscode.window.createWebviewPanel(PanelType.chat, 'Parley', vscode.ViewColumn.Active);
    this.takePanel(panel, id);
    this.pages.get(id)?.channel.focusComposer();
    await this.fill(id, () => Promise.resolve(true));
  }

  /** Shows the chat and puts the cursor into the composer. */
  async open(): Promise<void> {
    await this.show((channel) => channel.focusComposer());
  }

  /** Shows the view and puts the cursor into the composer. */
  async openView(): Promise<void> {
    await this.show((channel) => channel.focusComposer(), VIEW);
  }

  /** Shows the chat with the list of sessions. */
  async openSessions(): Promise<void> {
    await this.show((channel) => channel.showSessions());
  }

  /** Does not wait until the session is connected. */
  async openSession(key: string, requestId?: string): Promise<void> {
    const { sessions } = this.options;
    await sessions.restore();
    const isShown = sessions.pages.holderOf(key) !== undefined;
    const session = isShown ? undefined : await sessions.put(key, VIEW);
    await this.show(
      (channel) => (requestId === undefined ? channel.focusComposer() : channel.revealQuestion(requestId)),
      sessions.pages.holderOf(key) ?? VIEW,
    );
    // The start of an agent takes long; one that failed is left to the person, who came for its banner.
    const { banner, connection } = session?.store.state ?? {};
    if (banner === null && connection?.status !== 'exited') void session?.controller.ensureConnected();
  }

  /** Shows the chat and adds to the draft of its session. */
  async attach(attachments: Attachment[]): Promise<void> {
    await this.show((channel) => {
      channel.attach(attachments);
      channel.focusComposer();
    });
  }

  shows(key: string): boolean {
    const page = this.pages.get(this.options.sessions.pages.holderOf(key) ?? '');
    return vscode.window.state.focused && page?.visible === true;
  }

  setBadge(value: number, tooltip: string): void {
    // Zero rather than nothing, which takes no badge away in VS Code 1.106.
    this.badge = { value, tooltip };
    if (this.view) this.view.badge = this.badge;
  }

  /** True once all tabs of before a reload have their sessions; VS Code asks only for those in sight. */
  get tabsAreKnown(): boolean {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const chats = tabs.filter(
      ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(PanelType.chat),
    );
    // One of them has a page before it has its session.
    const known = [...this.panels.keys()].filter((id) => this.options.sessions.pages.has(id));
    return chats.length <= known.length;
  }

  /** Resolves when the page of a session has on screen what happened so far. */
  async painted(key: string): Promise<void> {
    await this.pages.get(this.options.sessions.pages.holderOf(key) ?? '')?.channel.painted();
  }

  dispose(): void {
    this.listening.dispose();
    // The tabs stay: after a reload of the window they come back with their sessions.
    for (const page of this.pages.values()) page.dispose();
  }

  private async show(act: (channel: WebviewChannel) => void, id = this.chosen): Promise<void> {
    this.options.sessions.activate(id);
    const panel = this.panels.get(id);
    if (panel) panel.reveal();
    else await vscode.commands.executeCommand(`${View.chat}.focus`);
    const page = this.pages.get(id);
    if (page) act(page.channel);
    // The first time VS Code makes the page only after the command.
    else this.wanted.push(act);
  }

  private get chosen(): string {
    const { ids } = this.options.sessions.pages;
    return pageFor(ids, (id) => this.pages.get(id)?.visible === true) ?? VIEW;
  }

  private nextId(): string {
    return `tab-${++this.count}`;
  }

  /** Connects what the pages show after a tab got its session; a tab that could not get it goes away. */
  private async fill(id: string, open: () => Promise<boolean>): Promise<void> {
    const { sessions } = this.options;
    const opened = await open();
    const panel = this.panels.get(id);
    if (!panel) return sessions.closeTab(id, this.options.isUnwritten);
    if (!opened) {
      panel.dispose();
      return;
    }
    if (panel.active) sessions.activate(id);
    const shown = (this.view ? [id, VIEW] : [id]).flatMap((page) => sessions.shownIn(page) ?? []);
    await Promise.all(shown.map(({ controller }) => controller.ensureConnected(false)));
  }

  private takePanel(panel: vscode.WebviewPanel, id = this.nextId()): string {
    const { sessions, extensionUri, isUnwritten } = this.options;
    this.panels.set(id, panel);
    panel.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'icon.svg');
    const page = this.begin(id, panel);
    panel.onDidChangeViewState(() => {
      page.setVisible(panel.visible);
      if (panel.active) sessions.activate(id);
    });
    panel.onDidDispose(() => {
      this.panels.delete(id);
      this.end(id, page);
      void sessions.closeTab(id, isUnwritten);
    });
    this.nameTabs();
    return id;
  }

  private begin(id: string, place: Place): ChatPage {
    this.pages.get(id)?.dispose();
    const page = new ChatPage(place, { id, ...this.options });
    this.pages.set(id, page);
    page.load();
    return page;
  }

  private end(id: string, page: ChatPage): void {
    page.dispose();
    if (this.pages.get(id) === page) this.pages.delete(id);
  }

  private nameTabs(): void {
    for (const [id, panel] of this.panels) {
      const session = this.options.sessions.shownIn(id);
      if (!session) continue;
      const name = titleOf(session.store.state);
      const title = name === null ? vscode.l10n.t('New session') : visibleText(name).slice(0, LONGEST_TITLE);
      if (panel.title !== title) panel.title = title;
    }
  }
}
