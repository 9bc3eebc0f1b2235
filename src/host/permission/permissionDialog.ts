import * as vscode from 'vscode';
import { unlinkedError } from '../unlinked';
import type { RuleScope } from '../../core/permission/rules';
import type { PermissionRequest } from '../bridges/permissionBridge';
import { guardedPick } from './guardedPick';
import type { PickerOptions } from './permissionPicker';
import type { ShownQuestion } from './pickOrder';
import { noIcons, oneLine, questionRow, questionTitle, rulesRow } from './questionText';

const { t } = vscode.l10n;

export interface DialogOptions extends Omit<PickerOptions, 'enabled'> {
  request: PermissionRequest;
  /** The dialog is gone. */
  closed: () => void;
  /** Questions that wait, this one too. */
  total: () => number;
}

/** One permission request as a quick pick, with the steps that can follow: a rule for later, a reason for a rejection. */
export class PermissionDialog implements ShownQuestion {
  /** What is on screen; a step that follows takes its place before it hides. */
  private current: vscode.QuickInput | undefined;
  private main: vscode.QuickPick<vscode.QuickPickItem> | undefined;
  private done = false;

  constructor(private readonly options: DialogOptions) {}

  open(): void {
    const { request, answer } = this.options;
    const pick = guardedPick(questionRow(request.topic), request.options.map(optionRow), (optionId) =>
      answer(request.requestId, optionId),
    );
    pick.title = questionTitle(request.topic);
    pick.placeholder = this.placeholder();
    if (this.canKeep) pick.buttons = [{ iconPath: new vscode.ThemeIcon('shield'), tooltip: t('Always…') }];
    pick.onDidTriggerButton(() => this.openScopes());
    pick.onDidTriggerItemButton(({ item }) => {
      if (item.value !== undefined) this.openReason(item.value);
    });
    this.main = pick;
    this.step(pick, () => this.dispose());
  }

  refresh(): void {
    if (this.main && this.current === this.main) this.main.placeholder = this.placeholder();
  }

  dispose(): void {
    if (this.done) return;
    this.done = true;
    const { current } = this;
    this.current = undefined;
    current?.dispose();
    this.options.closed();
  }

  /** The option that goes with a rule for later. */
  private get once(): string | undefined {
    return this.options.request.options.find(({ kind }) => kind === 'allow_once')?.optionId;
  }

  private get canKeep(): boolean {
    return this.once !== undefined && rulesRow(this.options.request.offer ?? []) !== undefined;
  }

  private placeholder(): string {
    const { request, asker, total } = this.options;
    const who = oneLine(asker(request.key));
    const count = total();
    return count > 1
      ? t(
          '{0} asks for permission (1 of {1}). Choose with the arrow keys or the mouse; Escape decides nothing.',
          who,
          count,
        )
      : t('{0} asks for permission. Choose with the arrow keys or the mouse; Escape decides nothing.', who);
  }

  /** Shows the rule and asks for how long it is to hold. */
  private openScopes(): void {
    const { request, scopes } = this.options;
    const rules = rulesRow(request.offer ?? []) ?? '';
    const rows = scopes().map((scope) => ({ ...scopeRow(scope), value: scope }));
    let saving = false;
    const pick = guardedPick({ label: rules }, rows, (scope) => {
      if (saving) return;
      saving = true;
      void this.keep(scope);
    });
    pick.title = t('From now on, without asking');
    pick.placeholder = t('Keep this rule for');
    this.step(pick, () => this.open());
  }

  private async keep(scope: RuleScope): Promise<void> {
    const { request, keep } = this.options;
    try {
      await keep(request.requestId, this.once ?? '', scope);
    } catch (error) {
      void vscode.window.showErrorMessage(unlinkedError(error));
      if (!this.done) this.open();
    }
  }

  private openReason(optionId: string): void {
    const { request, answer } = this.options;
    const box = vscode.window.createInputBox();
    box.title = t('Reject with a reason…');
    box.placeholder = t('What should it do instead?');
    box.ignoreFocusOut = true;
    box.onDidAccept(() => {
      if (box.value.trim() !== '') answer(request.requestId, optionId, box.value);
    });
    this.step(box, () => this.open());
  }

  private step(input: vscode.QuickInput, hidden: () => void): void {
    this.current = input;
    input.onDidHide(() => {
      input.dispose();
      if (this.current !== input) return;
      this.current = undefined;
      hidden();
    });
    input.show();
  }
}

type Option = PermissionRequest['options'][number];

function optionRow({ optionId, name, kind }: Option): vscode.QuickPickItem & { value: string } {
  const rejects = kind.startsWith('reject');
  const iconPath = new vscode.ThemeIcon(ICONS[kind]);
  const button = { iconPath: new vscode.ThemeIcon('comment'), tooltip: t('Reject with a reason…') };
  return {
    label: noIcons(oneLine(name)),
    iconPath,
    value: optionId,
    ...(rejects ? { buttons: [button] } : {}),
  };
}

const ICONS: Readonly<Record<Option['kind'], string>> = {
  allow_once: 'check',
  allow_always: 'check-all',
  reject_once: 'close',
  reject_always: 'circle-slash',
  other: 'circle',
};

function scopeRow(scope: RuleScope): vscode.QuickPickItem {
  if (scope === 'session') return { label: t('This session'), detail: t('Until the window closes') };
  return scope === 'workspace'
    ? { label: t('This workspace'), detail: t('Kept in the settings of the workspace') }
    : { label: t('All workspaces'), detail: t('Kept in your own settings') };
}
