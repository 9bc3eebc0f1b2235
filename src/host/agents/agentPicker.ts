import * as vscode from 'vscode';
import { BUILT_IN_AGENT } from '../../core/agents/definition';
import { Command } from '../contributions';

/** Lets the person pick an agent, or add one; undefined if they did not pick. */
export async function pickAgent(
  names: readonly string[],
  current: string,
  addAgent: () => Promise<void>,
): Promise<string | undefined> {
  const add = vscode.l10n.t('Add an agent…');
  const more = vscode.l10n.t('More agents from the ACP registry…');
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
    [
      ...rows,
      { label: add, description: '', alwaysShow: true },
      { label: more, description: '', alwaysShow: true },
    ],
    {
      title: vscode.l10n.t('Select an agent'),
      // The chat was opened before, and may take the focus late.
      ignoreFocusOut: true,
    },
  );
  if (picked?.label !== add && picked?.label !== more) return picked?.label;
  if (picked.label === add) await addAgent();
  else await vscode.commands.executeCommand(Command.installAgent);
  return undefined;
}
