import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Attachment } from '../../../core/chat/attachment';
import type { MentionItem, SymbolPlace } from '../../../core/chat/mentions';

/** Most symbols that are taken of one answer. */
const MAX_SYMBOLS = 2_000;

type Found = vscode.DocumentSymbol | vscode.SymbolInformation;

/** The symbols of a file, with those inside others after them. */
export async function documentSymbols(uri: vscode.Uri): Promise<MentionItem[]> {
  const file = vscode.workspace.asRelativePath(uri);
  return (await flatSymbols(uri)).map(({ name, kind, container, at }) =>
    itemOf({ name, kind, place: container === '' ? file : `${container} · ${file}`, uri, at }),
  );
}

/** The symbols of the workspace that the language services find for a name. */
export async function workspaceSymbols(query: string): Promise<MentionItem[]> {
  const found = await vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
    'vscode.executeWorkspaceSymbolProvider',
    query,
  );
  return (found ?? [])
    .filter(({ location }) => location.uri.scheme === 'file')
    .slice(0, MAX_SYMBOLS)
    .map(({ name, kind, containerName, location: { uri, range } }) => {
      const file = vscode.workspace.asRelativePath(uri);
      const place = containerName ? `${containerName} · ${file}` : file;
      // The command may give a place without its range, until somebody asks for it.
      const at = (range as vscode.Range | undefined)?.start ?? new vscode.Position(0, 0);
      return itemOf({ name, kind, place, uri, at });
    });
}

/** The lines of a symbol, as they stand in the editor. Rejects where the file can't be read. */
export async function symbolLines({ path, name, line, column }: SymbolPlace): Promise<Attachment> {
  const uri = vscode.Uri.file(path);
  const document = await vscode.workspace.openTextDocument(uri);
  const at = document.validatePosition(new vscode.Position(line - 1, column - 1));
  const wanted = bareName(name);
  const around = (await flatSymbols(uri)).filter(
    (symbol) => bareName(symbol.name) === wanted && symbol.range.contains(at),
  );
  // The last is the innermost.
  const range = around.at(-1)?.range ?? new vscode.Range(at, at);
  const last = range.isSingleLine || range.end.character > 0 ? range.end.line : range.end.line - 1;
  const text = document.getText(new vscode.Range(range.start.line, 0, last + 1, 0)).replace(/\r?\n$/, '');
  const lines = { fromLine: range.start.line + 1, toLine: last + 1 };
  return { kind: 'selection', path, name: basename(path), ...lines, text };
}

interface FlatSymbol {
  name: string;
  kind: vscode.SymbolKind;
  container: string;
  /** Where its name stands. */
  at: vscode.Position;
  range: vscode.Range;
}

async function flatSymbols(uri: vscode.Uri): Promise<FlatSymbol[]> {
  const found = await vscode.commands.executeCommand<Found[] | undefined>(
    'vscode.executeDocumentSymbolProvider',
    uri,
  );
  const flat: FlatSymbol[] = [];
  const add = (symbol: Found, container: string): void => {
    if (flat.length >= MAX_SYMBOLS) return;
    const { name, kind } = symbol;
    if ('location' in symbol) {
      const { range } = symbol.location;
      flat.push({ name, kind, container: symbol.containerName, at: range.start, range });
      // The editor gives objects that have both shapes.
      if (!('children' in symbol)) return;
    } else flat.push({ name, kind, container, at: symbol.selectionRange.start, range: symbol.range });
    for (const child of (symbol as vscode.DocumentSymbol).children) add(child, name);
  };
  for (const symbol of found ?? []) add(symbol, '');
  return flat;
}

interface ItemParts {
  name: string;
  kind: vscode.SymbolKind;
  place: string;
  uri: vscode.Uri;
  at: vscode.Position;
}

function itemOf({ name, kind, place, uri, at }: ItemParts): MentionItem {
  const where = { path: uri.fsPath, line: at.line + 1, column: at.character + 1 };
  return { kind: 'symbol', name, place, icon: iconOf(kind), ...where };
}

/** The codicon of a kind of symbol: `symbol-` and its name in the editor, such as `symbol-enum-member`. */
function iconOf(kind: vscode.SymbolKind): string {
  const name = (vscode.SymbolKind[kind] as string | undefined) ?? 'Misc';
  return `symbol-${name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()}`;
}

/** Without the parentheses that some language services put after the name of a function. */
function bareName(name: string): string {
  return name.replace(/\(.*$/s, '');
}
