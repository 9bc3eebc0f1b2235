import { readFile, realpath, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { withLineEnd, type LineEnd } from '../../core/files/eol';
import { smallEdits } from '../../core/files/smallEdits';
import { PATH_RULES, type Place } from './boundary';
import { decodeText, encodingOf as markedEncoding } from './textCodec';
import type { Replaced, TextEncoding, TextFiles } from './textFiles';

/** ms that a document gets to take over a change on disk. */
const CATCH_UP = 2_000;

/** Text files through the documents of the editor. */
export class WorkspaceTextFiles implements TextFiles {
  async unsavedText(place: Place): Promise<string | undefined> {
    const document = await openDocument(place);
    return document?.isDirty ? document.getText() : undefined;
  }

  async decode(place: Place, bytes: Uint8Array): Promise<string | undefined> {
    return decodeAs(place.path, bytes, (await openDocument(place))?.encoding);
  }

  async encodingOf(place: Place, bytes: Uint8Array): Promise<TextEncoding | undefined> {
    const document = (await openDocument(place)) ?? (await openFile(place.path));
    if (document) return encodingNamed(document.encoding);
    // Too large for a document: the mark tells it, or the setting, unless the editor guesses otherwise.
    const marked = markedEncoding(bytes);
    if (marked === undefined) return undefined;
    const encoding = encodingNamed(marked === 'utf8' ? configuredEncoding(place.path) : marked);
    const text = await encoding.decode(bytes).catch(() => undefined);
    return text !== undefined && text === (await this.decode(place, bytes)) ? encoding : undefined;
  }

  encodingOfNew({ path }: Place): TextEncoding {
    const uri = vscode.Uri.file(path);
    return {
      name: configuredEncoding(path),
      decode: async (bytes) => unmarked(await vscode.workspace.decode(bytes, { uri })),
      encode: async (text) => vscode.workspace.encode(text, { uri }),
    };
  }

  async replaceText(place: Place, expected: string | undefined, text: string): Promise<Replaced> {
    const document = (await openDocument(place)) ?? (await documentOf(place, expected));
    if (!document) return 'unavailable';
    // A document that lags behind takes over from the disk what is written there; still undoable.
    if (!document.isDirty && !(await upToDate(document))) return 'unavailable';
    if (!(await isAsExpected(document, expected))) return 'changed';
    if (!(await replaceAndSave(document, text))) return 'changed';
    // An editor that sees no change may not write a file that was deleted meanwhile.
    return (await exists(place.path)) ? 'written' : 'unavailable';
  }
}

/** Where there was no file, one that can be opened by now is somebody else's. */
const documentOf = async (
  { path }: Place,
  expected: string | undefined,
): Promise<vscode.TextDocument | undefined> => (expected === undefined ? undefined : openFile(path));

async function isAsExpected(document: vscode.TextDocument, expected: string | undefined): Promise<boolean> {
  if (expected !== undefined) return isSameText(document.getText(), expected);
  return !(await exists(document.uri.fsPath)) && !document.isDirty;
}

const isSameText = (a: string, b: string): boolean => withLineEnd(a, '\n') === withLineEnd(b, '\n');

function configuredEncoding(path: string): string {
  return vscode.workspace.getConfiguration('files', vscode.Uri.file(path)).get('encoding', 'utf8');
}

function encodingNamed(encoding: string): TextEncoding {
  return {
    name: encoding,
    decode: async (bytes) => unmarked(await vscode.workspace.decode(bytes, { encoding })),
    encode: async (text) => vscode.workspace.encode(text, { encoding }),
  };
}

/** The mark at the beginning of a file is part of the encoding, not of the text. */
const unmarked = (text: string): string => text.replace(/^\uFEFF/, '');

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

const nameOf = ({ fsPath }: vscode.Uri): string => (PATH_RULES.ignoreCase ? fsPath.toLowerCase() : fsPath);

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
    return unmarked(text);
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
    return text !== undefined && isSameText(text, document.getText());
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

/** False if the person changed the document meanwhile; nothing is changed then. */
async function replaceAndSave(document: vscode.TextDocument, content: string): Promise<boolean> {
  const before = document.getText();
  const after = withLineEnd(content, documentLineEnd(document));
  if (before === after && !document.isDirty && (await exists(document.uri.fsPath))) return true;
  if (!(await change(document, after))) return false;
  // Formatting and the like, where the person has it on, may change the text on the way to the disk.
  if (await save(document)) return true;
  if (document.getText() === after) await change(document, before);
  throw new Error('The editor did not save the document.');
}

async function save(document: vscode.TextDocument): Promise<boolean> {
  try {
    return await document.save();
  } catch {
    return false; // The editor has shown the person why.
  }
}

const documentLineEnd = ({ eol }: vscode.TextDocument): LineEnd =>
  eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';

/**
 * Makes the text of a document another one by small edits, which keep cursors and are undone in one step. False if it changed just now:
 * the editor takes no edit that was worked out from an older text.
 */
async function change(document: vscode.TextDocument, after: string): Promise<boolean> {
  const all = new vscode.WorkspaceEdit();
  const edits = smallEdits(document.getText(), after);
  for (const { start, end, text } of edits)
    all.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), text);
  return edits.length === 0 || vscode.workspace.applyEdit(all);
}
