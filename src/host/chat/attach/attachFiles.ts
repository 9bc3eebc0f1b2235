import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Attachment } from '../../../core/chat/attachment';

/** Files and folders as attachments, each once; what is on no disk is left out. */
export async function fileAttachments(uris: readonly vscode.Uri[]): Promise<Attachment[]> {
  const paths = new Set(uris.filter(({ scheme }) => scheme === 'file').map(({ fsPath }) => fsPath));
  return Promise.all(
    [...paths].map(async (path): Promise<Attachment> => {
      const isFolder = ((await typeOf(vscode.Uri.file(path))) & vscode.FileType.Directory) !== 0;
      return { kind: isFolder ? 'folder' : 'file', path, name: basename(path) };
    }),
  );
}

/** True for what is there. */
export async function exists(uri: vscode.Uri): Promise<boolean> {
  return typeOf(uri).then((type) => type !== vscode.FileType.Unknown);
}

async function typeOf(uri: vscode.Uri): Promise<vscode.FileType> {
  try {
    return (await vscode.workspace.fs.stat(uri)).type;
  } catch {
    // It is gone, which the agent will say where it matters.
    return vscode.FileType.Unknown;
  }
}
