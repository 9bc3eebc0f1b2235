import { basename } from 'node:path';
import * as vscode from 'vscode';
import { addedProblemText, type AddedProblem } from '../../../core/chat/addedText';
import type { Attachment } from '../../../core/chat/attachment';
import { asList, compact } from '../../../core/json';
import { Command } from '../../contributions';

const { QuickFix } = vscode.CodeActionKind;

/** Offers to add the problems at the cursor to the chat, among the fixes of the editor. Adding sends nothing. */
export function registerProblemActions(): vscode.Disposable {
  const provider: vscode.CodeActionProvider = {
    provideCodeActions({ uri }, _range, { diagnostics }) {
      if (diagnostics.length === 0) return [];
      const title = vscode.l10n.t('Add to Parley chat');
      const action = new vscode.CodeAction(title, QuickFix);
      action.diagnostics = [...diagnostics];
      action.command = { title, command: Command.addProblem, arguments: [uri, diagnostics] };
      return [action];
    },
  };
  return vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, provider, {
    providedCodeActionKinds: [QuickFix],
  });
}

/** The named problems of a file as an attachment, by default those at the cursor. Rejects with a sentence where there are none. */
export async function problemAttachment(uri: unknown, named: unknown): Promise<Attachment> {
  const editor = vscode.window.activeTextEditor;
  const target = uri instanceof vscode.Uri ? uri : editor?.document.uri;
  const given = asList(named).filter((item) => item instanceof vscode.Diagnostic);
  const found = given.length > 0 || !editor ? given : atCursor(editor);
  const [first] = found;
  if (target?.scheme !== 'file' || !first)
    throw new Error(vscode.l10n.t('There is no problem at the cursor. Put it on one in the editor.'));
  const document = await vscode.workspace.openTextDocument(target);
  const text = addedProblemText(found.map(readProblem), {
    path: vscode.workspace.asRelativePath(target),
    lineCount: document.lineCount,
    lineAt: (line) => document.lineAt(line - 1).text,
  });
  const place = `${basename(target.fsPath)}:${first.range.start.line + 1}`;
  return { kind: 'text', name: vscode.l10n.t('Problem in {0}', place), text };
}

/** On the lines of the selection; the nearest ranges are as good as the exact ones for a person with a keyboard. */
function atCursor({ document, selection }: vscode.TextEditor): vscode.Diagnostic[] {
  const lines = new vscode.Range(selection.start.line, 0, selection.end.line, Number.MAX_SAFE_INTEGER);
  return vscode.languages.getDiagnostics(document.uri).filter(({ range }) => lines.intersection(range));
}

const SEVERITIES: Record<vscode.DiagnosticSeverity, AddedProblem['severity']> = {
  [vscode.DiagnosticSeverity.Error]: 'error',
  [vscode.DiagnosticSeverity.Warning]: 'warning',
  [vscode.DiagnosticSeverity.Information]: 'info',
  [vscode.DiagnosticSeverity.Hint]: 'hint',
};

function readProblem({ range, severity, message, source, code }: vscode.Diagnostic): AddedProblem {
  const { start, end } = range;
  const value = typeof code === 'object' ? code.value : code;
  return {
    line: start.line + 1,
    column: start.character + 1,
    toLine: end.line + 1,
    severity: SEVERITIES[severity],
    message,
    ...compact({ source, code: value === undefined ? undefined : String(value) }),
  };
}
