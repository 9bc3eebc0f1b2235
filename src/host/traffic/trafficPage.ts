import * as vscode from 'vscode';
import { DisposableStore, MutableDisposable, type Disposable } from '../../core/lifecycle';
import { englishTrafficStrings } from '../../core/traffic/trafficStrings';
import { webviewHtml } from '../chat/webviewHtml';
import { Setting } from '../contributions';
import { unlinkedError } from '../unlinked';
import { TrafficChannel, type TrafficPageSource } from './trafficChannel';

/** The editor tab with what passes between Parley and the agents. There is one at most. */
export class TrafficPage implements Disposable {
  private readonly open = new MutableDisposable<DisposableStore>();
  private panel: vscode.WebviewPanel | undefined;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly source: TrafficPageSource,
    private readonly log: (line: string) => void,
  ) {}

  /** Opens the tab, or brings it to the front. */
  show(): void {
    if (this.panel) this.panel.reveal();
    else this.create();
  }

  dispose(): void {
    this.open.dispose();
  }

  private create(): void {
    const title = vscode.l10n.t('Parley: Traffic');
    const panel = vscode.window.createWebviewPanel('parley.traffic', title, vscode.ViewColumn.Active, {
      enableScripts: true,
      // The filter and the message that is read stay while another tab is looked at.
      retainContextWhenHidden: true,
      localResourceRoots: ['dist', 'media'].map((dir) => vscode.Uri.joinPath(this.extensionUri, dir)),
    });
    this.panel = panel;
    panel.iconPath = vscode.Uri.joinPath(this.extensionUri, 'media', 'icon.svg');
    const store = new DisposableStore();
    this.open.value = store;
    const channel = store.add(new TrafficChannel(panel.webview, this.source, (error) => this.tell(error)));
    store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(Setting.trafficEnabled)) channel.show();
      }),
    );
    store.add(panel);
    panel.onDidDispose(() => {
      this.panel = undefined;
      if (this.open.value === store) this.open.value = undefined;
    });
    panel.webview.html = webviewHtml(panel.webview, this.extensionUri, {
      title,
      script: 'trafficPage.js',
      styles: ['chat.css', 'traffic.css'],
      strings: englishTrafficStrings,
    });
  }

  private tell(error: unknown): void {
    this.log(`traffic: ${String(error)}`);
    void vscode.window.showErrorMessage(unlinkedError(error));
  }
}
