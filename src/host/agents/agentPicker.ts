import * as vscode from 'vscode';
import { BUILT_IN_AGENT } from '../../core/agents/definition';

/** Lets the person pick an agent; undefined if they did not. */
export async function pickAgent(names: readonly string[], current: string): Promise<string | undefined> {
  const add = vscode.l10n.t('Add an agent in the settings…');
  const rows = names.map((name) => ({
    label: name,
    description:
      name === current
        ? vscode.l10n.t('selected')
        : name === BUILT_IN_AGENT
          ? vscode.l10n.t('works offline, no account')
          : '',
  }));
  const picked = await vscode.window.showQuickPick(
    [...rows, { label: add, description: '', alwaysShow: true }],
    {
      title: vscode.l10n.t('Select an agent'),
    },
  );
  if (picked?.label !== add) return picked?.label;
  await vscode.commands.executeCommand('workbench.action.openSettings', 'parley.agents');
  return undefined;
}
