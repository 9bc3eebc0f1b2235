import * as vscode from 'vscode';

/** Whether a person can write in the text of an editor. */
export function isWritable({ document: { uri } }: vscode.TextEditor): boolean {
  return uri.scheme === 'untitled' || vscode.workspace.fs.isWritableFileSystem(uri.scheme) === true;
}
