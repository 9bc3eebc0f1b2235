import * as vscode from 'vscode';
import { lineChanges, splitLines } from '../../core/diff/lineChanges';
import { PATH_RULES } from '../files/boundary';
import type { OpenText } from './workingFiles';

/** The open document of a file; only documents of files count. */
export function findOpenText(path: string): OpenText | undefined {
  const wanted = nameOf(vscode.Uri.file(path));
  const document = vscode.workspace.textDocuments.find(
    ({ uri, isClosed }) => uri.scheme === 'file' && !isClosed && nameOf(uri) === wanted,
  );
  return document && toOpenText(document);
}

const nameOf = ({ fsPath }: vscode.Uri): string => (PATH_RULES.ignoreCase ? fsPath.toLowerCase() : fsPath);

function toOpenText(document: vscode.TextDocument): OpenText {
  const { encoding } = document;
  return {
    get isDirty() {
      return document.isDirty;
    },
    get text() {
      return document.getText();
    },
    get lineEnd() {
      return document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
    },
    decode: async (bytes) => (await vscode.workspace.decode(bytes, { encoding })).replace(/^\uFEFF/, ''),
    encode: (text) => Promise.resolve(vscode.workspace.encode(text, { encoding })),
    replace: (text) => replace(document, text),
    save: () => Promise.resolve(document.save()),
  };
}

/** One edit for each run of lines that differs, so that cursors elsewhere stay; together they are one step of undo. */
async function replace(document: vscode.TextDocument, text: string): Promise<boolean> {
  const now = splitLines(text);
  const edit = new vscode.WorkspaceEdit();
  for (const { oldStart, oldEnd, newStart, newEnd } of lineChanges(splitLines(document.getText()), now)) {
    // A line after the last one stands for the end of the document.
    const range = document.validateRange(new vscode.Range(oldStart, 0, oldEnd, 0));
    edit.replace(document.uri, range, now.slice(newStart, newEnd).join(''));
  }
  return edit.size === 0 || vscode.workspace.applyEdit(edit);
}
