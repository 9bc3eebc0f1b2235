import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Attachment } from '../../../core/chat/attachment';
import { asList } from '../../../core/json';
import { fileAttachments } from './attachFiles';

interface Chat {
  attach(attachments: Attachment[]): Promise<void>;
}

/** Adds the selected lines of the active editor to the draft, or its file where nothing is selected. */
export async function addSelection(chat: Chat): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.scheme !== 'file') {
    throw new Error(vscode.l10n.t('Open a file in the editor first.'));
  }
  return chat.attach([attachmentOf(editor)]);
}

/** The editor that was last written in; where the chat itself is in front, one that is in sight. */
export function activeEditor(): vscode.TextEditor | undefined {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  const isFile = (editor: vscode.TextEditor | undefined): boolean => editor?.document.uri.scheme === 'file';
  return isFile(activeTextEditor) ? activeTextEditor : visibleTextEditors.find(isFile);
}

/** The selected lines of an editor with a file, or the file where nothing is selected. */
export function attachmentOf({ document, selection }: vscode.TextEditor): Attachment {
  const path = document.uri.fsPath;
  const name = basename(path);
  if (selection.isEmpty) return { kind: 'file', path, name };
  // A selection that ends at the beginning of a line does not hold that line.
  const last = selection.end.character === 0 ? selection.end.line - 1 : selection.end.line;
  const toLine = Math.max(selection.start.line, last) + 1;
  const text = document.getText(selection);
  return { kind: 'selection', path, name, fromLine: selection.start.line + 1, toLine, text };
}

/** Adds files and folders to the draft: those that a menu names, else the file of the active editor. */
export async function addFiles(chat: Chat, uri: unknown, uris: unknown): Promise<void> {
  const named = [uri, ...asList(uris)].filter((item) => item instanceof vscode.Uri);
  const active = vscode.window.activeTextEditor?.document.uri;
  const attachments = await fileAttachments(named.length > 0 ? named : active ? [active] : []);
  if (attachments.length === 0) throw new Error(vscode.l10n.t('Open a file in the editor first.'));
  return chat.attach(attachments);
}
