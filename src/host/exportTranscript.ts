import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { SessionState } from '../core/session/state';
import { toJson } from '../core/session/toJson';
import { exportName, toMarkdown } from '../core/session/toMarkdown';
import { pageStrings } from './chat/webviewHtml';

/** ms for which the status bar says that a transcript was copied. */
const SAID_FOR = 3000;

interface Kind {
  label: string;
  description: string;
  extension: string;
  write: (state: SessionState) => string;
}

function hasEntries({ entries }: SessionState): boolean {
  if (entries.length > 0) return true;
  void vscode.window.showInformationMessage(vscode.l10n.t('This session has no messages yet.'));
  return false;
}

/** Puts a session on the clipboard as Markdown. */
export async function copyTranscript(state: SessionState): Promise<void> {
  if (!hasEntries(state)) return;
  await vscode.env.clipboard.writeText(toMarkdown(state, pageStrings()));
  vscode.window.setStatusBarMessage(vscode.l10n.t('The transcript is on the clipboard.'), SAID_FOR);
}

/** Asks how and where a session is to be saved, and saves it. What it throws is a sentence for the person. */
export async function exportTranscript(state: SessionState): Promise<void> {
  if (!hasEntries(state)) return;
  const kinds: Kind[] = [
    {
      label: 'Markdown',
      description: vscode.l10n.t('To read'),
      extension: 'md',
      write: (session) => toMarkdown(session, pageStrings()),
    },
    { label: 'JSON', description: vscode.l10n.t('For programs'), extension: 'json', write: toJson },
  ];
  const kind = await vscode.window.showQuickPick(kinds, {
    title: vscode.l10n.t('How should the transcript be written?'),
  });
  if (!kind) return;
  const folder = vscode.Uri.file(state.cwd ?? homedir());
  const target = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(folder, `${exportName(state)}.${kind.extension}`),
    filters: { [kind.label]: [kind.extension] },
  });
  if (target) await save(target, kind.write(state));
}

async function save(target: vscode.Uri, text: string): Promise<void> {
  try {
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(vscode.l10n.t('The transcript can’t be saved there: {0}', why), { cause: error });
  }
  void offerToOpen(target);
}

async function offerToOpen(target: vscode.Uri): Promise<void> {
  const open = vscode.l10n.t('Open');
  const said = vscode.l10n.t('The transcript is saved: {0}', target.fsPath);
  if ((await vscode.window.showInformationMessage(said, open)) === open)
    await vscode.window.showTextDocument(target);
}
