import * as vscode from 'vscode';
import { asList } from '../../core/json';
import { parseRules } from '../../core/permission/parseRules';
import type { PermissionRule } from '../../core/permission/rules';
import { Command, Setting } from '../contributions';
import type { StoredRules } from './rulePolicy';

const { t } = vscode.l10n;

/** The permission rules in the settings of the person and of the workspace. */
export class RuleSettings {
  /** All of them as they are written; the workspace's only where it is trusted (CC-8). */
  read(cwd?: string): StoredRules {
    const found = inspect(cwd);
    const workspace = vscode.workspace.isTrusted
      ? [...asList(found?.workspaceValue), ...asList(found?.workspaceFolderValue)]
      : [];
    return { user: [...asList(found?.globalValue)], workspace: withoutTwins(workspace) };
  }

  /** As they are written, also those that do not count. */
  written(cwd?: string): { user: unknown; workspace: unknown; folder: unknown } {
    const found = inspect(cwd);
    const { globalValue, workspaceValue, workspaceFolderValue } = found ?? {};
    return { user: globalValue, workspace: workspaceValue, folder: workspaceFolderValue };
  }

  /** True where the workspace has settings of its own whose rules count. */
  get workspaceKeeps(): boolean {
    return vscode.workspace.isTrusted && (vscode.workspace.workspaceFolders?.length ?? 0) > 0;
  }

  /** Adds rules. Rejects with a sentence for the person. */
  async append(scope: 'workspace' | 'user', rules: readonly PermissionRule[]): Promise<void> {
    const found = inspect();
    const there = scope === 'user' ? found?.globalValue : found?.workspaceValue;
    if (there !== undefined && !Array.isArray(there))
      throw new Error(
        t('The setting {0} is not a list. Correct it in the settings first.', Setting.permissionRules),
      );
    await this.replace(scope, withoutTwins([...asList(there), ...rules]));
  }

  /** Sets the rules of a scope, none to take the setting away. Rejects with a sentence for the person. */
  async replace(scope: 'workspace' | 'user', rules: readonly unknown[]): Promise<void> {
    if (scope === 'workspace' && !this.workspaceKeeps)
      throw new Error(
        t('There is no trusted workspace whose settings could keep the rule. Choose another scope.'),
      );
    const target =
      scope === 'user' ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace;
    try {
      const value = rules.length > 0 ? rules : undefined;
      await vscode.workspace.getConfiguration().update(Setting.permissionRules, value, target);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(t('The rule could not be saved in the settings: {0}', reason), { cause: error });
    }
  }

  /** Warns of rules that can't be read, now and whenever the settings change. */
  watch(): vscode.Disposable {
    const check = (): void => {
      const found = inspect();
      const workspace = vscode.workspace.isTrusted ? found?.workspaceValue : undefined;
      const problems = [found?.globalValue, workspace].flatMap((value) => parseRules(value).problems);
      if (problems.length > 0) void warn();
    };
    check();
    return vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(Setting.permissionRules)) check();
    });
  }
}

function inspect(cwd?: string) {
  const folder = cwd === undefined ? undefined : vscode.Uri.file(cwd);
  return vscode.workspace.getConfiguration(undefined, folder).inspect(Setting.permissionRules);
}

/** In a workspace of one folder the two values are the same. */
function withoutTwins(rules: readonly unknown[]): unknown[] {
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}

async function warn(): Promise<void> {
  const open = t('Open Rules');
  const chosen = await vscode.window.showWarningMessage(
    t('Some permission rules in the settings can’t be read, and do not count. Correct them.'),
    open,
  );
  if (chosen === open) await vscode.commands.executeCommand(Command.permissionRules);
}
