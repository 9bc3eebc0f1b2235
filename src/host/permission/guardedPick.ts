import * as vscode from 'vscode';
import { ReflexGuard } from '../../core/permission/reflexGuard';

/** A row; one without a value only tells something. */
export interface GuardedRow<T> extends vscode.QuickPickItem {
  value?: T;
}

/**
 * A quick pick in which nothing is chosen by a reflex: see `ReflexGuard`. Its first row tells what it is about, and is active at first.
 * The caller shows it.
 */
export function guardedPick<T>(
  told: vscode.QuickPickItem,
  rows: readonly (vscode.QuickPickItem & { value: T })[],
  choose: (value: T) => void,
): vscode.QuickPick<GuardedRow<T>> {
  const pick = vscode.window.createQuickPick<GuardedRow<T>>();
  const first: GuardedRow<T> = { ...told, alwaysShow: true };
  pick.items = [first, ...rows.map((row) => ({ ...row, alwaysShow: true }))];
  pick.activeItems = [first];
  // A question must not vanish because something else took the focus.
  pick.ignoreFocusOut = true;
  const guard = new ReflexGuard();
  let active: GuardedRow<T> | undefined = first;
  pick.onDidChangeValue((value) => {
    guard.filterChanged(value, Date.now());
    if (value === '') return;
    pick.value = '';
    pick.activeItems = [first];
  });
  pick.onDidChangeActive(([row]) => {
    active = row;
    guard.activeChanged(row?.value !== undefined, Date.now());
  });
  pick.onDidChangeSelection(([row]) => {
    // Enter selects the active row; another one was clicked, and is told as active only afterwards.
    if (row && row !== active) guard.activeChanged(row.value !== undefined, Date.now());
  });
  pick.onDidAccept(() => {
    const [row] = pick.selectedItems;
    if (row?.value !== undefined && guard.accepts(Date.now())) choose(row.value);
    // A row that stays selected would not take another click.
    else pick.selectedItems = [];
  });
  guard.shown(Date.now());
  return pick;
}
