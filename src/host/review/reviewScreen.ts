import { basename } from 'node:path';
import * as vscode from 'vscode';
import { unlinked } from '../unlinked';
import type { ChangeScope } from '../../core/review/changes';
import type { PendingIndex } from './pendingIndex';
import { baseUri, emptyUri, type ReviewDocuments, type Preview } from './reviewDocuments';
import type { PlannedFile, Purpose, Remark, ReviewScreen, Trouble } from './reviewPorts';
import { problemText, question, remarkText } from './reviewTexts';

const { t } = vscode.l10n;

/** Diffs, questions and messages of a review in the window of VS Code. */
export class EditorScreen implements ReviewScreen {
  constructor(
    private readonly documents: ReviewDocuments,
    private readonly index: () => PendingIndex,
  ) {}

  async open(key: string, scope: ChangeScope, paths: readonly string[]): Promise<void> {
    const pairs = paths.map((path) => ({ path, ...this.sides(key, scope, path) }));
    const [only] = pairs;
    if (only && pairs.length === 1) return showDiff(only.old, only.now, reviewTitle(only.path));
    await showAll(t('Changes by the agent'), pairs);
  }

  async confirm(purpose: Purpose, files: readonly PlannedFile[]): Promise<boolean> {
    const { title, detail, yes } = question(purpose, files);
    const close = await showPreview(this.documents.preview(files));
    try {
      return (await vscode.window.showWarningMessage(title, { modal: true, detail }, yes)) === yes;
    } finally {
      await close();
    }
  }

  async resolve(file: PlannedFile): Promise<'keep' | 'earlier' | undefined> {
    const preview = this.documents.preview([file]);
    let close: () => Promise<void> = () => {
      preview.dispose();
      return Promise.resolve();
    };
    try {
      for (;;) {
        const answer = await askConflict(file);
        if (answer !== 'show') return answer;
        close = await showPreview(preview);
      }
    } finally {
      await close();
    }
  }

  tell(remark: Remark): void {
    void vscode.window.showInformationMessage(unlinked(remarkText(remark)));
  }

  tellProblems(problems: readonly { path: string; reason: Trouble }[]): void {
    void vscode.window.showWarningMessage(unlinked(problemText(problems)));
  }

  tellUndone(count: number, redo: () => Promise<void>): void {
    const message =
      count === 1 ? t('The turn is undone in 1 file.') : t('The turn is undone in {0} files.', count);
    const again = t('Redo');
    void vscode.window.showInformationMessage(message, again).then((answer) => {
      if (answer === again) return redo();
      return undefined;
    });
  }

  private sides(key: string, scope: ChangeScope, path: string): { old: vscode.Uri; now: vscode.Uri } {
    const steps = this.index().find(path)?.steps;
    const file = vscode.Uri.file(path);
    return {
      old: steps?.[0]?.base === 'absent' ? emptyUri(path) : baseUri(key, scope, path),
      now: steps?.at(-1)?.after === 'absent' ? emptyUri(path) : file,
    };
  }
}

/** The title of a review of one file. */
export function reviewTitle(path: string): string {
  return t('{0} (change by the agent)', basename(path));
}

/** The first choice changes nothing, so that Enter by reflex is harmless. */
async function askConflict({ path, plan }: PlannedFile): Promise<'show' | 'keep' | 'earlier' | undefined> {
  const deletes = plan.kind === 'conflict' && plan.earlier === null;
  const items = [
    { label: t('Show the difference'), answer: 'show' as const },
    { label: t('Keep the file as it is'), answer: 'keep' as const },
    { label: deletes ? t('Delete the file') : t('Take the earlier text'), answer: 'earlier' as const },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: t('{0} was changed since, at the same places.', basename(path)),
    placeHolder: path,
    ignoreFocusOut: true,
  });
  return picked?.answer;
}

/** Shows a preview; what it gives closes it. */
async function showPreview(preview: Preview): Promise<() => Promise<void>> {
  const { pairs } = preview;
  const [first] = pairs;
  const title =
    pairs.length === 1 && first ? t('{0} (preview)', basename(first.path)) : t('Preview of changes');
  if (first && pairs.length === 1) await showDiff(first.old, first.now, title);
  else if (first) await showAll(title, pairs);
  return async () => {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    await vscode.window.tabGroups.close(tabs.filter(({ label }) => label.startsWith(title)));
    preview.dispose();
  };
}

async function showDiff(old: vscode.Uri, now: vscode.Uri, title: string): Promise<void> {
  await vscode.commands.executeCommand('vscode.diff', old, now, title);
}

async function showAll(
  title: string,
  pairs: readonly { path: string; old: vscode.Uri; now: vscode.Uri }[],
): Promise<void> {
  const rows = pairs.map(({ path, old, now }) => [vscode.Uri.file(path), old, now]);
  await vscode.commands.executeCommand('vscode.changes', title, rows);
}
