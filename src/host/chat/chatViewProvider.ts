import * as vscode from 'vscode';
import type { Attachment } from '../../core/chat/attachment';
import type { Disposable } from '../../core/lifecycle';
import { MutableDisposable } from '../../core/lifecycle';
import { View } from '../contributions';
import type { WebviewChannel } from './webviewChannel';
import { webviewHtml } from './webviewHtml';

/** Gives VS Code the chat view, and a channel to each page that it makes. */
export class ChatViewProvider implements vscode.WebviewViewProvider, Disposable {
  private readonly channel = new MutableDisposable<WebviewChannel>();
  /** What the page should do as soon as VS Code has made it. */
  private wanted: ((channel: WebviewChannel) => void)[] = [];

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly openChannel: (webview: vscode.Webview) => WebviewChannel,
    private readonly onShown: () => void,
  ) {}

  resolveWebviewView(view: vscode.WebviewView): void {
    const { webview } = view;
    webview.options = {
      enableScripts: true,
      localResourceRoots: ['dist', 'media'].map((dir) => vscode.Uri.joinPath(this.extensionUri, dir)),
    };
    this.channel.value = this.openChannel(webview);
    for (const act of this.wanted.splice(0)) act(this.channel.value);
    webview.html = webviewHtml(webview, this.extensionUri);
    view.onDidDispose(() => (this.channel.value = undefined));
    this.onShown();
  }

  /** Shows the view and puts the cursor into the composer. */
  async open(): Promise<void> {
    await this.show((channel) => channel.focusComposer());
  }

  /** Shows the view with the list of sessions. */
  async openSessions(): Promise<void> {
    await this.show((channel) => channel.showSessions());
  }

  /** Shows the view and adds to the draft of the shown session. */
  async attach(attachments: Attachment[]): Promise<void> {
    await this.show((channel) => {
      channel.attach(attachments);
      channel.focusComposer();
    });
  }

  private async show(act: (channel: WebviewChannel) => void): Promise<void> {
    await vscode.commands.executeCommand(`${View.chat}.focus`);
    // The first time VS Code makes the page only after the command.
    if (this.channel.value) act(this.channel.value);
    else this.wanted.push(act);
  }

  /** Resolves when the page has on screen what happened so far. */
  async painted(): Promise<void> {
    await this.channel.value?.painted();
  }

  dispose(): void {
    this.channel.dispose();
  }
}
