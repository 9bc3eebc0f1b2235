import * as vscode from 'vscode';
import type { Disposable } from '../../core/lifecycle';
import { PageStart } from './pageStart';
import type { WebviewChannel } from './webviewChannel';
import { webviewHtml } from './webviewHtml';

/** Where VS Code shows a page: a view or a tab. */
export interface Place {
  readonly webview: vscode.Webview;
  readonly visible: boolean;
}

export interface ChatPageOptions {
  id: string;
  extensionUri: vscode.Uri;
  openChannel: (id: string, webview: vscode.Webview, accept: (protocol: string) => boolean) => WebviewChannel;
  showLog: () => void;
  log: (line: string) => void;
}

/** One page of the chat with its channel. It can go at any time, and comes back from a snapshot. */
export class ChatPage implements Disposable {
  readonly channel: WebviewChannel;
  private readonly start: PageStart;
  private disposed = false;

  constructor(
    private readonly place: Place,
    private readonly options: ChatPageOptions,
  ) {
    const { webview } = place;
    const { id, extensionUri, openChannel, log } = options;
    webview.options = {
      enableScripts: true,
      localResourceRoots: ['dist', 'media'].map((dir) => vscode.Uri.joinPath(extensionUri, dir)),
    };
    this.start = new PageStart({
      load: () => (webview.html = webviewHtml(webview, extensionUri)),
      failed: () => void this.tell(),
      log,
    });
    this.channel = openChannel(id, webview, (protocol) => this.start.begun(protocol));
  }

  get visible(): boolean {
    return this.place.visible;
  }

  /** Makes the page. */
  load(): void {
    this.start.load(this.visible);
  }

  /** VS Code throws a hidden page away, and makes it again when it is shown. */
  setVisible(visible: boolean): void {
    this.channel.setVisible(visible);
    if (!visible || !this.channel.isThere) this.start.setVisible(visible);
  }

  dispose(): void {
    this.disposed = true;
    this.start.dispose();
    this.channel.dispose();
  }

  private async tell(): Promise<void> {
    const again = vscode.l10n.t('Reload page');
    const showLog = vscode.l10n.t('Show log');
    const message = vscode.l10n.t('The chat page did not start. Reload it; the log may say what went wrong.');
    const answer = await vscode.window.showWarningMessage(message, again, showLog);
    // It may have been closed meanwhile, and nothing can be loaded there then.
    if (answer === again && !this.disposed) this.load();
    if (answer === showLog) this.options.showLog();
  }
}
