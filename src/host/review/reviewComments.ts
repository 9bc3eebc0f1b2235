import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Attachment } from '../../core/chat/attachment';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import type { PendingIndex } from './pendingIndex';
import { isReview, keyOf, pathOf } from './reviewDocuments';

const { t } = vscode.l10n;

/** Sends a prompt to a session, behind the turn that runs; `taken` is told when the session has it. Rejects with a sentence. */
export type Ask = (
  key: string,
  prompt: { text: string; attachments: Attachment[] },
  taken: () => void,
) => Promise<unknown>;

/** Comments on lines under review; each becomes the next prompt of the session that changed the file. */
export class ReviewComments implements Disposable {
  private readonly scope = new DisposableStore();
  private readonly threads = new Set<vscode.CommentThread>();

  constructor(
    private readonly index: PendingIndex,
    private readonly ask: Ask,
  ) {
    const controller = this.scope.add(
      vscode.comments.createCommentController('parley-review', t('Ask the agent')),
    );
    controller.options = {
      prompt: t('Ask the agent about these lines'),
      placeHolder: t('Why this? Or say what should be different.'),
    };
    controller.commentingRangeProvider = {
      provideCommentingRanges: (document) =>
        this.sessionOf(document.uri) === undefined
          ? []
          : [new vscode.Range(0, 0, Math.max(0, document.lineCount - 1), 0)],
    };
    this.scope.add(index.onDidChange(() => this.tidy()));
  }

  /** Sends what the person wrote below a thread. */
  async send({ thread, text }: vscode.CommentReply): Promise<void> {
    const key = this.sessionOf(thread.uri);
    if (text.trim() === '') return;
    if (key === undefined) throw new Error(t('This file does not wait for a review any more.'));
    this.threads.add(thread);
    const body = new vscode.MarkdownString().appendText(text);
    const comment: vscode.Comment = { body, mode: vscode.CommentMode.Preview, author: { name: t('You') } };
    thread.comments = [...thread.comments, comment];
    thread.label = t('Sent to the agent');
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    const prompt = { text: promptText(thread, text), attachments: [await selectionOf(thread)] };
    let isTaken = false;
    try {
      await this.ask(key, prompt, () => (isTaken = true));
    } catch (error) {
      // A turn that fails says so in the chat.
      if (isTaken) return;
      thread.label = t('Not sent');
      throw error;
    }
  }

  remove(thread: vscode.CommentThread): void {
    this.threads.delete(thread);
    thread.dispose();
  }

  dispose(): void {
    for (const thread of this.threads) thread.dispose();
    this.scope.dispose();
  }

  private sessionOf(uri: vscode.Uri): string | undefined {
    if (uri.scheme !== 'file' && !isReview(uri)) return undefined;
    return keyOf(uri) ?? (uri.scheme === 'file' ? this.index.find(uri.fsPath)?.key : undefined);
  }

  private tidy(): void {
    for (const thread of this.threads) if (!this.index.find(pathOf(thread.uri))) this.remove(thread);
  }
}

function promptText({ uri }: vscode.CommentThread, text: string): string {
  if (!isReview(uri)) return text;
  return `${text}\n\n${t('(These lines are of the earlier text of {0}, before you changed it.)', basename(pathOf(uri)))}`;
}

/** The commented lines as they stand in the document. */
async function selectionOf({ uri, range }: vscode.CommentThread): Promise<Attachment> {
  const document = await vscode.workspace.openTextDocument(uri);
  const from = range?.start.line ?? 0;
  const to = range?.end.line ?? from;
  const path = pathOf(uri);
  return {
    kind: 'selection',
    path,
    name: basename(path),
    fromLine: from + 1,
    toLine: to + 1,
    text: document.getText(document.validateRange(new vscode.Range(from, 0, to, Number.MAX_SAFE_INTEGER))),
  };
}
