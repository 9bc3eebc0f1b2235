import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Disposable } from '../../core/lifecycle';
import type { FolderPort } from './folderWatch';

/** The editor's side of the change tracker. */
export const vscodeFolders: FolderPort = {
  watch: (folder, onEvent) => {
    const pattern = new vscode.RelativePattern(vscode.Uri.file(folder), '**/*');
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const tell = ({ fsPath }: vscode.Uri): void => onEvent(fsPath);
    return vscode.Disposable.from(
      watcher,
      watcher.onDidCreate(tell),
      watcher.onDidChange(tell),
      watcher.onDidDelete(tell),
    );
  },
  onDidSave: (listener) => savesOfPerson(listener),
  unsavedBytes: async (place) => {
    const document = await unsavedDocument(place);
    return document && bytesOf(document);
  },
};

/** Also one that was opened by another path to the same file. */
async function unsavedDocument(place: {
  path: string;
  real: string;
}): Promise<vscode.TextDocument | undefined> {
  const unsaved = vscode.workspace.textDocuments.filter(
    ({ uri, isDirty }) => uri.scheme === 'file' && isDirty,
  );
  const named = unsaved.find(({ uri }) => [place.path, place.real].includes(uri.fsPath));
  if (named) return named;
  for (const document of unsaved) {
    if ((await realpath(document.uri.fsPath).catch(() => undefined)) === place.real) return document;
  }
  return undefined;
}

async function bytesOf(document: vscode.TextDocument): Promise<Uint8Array> {
  return vscode.workspace.encode(document.getText(), { encoding: document.encoding });
}

function savesOfPerson(listener: (path: string, bytes?: Promise<Uint8Array>) => void): Disposable {
  const tell = (...uris: readonly vscode.Uri[]): void => {
    for (const { scheme, fsPath } of uris) if (scheme === 'file') listener(fsPath);
  };
  return vscode.Disposable.from(
    vscode.workspace.onDidSaveTextDocument((document) => {
      if (document.uri.scheme !== 'file') return;
      // With unsaved changes again it has another text than the file.
      listener(document.uri.fsPath, document.isDirty ? undefined : bytesOf(document));
    }),
    vscode.workspace.onDidSaveNotebookDocument(({ uri }) => tell(uri)),
    vscode.workspace.onDidCreateFiles(({ files }) => tell(...files)),
    vscode.workspace.onDidDeleteFiles(({ files }) => tell(...files)),
    vscode.workspace.onDidRenameFiles(({ files }) =>
      tell(...files.flatMap(({ oldUri, newUri }) => [oldUri, newUri])),
    ),
  );
}
