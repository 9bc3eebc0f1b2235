import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../core/lifecycle';
import { readFollow } from './config';
import { Follower, type Spot } from './follow';
import type { Sessions } from './session/sessions';

/** Follows the agent of the shown session in the editor, where the person wants that. */
export class FollowInEditor implements Disposable {
  private readonly scope = new DisposableStore();
  /** What the command said in this window; the setting counts until then. */
  private chosen: boolean | undefined;
  /** The editor that the person used since the last prompt: it is not covered. */
  private used: vscode.TextEditor | undefined;

  constructor(sessions: Sessions) {
    const follower = this.scope.add(
      new Follower({
        isOn: () => this.isOn,
        roots: () => {
          const { controller, store } = sessions.current;
          return controller.live?.roots ?? (store.state.cwd === null ? [] : [store.state.cwd]);
        },
        reveal: (spot) => this.reveal(spot),
      }),
    );
    this.scope.add(
      sessions.onDidDispatch(({ session, action }) => {
        if (action.type !== 'promptSubmitted' && action.type !== 'update') return;
        if (session !== sessions.current) return;
        // One that waited in the queue goes out while the person may be anywhere.
        if (action.type === 'promptSubmitted' && action.queued === undefined) this.used = undefined;
        follower.take(action, session.store.state);
      }),
    );
    this.scope.add(
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
        const { Keyboard, Mouse } = vscode.TextEditorSelectionChangeKind;
        if (kind === Keyboard || kind === Mouse) this.used = textEditor;
      }),
    );
  }

  /** Turns following on or off for this window. */
  toggle(): void {
    this.chosen = !this.isOn;
    void vscode.window.showInformationMessage(
      this.chosen
        ? vscode.l10n.t('The editor follows the agent in this window.')
        : vscode.l10n.t('The editor does not follow the agent in this window.'),
    );
  }

  dispose(): void {
    this.scope.dispose();
  }

  private get isOn(): boolean {
    return this.chosen ?? readFollow();
  }

  private async reveal({ path, line }: Spot): Promise<void> {
    const uri = vscode.Uri.file(path);
    const shown = vscode.window.visibleTextEditors.find(({ document }) => document.uri.fsPath === uri.fsPath);
    const active = vscode.window.activeTextEditor;
    // The editor in which the person works does not jump.
    if (shown && shown === active && shown === this.used) return;
    const isUsed = active !== undefined && active === this.used;
    const viewColumn = shown?.viewColumn ?? (isUsed ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active);
    const editor = await vscode.window.showTextDocument(uri, {
      preserveFocus: true,
      preview: true,
      viewColumn,
    });
    if (line === undefined) return;
    const at = editor.document.validatePosition(new vscode.Position(Math.max(0, line - 1), 0));
    editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
}
