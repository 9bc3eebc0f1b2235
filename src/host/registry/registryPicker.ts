import * as vscode from 'vscode';
import type { StoreRow } from './agentStore';

const { t } = vscode.l10n;

export type RowAction = 'install' | 'update' | 'open' | 'rollBack' | 'remove';

/** What a person wants with an agent of the list. */
export interface RowChoice {
  row: StoreRow;
  action: RowAction;
}

/** The list as it is shown. */
export interface ShownList {
  rows: StoreRow[];
  /** How old it is. */
  note: string;
}

type ActionButton = vscode.QuickInputButton & { action: RowAction };
type Item = vscode.QuickPickItem & { row?: StoreRow };

const refreshButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('refresh'),
  tooltip: t('Look for new versions now'),
};

/**
 * Shows the agents of the registry, and gives what the person chose.
 *
 * @param read gives the list; true asks the network whatever its age. What it throws goes to `failed`, and the list closes.
 */
export async function pickFromRegistry(
  read: (anew: boolean, signal: AbortSignal) => Promise<ShownList>,
  failed: (error: unknown) => void,
): Promise<RowChoice | undefined> {
  const picker = vscode.window.createQuickPick<Item>();
  picker.title = t('Agents of the ACP registry');
  picker.buttons = [refreshButton];
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.ignoreFocusOut = true;
  const reading = new AbortController();
  const load = async (anew: boolean): Promise<void> => {
    picker.busy = true;
    picker.placeholder = t('Reading the registry…');
    try {
      const { rows, note } = await read(anew, reading.signal);
      picker.items = itemsOf(rows);
      picker.placeholder = note;
    } catch (error) {
      if (!reading.signal.aborted) failed(error);
      picker.hide();
    } finally {
      picker.busy = false;
    }
  };
  const chosen = new Promise<RowChoice | undefined>((resolve) => {
    picker.onDidAccept(() => {
      const row = picker.selectedItems[0]?.row;
      if (row) resolve(chooseAction(row));
    });
    picker.onDidTriggerItemButton(({ button, item }) => {
      if (item.row) resolve({ row: item.row, action: (button as ActionButton).action });
    });
    picker.onDidTriggerButton(() => void load(true));
    picker.onDidHide(() => resolve(undefined));
  });
  picker.show();
  void load(false);
  const choice = await chosen;
  reading.abort();
  picker.dispose();
  return choice;
}

/** By keyboard everything is in a second list; an agent that is not installed has only one thing to do. */
async function chooseAction(row: StoreRow): Promise<RowChoice | undefined> {
  const actions = actionsOf(row);
  if (!row.installed) return { row, action: 'install' };
  const items = actions.map((action) => ({ label: actionText(action, row), action }));
  const picked = await vscode.window.showQuickPick(items, { title: row.name, ignoreFocusOut: true });
  return picked && { row, action: picked.action };
}

function actionsOf({ installed, update }: StoreRow): RowAction[] {
  if (!installed) return ['install'];
  return [
    ...(update ? (['update'] as const) : []),
    'open',
    ...(installed.previous ? (['rollBack'] as const) : []),
    'remove',
  ];
}

function actionText(action: RowAction, { offered, installed }: StoreRow): string {
  switch (action) {
    case 'install':
      return t('Install {0}', offered?.version ?? '');
    case 'update':
      return t('Update to {0}', offered?.version ?? '');
    case 'open':
      return t('Open a session');
    case 'rollBack':
      return t('Go back to {0}', installed?.previous?.version ?? '');
    case 'remove':
      return t('Remove');
  }
}

const ICONS: Readonly<Partial<Record<RowAction, string>>> = {
  update: 'arrow-circle-up',
  rollBack: 'discard',
  remove: 'trash',
};

function itemsOf(rows: readonly StoreRow[]): Item[] {
  const installed = rows.filter((row) => row.installed);
  const others = rows.filter((row) => !row.installed);
  const part = (label: string, some: readonly StoreRow[]): Item[] =>
    some.length > 0 ? [{ label, kind: vscode.QuickPickItemKind.Separator }, ...some.map(itemOf)] : [];
  return [...part(t('Installed'), installed), ...part(t('Available'), others)];
}

function itemOf(row: StoreRow): Item {
  const { offered, installed, update } = row;
  const buttons = actionsOf(row).flatMap((action): ActionButton[] => {
    const icon = ICONS[action];
    return icon === undefined
      ? []
      : [{ iconPath: new vscode.ThemeIcon(icon), tooltip: actionText(action, row), action }];
  });
  const facts = [
    installed?.current.version ?? offered?.version ?? '',
    ...(update ? [t('update to {0}', offered?.version ?? '')] : []),
    kindText(row),
    ...(offered?.license === undefined ? [] : [offered.license]),
  ];
  return {
    // `$(…)` in a name would be an icon.
    label: plainLabel(row.name),
    description: plainLabel(facts.join(' · ')),
    detail: plainLabel(offered?.description ?? t('The registry no longer has this agent.')),
    buttons,
    row,
  };
}

function kindText({ installed, distribution }: StoreRow): string {
  switch (installed?.current.kind ?? distribution?.kind) {
    case 'binary':
      return t('program');
    case 'npx':
      return t('npm package');
    case 'uvx':
      return t('Python package');
    default:
      return t('not for this platform');
  }
}

const plainLabel = (text: string): string => text.replaceAll('$(', '$\u200b(');
