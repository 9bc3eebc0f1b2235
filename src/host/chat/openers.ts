import { stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import * as vscode from 'vscode';
import { asObject } from '../../core/json';
import type { DiffStore } from '../session/diffTexts';

const DIFF_SCHEME = 'parley-diff';

/** Opens what agents refer to: files, diffs, links. Nothing here runs a command or leaves the allowed schemes. */
export class Openers implements vscode.TextDocumentContentProvider {
  constructor(
    private readonly diffs: DiffStore,
    private readonly cwd: () => string | null,
  ) {}

  register(): vscode.Disposable {
    return vscode.workspace.registerTextDocumentContentProvider(DIFF_SCHEME, this);
  }

  /** `parley-diff:/path?ref=…&side=old|new` gives the texts as the agent sent them. */
  provideTextDocumentContent(uri: vscode.Uri): string {
    const query = new URLSearchParams(uri.query);
    const diff = this.diffs.find(query.get('ref') ?? '');
    return (query.get('side') === 'old' ? diff?.oldText : diff?.newText) ?? '';
  }

  /**
   * Opens a file, or shows a folder in the explorer.
   *
   * @param line 1-based.
   */
  async openFile(path: string, line: number | undefined): Promise<void> {
    const uri = vscode.Uri.file(isAbsolute(path) ? path : resolve(this.cwd() ?? '/', path));
    const at = Math.max(0, (line ?? 1) - 1);
    try {
      await vscode.window.showTextDocument(uri, { selection: new vscode.Range(at, 0, at, 0) });
    } catch (error) {
      if (await isFolder(uri.fsPath)) {
        await vscode.commands.executeCommand('revealInExplorer', uri);
        return;
      }
      const text = (await isMissing(uri.fsPath))
        ? vscode.l10n.t(
            'There is no file {0}. It may have been moved or deleted, or never have been written.',
            uri.fsPath,
          )
        : vscode.l10n.t("The file {0} can't be opened.", uri.fsPath);
      throw new Error(text, { cause: error });
    }
  }

  /** Shows a text that stands in no file, beside the files. */
  async openText(content: string, language = 'plaintext'): Promise<void> {
    const document = await vscode.workspace.openTextDocument({ content, language });
    await vscode.window.showTextDocument(document, { preview: true });
  }

  async openDiff(ref: string): Promise<void> {
    const diff = this.diffs.find(ref);
    if (!diff) throw new Error(vscode.l10n.t('This diff is no longer kept.'));
    const side = (name: string): vscode.Uri =>
      vscode.Uri.from({
        scheme: DIFF_SCHEME,
        path: vscode.Uri.file(diff.path).path,
        query: new URLSearchParams({ ref, side: name }).toString(),
      });
    const name = diff.path.split(/[\\/]/).at(-1) ?? diff.path;
    await vscode.commands.executeCommand(
      'vscode.diff',
      side('old'),
      side('new'),
      vscode.l10n.t('{0} (change by the agent)', name),
    );
  }

  async openLink(href: string): Promise<void> {
    const uri = vscode.Uri.parse(href);
    if (!['http', 'https', 'mailto'].includes(uri.scheme))
      throw new Error(vscode.l10n.t('Links of this kind are not opened.'));
    await openAsWritten(href);
  }
}

async function isMissing(path: string): Promise<boolean> {
  return stat(path).then(
    () => false,
    (error: unknown) => ['ENOENT', 'ENOTDIR'].includes(String(asObject(error)['code'])),
  );
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/**
 * Opens an address in the person's browser, letter by letter as it was shown. A `Uri` would be decoded and encoded anew, which changes
 * escapes in a query; VS Code takes a text as well, though its types don't say so.
 */
export async function openAsWritten(href: string): Promise<boolean> {
  return vscode.env.openExternal(href as unknown as vscode.Uri);
}
