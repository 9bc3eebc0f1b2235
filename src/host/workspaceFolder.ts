import { mkdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Place } from './session/sessionController';

/**
 * Where a session works. A session keeps its folder (SE-23). A new one gets that of the active editor; else, in a workspace with
 * several folders, the person is asked, or, where they must not be, gets none for now; without a folder it gets a scratch folder of
 * the extension, so that an agent never gets the home folder by accident. The other folders go along as roots (SE-25).
 */
export async function chooseSessionPlace(
  scratch: vscode.Uri,
  known: string | null,
  ask: boolean,
): Promise<Place | undefined> {
  const folders = localFolders();
  const cwd = known ?? (await chooseFolder(folders, ask));
  if (cwd === undefined) return folders.length === 0 ? scratchPlace(scratch) : undefined;
  return { cwd, others: folders.map(({ path }) => path).filter((path) => path !== cwd) };
}

/** The folder that agents are asked about for their sessions; undefined where there is none. */
export function listFolder(): string | undefined {
  return folderOfEditor() ?? localFolders()[0]?.path;
}

function localFolders(): { name: string; path: string }[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ name, uri }) => ({ name, path: uri.fsPath }));
}

function folderOfEditor(): string | undefined {
  const active = vscode.window.activeTextEditor?.document.uri;
  const folder = active && vscode.workspace.getWorkspaceFolder(active);
  return folder?.uri.scheme === 'file' ? folder.uri.fsPath : undefined;
}

async function chooseFolder(
  folders: readonly { name: string; path: string }[],
  ask: boolean,
): Promise<string | undefined> {
  const ofEditor = folderOfEditor();
  if (ofEditor !== undefined || folders.length <= 1) return ofEditor ?? folders[0]?.path;
  if (!ask) return undefined;
  const picked = await vscode.window.showQuickPick(
    folders.map(({ name, path }) => ({ label: name, description: path, path })),
    { title: vscode.l10n.t('In which folder should the session work?'), ignoreFocusOut: true },
  );
  return picked?.path;
}

async function scratchPlace(scratch: vscode.Uri): Promise<Place> {
  await mkdir(scratch.fsPath, { recursive: true });
  return { cwd: scratch.fsPath, others: [] };
}
