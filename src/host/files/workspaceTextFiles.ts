import { readFile, realpath, stat, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { lineEndOf, withLineEnd, type LineEnd } from '../../core/files/eol';
import { minimalEdit } from '../../core/files/minimalEdit';
import type { Place } from './boundary';
import { decodeText } from './textCodec';
import type { TextFiles } from './textFiles';

/** ms that a document gets to take over a change on disk. */
const CATCH_UP = 2_000;
const IGNORE_CASE = process.platform === 'win32' || process.platform === 'darwin';

/** Text files through the documents of the editor. */
export class WorkspaceTextFiles implements TextFiles {
  async unsavedText(place: Place): Promise<string | undefined> {
    const document = await openDocument(place);
    return document?.isDirty ? document.getText() : undefined;
  }

  async decode(place: Place, bytes: Uint8Array): Promise<string | undefined> {
    return decodeAs(place.path, bytes, (await openDocument(place))?.encoding);
  }

  async replaceText(place: Place, text: string): Promise<boolean> {
    const document = (await openDocument(place)) ?? (await openFile(place.path));
    if (!document) return false;
    // The mark at the beginning of a file is part of the encoding, not of the text of a document.
    const content = text.replace(/^\uFEFF/, '');
    if (document.isDirty || (await upToDate(document))) await replaceAndSave(document, content);
    else await writeBehind(document, content);
    // An editor that sees no change may not write a file that was deleted meanwhile.
    return exists(place.path);
  }
}

/**
 * The document of a file. Only documents of files count: one of another scheme, such as the committed text, has the same path. Of the
 * unsaved ones also those that were opened by another path to the same file.
 */
async function openDocument({ path, real }: Place): Promise<vscode.TextDocument | undefined> {
  const files = vscode.workspace.textDocuments.filter(
    ({ uri, isClosed }) => uri.scheme === 'file' && !isClosed,
  );
  const named = (wanted: string): vscode.TextDocument | undefined =>
    files.find(({ uri }) => nameOf(uri) === nameOf(vscode.Uri.file(wanted)));
  const found = named(path) ?? named(real);
  if (found) return found;
  for (const document of files.filter(({ isDirty }) => isDirty)) {
    if ((await realpath(document.uri.fsPath).catch(() => undefined)) === real) return document;
  }
  return undefined;
}

const nameOf = ({ fsPath }: vscode.Uri): string => (IGNORE_CASE ? fsPath.toLowerCase() : fsPath);

/** The document of a file, without showing it; undefined for a file that is missing, too large or no text. */
async function openFile(path: string): Promise<vscode.TextDocument | undefined> {
  if (!(await exists(path))) return undefined;
  try {
    return await vscode.workspace.openTextDocument(vscode.Uri.file(path));
  } catch {
    return undefined; // The editor does not take it: it is written without one.
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function decodeAs(path: string, bytes: Uint8Array, encoding?: string): Promise<string | undefined> {
  try {
    const text =
      encoding === undefined
        ? await vscode.workspace.decode(bytes, { uri: vscode.Uri.file(path) })
        : await vscode.workspace.decode(bytes, { encoding });
    return text.replace(/^\uFEFF/, '');
  } catch {
    return decodeText(bytes); // The editor takes it for binary.
  }
}

/**
 * True when a document shows what is on disk. Another program may have changed the file just now; the editor would refuse to save over
 * a change that it has not seen, and an edit would be worked out from an old text.
 */
async function upToDate(document: vscode.TextDocument): Promise<boolean> {
  const path = document.uri.fsPath;
  const same = async (): Promise<boolean> => {
    const bytes = await readFile(path).catch(() => undefined);
    if (!bytes) return true;
    const text = await decodeAs(path, bytes, document.encoding);
    return text !== undefined && withLineEnd(text, '\n') === withLineEnd(document.getText(), '\n');
  };
  if (await same()) return true;
  return new Promise((resolve) => {
    const finish = (answer: boolean): void => {
      clearTimeout(timer);
      changes.dispose();
      resolve(answer);
    };
    const timer = setTimeout(() => finish(false), CATCH_UP);
    const changes = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document) void same().then((caughtUp) => caughtUp && finish(true));
    });
  });
}

async function replaceAndSave(document: vscode.TextDocument, content: string): Promise<void> {
  const before = document.getText();
  const changed = await change(document, withLineEnd(content, documentLineEnd(document)));
  if (!changed && !document.isDirty && (await exists(document.uri.fsPath))) return;
  // Formatting and the like, where the person has it on, may change the text on the way to the disk.
  if (await document.save()) return;
  await change(document, before);
  throw new Error('The editor did not save the document.');
}

/** Writes a file whose document lags behind; the document takes the text over from the disk, still undoable. */
async function writeBehind(document: vscode.TextDocument, content: string): Promise<void> {
  const path = document.uri.fsPath;
  const { encoding } = document;
  const before = (await decodeAs(path, await readFile(path), encoding)) ?? '';
  const text = withLineEnd(content, lineEndOf(before) ?? documentLineEnd(document));
  await writeFile(path, await vscode.workspace.encode(text, { encoding }));
}

const documentLineEnd = ({ eol }: vscode.TextDocument): LineEnd =>
  eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';

/** Makes the text of a document another one by one small edit, which keeps cursors and is undone in one step. */
async function change(document: vscode.TextDocument, after: string): Promise<boolean> {
  const edit = minimalEdit(document.getText(), after);
  if (!edit) return false;
  const range = new vscode.Range(document.positionAt(edit.start), document.positionAt(edit.end));
  const all = new vscode.WorkspaceEdit();
  all.replace(document.uri, range, edit.text);
  if (!(await vscode.workspace.applyEdit(all))) throw new Error('The editor did not take the edit.');
  return true;
}
