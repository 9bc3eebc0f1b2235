import { mkdir } from 'node:fs/promises';
import * as vscode from 'vscode';

/**
 * The folder of a new session: that of the active editor, else the first one of the workspace; without a folder a scratch folder of
 * the extension, so that an agent never gets the home folder by accident.
 */
export async function chooseSessionFolder(scratch: vscode.Uri): Promise<string> {
  const active = vscode.window.activeTextEditor?.document.uri;
  const folder =
    (active && vscode.workspace.getWorkspaceFolder(active)) ?? vscode.workspace.workspaceFolders?.[0];
  if (folder?.uri.scheme === 'file') return folder.uri.fsPath;
  await mkdir(scratch.fsPath, { recursive: true });
  return scratch.fsPath;
}
