import * as vscode from 'vscode';
import type { Disposable } from '../../core/lifecycle';
import { ReflexGuard } from '../../core/permission/reflexGuard';
import { visibleText } from '../../core/visibleText';
import type { PermissionPrompter, PermissionRequest } from '../bridges/permissionBridge';

type Row = vscode.QuickPickItem & { optionId?: string };

/**
 * Shows permission requests as quick picks, one at a time, oldest first. Nothing is granted by a reflex: see `ReflexGuard`. Escape
 * only hides the pick; the question stays open in its card and can be shown again.
 */
export class PermissionPicker implements PermissionPrompter, Disposable {
  private readonly waiting: PermissionRequest[] = [];
  private shown: { request: PermissionRequest; pick: vscode.QuickPick<Row> } | undefined;

  constructor(
    private readonly enabled: () => boolean,
    /** Who asks, by the key of the session. */
    private readonly asker: (key: string) => string,
    private readonly answer: (requestId: string, optionId: string) => void,
  ) {}

  ask(request: PermissionRequest): void {
    if (!this.enabled()) return;
    if (this.shown?.request.requestId === request.requestId) return;
    if (!this.waiting.includes(request)) this.waiting.push(request);
    this.showNext();
  }

  withdraw(requestId: string): void {
    const index = this.waiting.findIndex((request) => request.requestId === requestId);
    if (index >= 0) this.waiting.splice(index, 1);
    if (this.shown?.request.requestId === requestId) this.shown.pick.dispose();
  }

  dispose(): void {
    this.waiting.length = 0;
    this.shown?.pick.dispose();
  }

  private showNext(): void {
    const request = this.shown ? undefined : this.waiting.shift();
    if (!request) return;
    const pick = this.createPick(request);
    this.shown = { request, pick };
    pick.onDidHide(() => {
      pick.dispose();
      if (this.shown?.pick === pick) this.shown = undefined;
      this.showNext();
    });
    pick.show();
  }

  private createPick(request: PermissionRequest): vscode.QuickPick<Row> {
    const pick = vscode.window.createQuickPick<Row>();
    const details = detailsRow(request);
    pick.title = vscode.l10n.t('{0} asks for permission', plain(this.asker(request.key)));
    pick.placeholder = vscode.l10n.t('Choose with the arrow keys or the mouse. Escape decides nothing.');
    pick.items = [details, ...request.options.map(optionRow)];
    pick.activeItems = [details];
    // A question must not vanish because something else took the focus.
    pick.ignoreFocusOut = true;
    const guard = new ReflexGuard();
    let active: Row | undefined = details;
    pick.onDidChangeValue((value) => {
      guard.filterChanged(value, Date.now());
      if (value === '') return;
      pick.value = '';
      pick.activeItems = [details];
    });
    pick.onDidChangeActive(([row]) => {
      active = row;
      guard.activeChanged(row?.optionId !== undefined, Date.now());
    });
    pick.onDidChangeSelection(([row]) => {
      // Enter selects the active row; another one was clicked, and is told as active only afterwards.
      if (row && row !== active) guard.activeChanged(row.optionId !== undefined, Date.now());
    });
    pick.onDidAccept(() => {
      const [row] = pick.selectedItems;
      if (row?.optionId !== undefined && guard.accepts(Date.now()))
        this.answer(request.requestId, row.optionId);
      // A row that stays selected would not take another click.
      else pick.selectedItems = [];
    });
    guard.shown(Date.now());
    return pick;
  }
}

/** Text of an agent in a quick pick: no `$(icon)` codes, nothing that hides or reorders. */
function plain(text: string): string {
  return visibleText(text).replaceAll('$(', '\\$(');
}

function detailsRow({ patch }: PermissionRequest): Row {
  const what = patch.command ?? patch.locations?.map((location) => location.path).join(', ');
  const label = plain(patch.title ?? what ?? patch.toolCallId).replaceAll(/\s*\n\s*/g, ' ⏎ ');
  return {
    label,
    alwaysShow: true,
    ...(what && what !== patch.title ? { detail: plain(what).replaceAll('\n', ' ⏎ ') } : {}),
  };
}

function optionRow(option: { optionId: string; name: string; kind: string }): Row {
  const iconPath = new vscode.ThemeIcon(
    option.kind.startsWith('reject') ? 'close' : option.kind === 'other' ? 'circle' : 'check',
  );
  return { label: plain(option.name), alwaysShow: true, iconPath, optionId: option.optionId };
}
