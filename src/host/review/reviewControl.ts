import { basename } from 'node:path';
import * as vscode from 'vscode';
import { MutableDisposable, DisposableStore, type Disposable } from '../../core/lifecycle';
import { ContextKey } from '../contributions';
import type { IndexedFile, PendingIndex } from './pendingIndex';
import { baseUri, emptyUri, keyOf, pathOf } from './reviewDocuments';
import { reviewTitle } from './reviewScreen';

const { t } = vscode.l10n;

/** Shows what waits for a review beside the text in the editor and in the view of source control, as long as something does. */
export class ReviewControl implements Disposable {
  private readonly scope = new DisposableStore();
  private readonly shown = this.scope.add(new MutableDisposable<ChangedFiles>());
  private reviewing: boolean | undefined;

  constructor(private readonly index: PendingIndex) {
    this.scope.add(index.onDidChange(() => this.refresh()));
    this.scope.add(vscode.window.tabGroups.onDidChangeTabs(() => this.refreshContext()));
    this.scope.add(vscode.window.tabGroups.onDidChangeTabGroups(() => this.refreshContext()));
    this.refresh();
  }

  dispose(): void {
    this.scope.dispose();
  }

  private refresh(): void {
    const files = this.index.files();
    if (files.length === 0) this.shown.value = undefined;
    else (this.shown.value ??= new ChangedFiles(this.index)).show(files);
    this.refreshContext();
  }

  private refreshContext(): void {
    const reviewing = shownPaths().some((path) => this.index.find(path) !== undefined);
    if (reviewing === this.reviewing) return;
    this.reviewing = reviewing;
    void vscode.commands.executeCommand('setContext', ContextKey.reviewing, reviewing);
  }
}

/** The file that the active tab shows, also where it is a side of a diff. What a preview shows is no file. */
function shownPaths(): string[] {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const uris =
    input instanceof vscode.TabInputTextDiff
      ? [input.modified, input.original]
      : input instanceof vscode.TabInputText
        ? [input.uri]
        : [];
  return uris.filter((uri) => uri.scheme === 'file' || keyOf(uri) !== undefined).map(pathOf);
}

/** The entry of Parley in the view of source control, whose earlier texts are also what the editor compares with. */
class ChangedFiles implements Disposable {
  private readonly control = vscode.scm.createSourceControl('parley', 'Parley');
  private readonly group = this.control.createResourceGroup('changes', t('Changed by agents'));

  constructor(index: PendingIndex) {
    this.control.inputBox.visible = false;
    this.group.hideWhenEmpty = true;
    this.control.quickDiffProvider = {
      provideOriginalResource: (uri) => {
        const file = uri.scheme === 'file' ? index.find(uri.fsPath) : undefined;
        return file && isText(file) ? baseUri(file.key, 'session', file.path) : undefined;
      },
    };
  }

  show(files: readonly IndexedFile[]): void {
    this.group.resourceStates = files.map(toState);
    this.control.count = files.length;
  }

  dispose(): void {
    this.group.dispose();
    this.control.dispose();
  }
}

/** Whether there is an earlier text to compare with. */
function isText({ steps }: IndexedFile): boolean {
  return typeof steps[0]?.base === 'object' && steps.every(({ binary }) => !binary);
}

function toState(file: IndexedFile): vscode.SourceControlResourceState {
  const { key, path, steps } = file;
  const resourceUri = vscode.Uri.file(path);
  const added = steps[0]?.base === 'absent';
  const deleted = steps.at(-1)?.after === 'absent';
  const old = added ? emptyUri(path) : baseUri(key, 'session', path);
  return {
    resourceUri,
    command: {
      command: 'vscode.diff',
      title: t('Open Changes'),
      arguments: [old, deleted ? emptyUri(path) : resourceUri, reviewTitle(path)],
    },
    decorations: { strikeThrough: deleted, tooltip: tooltip(file, added, deleted) },
  };
}

function tooltip({ path, steps }: IndexedFile, added: boolean, deleted: boolean): string {
  const name = basename(path);
  const what = added
    ? t('{0}: made by the agent', name)
    : deleted
      ? t('{0}: deleted by the agent', name)
      : t('{0}: changed by the agent', name);
  return steps.some(({ shared }) => shared)
    ? `${what}. ${t('Another session ran in the same folder, so it may be its work.')}`
    : what;
}
