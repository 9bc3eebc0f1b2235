import * as vscode from 'vscode';
import { BUILT_IN_AGENT } from '../../core/agents/definition';

/** Lets the person pick an agent, or add one; undefined if they did not pick. */
export async function pickAgent(
  names: readonly string[],
  current: string,
  addAgent: () => Promise<void>,
): Promise<string | undefined> {
  const add = vscode.l10n.t('Add an agent…');
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
      // The chat was opened before, and may take the focus late.
      ignoreFocusOut: true,
    },
  );
  if (picked?.label !== add) return picked?.label;
  await addAgent();
  return undefined;
}
