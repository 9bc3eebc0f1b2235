import * as vscode from 'vscode';
import type { PermissionRequest } from '../bridges/permissionBridge';
import { oneLine, questionTitle } from './questionText';

const { t } = vscode.l10n;

interface WaitingPermissions {
  /** Oldest first. */
  waiting(): PermissionRequest[];
}

/** Who asks, by the key of the session. */
type Asker = (key: string) => string;

/** Lets the person choose where several wait; undefined where none does, or none is chosen. */
export async function chooseWaiting(
  permissions: WaitingPermissions,
  asker: Asker,
): Promise<PermissionRequest | undefined> {
  const waiting = permissions.waiting();
  if (waiting.length < 2) return waiting[0];
  const rows = waiting.map((request) => ({
    label: questionTitle(request.topic).replaceAll('$(', '\\$('),
    detail: oneLine(asker(request.key)).replaceAll('$(', '\\$('),
    request,
  }));
  const title = t('Which permission? Nothing is decided by the choice.');
  return (await vscode.window.showQuickPick(rows, { title }))?.request;
}
