import * as vscode from 'vscode';
import { DisposableStore, MutableDisposable, type Disposable } from '../../core/lifecycle';
import { englishRulesStrings } from '../../core/permission/rulesStrings';
import { webviewHtml } from '../chat/webviewHtml';
import { RulesChannel, type RulesSource } from './rulesChannel';

/** The editor tab with the person's rules, a box to try them, and what they decided (PE-4). There is one at most. */
export class RulesPage implements Disposable {
  private readonly open = new MutableDisposable<DisposableStore>();
  private panel: vscode.WebviewPanel | undefined;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly source: RulesSource,
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
    const panel = vscode.window.createWebviewPanel(
      'parley.rules',
      vscode.l10n.t('Parley: Permission Rules'),
      vscode.ViewColumn.Active,
      {
        enableScripts: true,
        // A rule that is half written stays while another tab is looked at.
        retainContextWhenHidden: true,
        localResourceRoots: ['dist', 'media'].map((dir) => vscode.Uri.joinPath(this.extensionUri, dir)),
      },
    );
    this.panel = panel;
    panel.iconPath = vscode.Uri.joinPath(this.extensionUri, 'media', 'icon.svg');
    const store = new DisposableStore();
    this.open.value = store;
    const texts = { changed: vscode.l10n.t('They were changed meanwhile. Look at them again.') };
    store.add(new RulesChannel(panel.webview, this.source, texts, this.log));
    store.add(panel);
    panel.onDidDispose(() => {
      this.panel = undefined;
      if (this.open.value === store) this.open.value = undefined;
    });
    panel.webview.html = webviewHtml(panel.webview, this.extensionUri, {
      title: vscode.l10n.t('Parley: Permission Rules'),
      script: 'rules.js',
      styles: ['chat.css', 'rules.css'],
      strings: englishRulesStrings,
    });
  }
}
