import * as vscode from 'vscode';
import type { Disposable } from '../../core/lifecycle';
import { MutableDisposable } from '../../core/lifecycle';
import { View } from '../contributions';
import type { WebviewChannel } from './webviewChannel';
import { webviewHtml } from './webviewHtml';

/** Gives VS Code the chat view, and a channel to each page that it makes. */
export class ChatViewProvider implements vscode.WebviewViewProvider, Disposable {
  private readonly channel = new MutableDisposable<WebviewChannel>();
  private focusWanted = false;

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
    if (this.focusWanted) this.channel.value.focusComposer();
    this.focusWanted = false;
    webview.html = webviewHtml(webview, this.extensionUri);
    view.onDidDispose(() => (this.channel.value = undefined));
    this.onShown();
  }

  /** Shows the view and puts the cursor into the composer. */
  async open(): Promise<void> {
    await vscode.commands.executeCommand(`${View.chat}.focus`);
    // The first time VS Code makes the page only after the command.
    if (this.channel.value) this.channel.value.focusComposer();
    else this.focusWanted = true;
  }

  /** Posts what waits for the page, now. */
  flush(): void {
    this.channel.value?.flush();
  }

  dispose(): void {
    this.channel.dispose();
  }
}
