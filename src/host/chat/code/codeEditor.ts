import { basename } from 'node:path';
import * as vscode from 'vscode';
import { minimalEdit } from '../../../core/files/minimalEdit';
import { unlinked } from '../../unlinked';
import type { CodeChange, CodeEditor, CodeTarget } from './codeActions';
import type { LastEditor } from './lastEditor';
import { isWritable } from './writable';

/** Scheme of the texts that a preview of a code block shows; they have the path of their file, so that its language is known. */
const SCHEME = 'parley-code';

const { t } = vscode.l10n;

/** Code blocks in the window of VS Code. */
export class VSCodeCodeEditor implements CodeEditor, vscode.TextDocumentContentProvider {
  /** The texts of the previews that are open, by their ids. */
  private readonly texts = new Map<string, string>();
  private next = 1;

  constructor(private readonly last: LastEditor<vscode.TextEditor>) {}

  register(): vscode.Disposable {
    return vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.query) ?? '';
  }

  activeFile(): string | undefined {
    const uri = this.textEditor()?.document.uri;
    return uri?.scheme === 'file' ? uri.fsPath : undefined;
  }

  async insert(text: string): Promise<void> {
    const editor = this.textEditor();
    if (!editor) throw new Error(t('Open a file and put the cursor where the code should go.'));
    const done = await editor.edit((edit) => {
      for (const selection of editor.selections) edit.replace(selection, text);
    });
    if (!done) throw new Error(t("{0} can't be changed.", basename(editor.document.uri.path)));
    const column = editor.viewColumn;
    await vscode.window.showTextDocument(editor.document, column === undefined ? {} : { viewColumn: column });
  }

  async choose(targets: readonly CodeTarget[]): Promise<string | undefined> {
    const other = { label: t('Another file…'), path: undefined };
    const items = [...targets.map(rowOf), other];
    const picked = await vscode.window.showQuickPick(items, { title: t('Apply the code to which file?') });
    if (picked !== other) return picked?.path;
    const [uri] = (await vscode.window.showOpenDialog({ openLabel: t('Choose') })) ?? [];
    return uri?.fsPath;
  }

  async read(path: string): Promise<string | undefined> {
    const uri = vscode.Uri.file(path);
    const found = await Promise.resolve(vscode.workspace.fs.stat(uri)).catch(() => undefined);
    if (!found) return undefined;
    try {
      return (await vscode.workspace.openTextDocument(uri)).getText();
    } catch (error) {
      throw new Error(t("The file {0} can't be opened.", path), { cause: error });
    }
  }

  async confirm({ path, before, after, outside }: CodeChange): Promise<boolean> {
    const [old, now] = [this.preview(path, before ?? ''), this.preview(path, after)];
    const name = basename(path);
    const title = t('{0} (preview of the code)', name);
    await vscode.commands.executeCommand('vscode.diff', old, now, title, { preview: true });
    const question =
      before === undefined ? t('Create {0} with the code?', name) : t('Apply the code to {0}?', name);
    const where = outside ? [t('{0} is outside the folders of this session.', path)] : [];
    const yes = t('Apply');
    const no = t('Discard');
    try {
      // Not modal, so that the person can look at the difference; Enter alone reaches no button, and closing it means no.
      const show = outside ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
      return (await show(unlinked([question, ...where].join(' ')), yes, no)) === yes;
    } finally {
      await closeTabs(now);
      for (const uri of [old, now]) this.texts.delete(uri.query);
    }
  }

  async write({ path, before, after }: CodeChange): Promise<void> {
    const uri = vscode.Uri.file(path);
    if ((await this.read(path)) !== before)
      throw new Error(t('{0} was changed meanwhile. Apply the code again.', basename(path)));
    const edit = new vscode.WorkspaceEdit();
    if (before === undefined) {
      edit.createFile(uri, { contents: new TextEncoder().encode(after) });
    } else {
      const document = await vscode.workspace.openTextDocument(uri);
      const change = minimalEdit(before, after);
      if (!change) return;
      const range = new vscode.Range(document.positionAt(change.start), document.positionAt(change.end));
      edit.replace(uri, range, change.text);
    }
    if (!(await vscode.workspace.applyEdit(edit)))
      throw new Error(t("{0} can't be changed.", basename(path)));
    await vscode.window.showTextDocument(uri, { preview: false });
  }

  tellSame(path: string): void {
    void vscode.window.showInformationMessage(unlinked(t('{0} has this code already.', basename(path))));
  }

  async offerInsert(path: string): Promise<boolean> {
    const insert = t('Insert at cursor');
    const message = t('It is not clear where in {0} the code belongs.', basename(path));
    return (await vscode.window.showInformationMessage(unlinked(message), insert)) === insert;
  }

  private textEditor(): vscode.TextEditor | undefined {
    const { activeTextEditor: active, visibleTextEditors: visible } = vscode.window;
    return this.last.choose({ active, visible, isWritable });
  }

  private preview(path: string, text: string): vscode.Uri {
    const query = String(this.next++);
    this.texts.set(query, text);
    return vscode.Uri.from({ scheme: SCHEME, path: vscode.Uri.file(path).path, query });
  }
}

function rowOf({ path, why, exists, outside }: CodeTarget): vscode.QuickPickItem & { path: string } {
  const notes = [
    why === 'open' ? t('open file') : t('named by the code block'),
    ...(exists === false ? [t('new file')] : []),
    ...(outside ? [t('outside the folders of this session')] : []),
  ];
  return {
    label: basename(path),
    description: notes.join(', '),
    detail: vscode.workspace.asRelativePath(path),
    path,
  };
}

async function closeTabs(shown: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  await vscode.window.tabGroups.close(
    tabs.filter(
      ({ input }) =>
        input instanceof vscode.TabInputTextDiff && input.modified.toString() === shown.toString(),
    ),
  );
}
