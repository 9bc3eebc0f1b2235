import * as vscode from 'vscode';
import type { LineSpan } from '../../core/review/hunks';
import type { Handler } from '../commands';
import { Command } from '../contributions';
import type { IndexedFile, PendingIndex } from './pendingIndex';
import type { Review } from './review';
import type { ReviewComments } from './reviewComments';
import { isReview, pathOf } from './reviewDocuments';

/** A change as the menu of VS Code's own diff in the editor hands it over; lines from 1, an end of 0 where lines were removed. */
interface EditorChange {
  modifiedStartLineNumber: number;
  modifiedEndLineNumber: number;
}

export interface ReviewCommandParts {
  review: Review;
  index: PendingIndex;
  comments: ReviewComments;
  /** Parley's key of the session that the panel shows. */
  shown: () => string;
}

/** The commands of a review, for the palette, the editor and the view of source control. */
export function reviewHandlers({
  review,
  index,
  comments,
  shown,
}: ReviewCommandParts): Record<string, Handler> {
  const eachFile =
    (act: (key: string, path: string) => Promise<void>): Handler =>
    async (...args) => {
      for (const { key, path } of filesOf(args, index)) await act(key, path);
    };
  const eachSession =
    (act: (key: string) => Promise<void>): Handler =>
    async () => {
      const keys = new Set(index.files().map(({ key }) => key));
      if (keys.size === 0) keys.add(shown());
      for (const key of keys) await act(key);
    };
  const hunk =
    (act: (key: string, path: string, span: LineSpan) => Promise<void>): Handler =>
    async (uri, changes, at) => {
      const found = placeOf({ uri, changes, at }, index);
      await act(found.key, found.path, found.span);
    };
  return {
    [Command.reviewChanges]: () => review.open(shown(), 'session'),
    [Command.undoTurn]: () => review.undoTurn(shown()),
    [Command.redoTurn]: () => review.redoTurn(shown()),
    [Command.keepFile]: eachFile((key, path) => review.keep(key, 'session', path)),
    [Command.revertFile]: eachFile((key, path) => review.revert(key, 'session', path)),
    [Command.keepAll]: eachSession((key) => review.keep(key, 'session')),
    [Command.revertAll]: eachSession((key) => review.revert(key, 'session')),
    [Command.keepHunk]: hunk((key, path, span) => review.keepHunk(key, path, span)),
    [Command.revertHunk]: hunk((key, path, span) => review.revertHunk(key, path, span)),
    [Command.sendComment]: (reply) => comments.send(reply as vscode.CommentReply),
    [Command.deleteComment]: (thread) => comments.remove(thread as vscode.CommentThread),
  };
}

/** The files that a menu names, by their URIs or as rows of source control; else that of the active editor. */
function filesOf(args: readonly unknown[], index: PendingIndex): IndexedFile[] {
  const named = args.flatMap((arg) => uriOf(arg) ?? []);
  const active = vscode.window.activeTextEditor?.document.uri;
  const uris = named.length > 0 ? named : active ? [active] : [];
  const paths = new Set(uris.map(pathOf));
  const files = [...paths].flatMap((path) => index.find(path) ?? []);
  if (files.length === 0) throw new Error(vscode.l10n.t('This file does not wait for a review.'));
  return files;
}

function uriOf(arg: unknown): vscode.Uri | undefined {
  const uri = arg instanceof vscode.Uri ? arg : (arg as { resourceUri?: unknown } | null)?.resourceUri;
  return uri instanceof vscode.Uri && (uri.scheme === 'file' || isReview(uri)) ? uri : undefined;
}

/** Where a hunk is: as the menu beside the text says, else at the cursor. */
function placeOf(
  { uri, changes, at }: { uri: unknown; changes: unknown; at: unknown },
  index: PendingIndex,
): IndexedFile & { span: LineSpan } {
  const change: unknown = Array.isArray(changes) && typeof at === 'number' ? changes[at] : undefined;
  const editor = vscode.window.activeTextEditor;
  const target = change && uri instanceof vscode.Uri ? uri : editor?.document.uri;
  const file = target?.scheme === 'file' ? index.find(target.fsPath) : undefined;
  const span = change ? spanOf(change as EditorChange) : editor && selectedLines(editor.selection);
  if (!file || !span)
    throw new Error(
      vscode.l10n.t('Put the cursor into a change of an agent in a file that waits for a review.'),
    );
  return { ...file, span };
}

function spanOf({ modifiedStartLineNumber, modifiedEndLineNumber }: EditorChange): LineSpan {
  // Removed lines stand before the line after them.
  if (modifiedEndLineNumber === 0) return { from: modifiedStartLineNumber, to: modifiedStartLineNumber };
  return { from: modifiedStartLineNumber - 1, to: modifiedEndLineNumber - 1 };
}

function selectedLines({ start, end }: vscode.Selection): LineSpan {
  return { from: start.line, to: end.line };
}
