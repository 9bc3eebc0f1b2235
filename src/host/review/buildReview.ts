import * as vscode from 'vscode';
import { isBusy } from '../../core/session/select';
import type { DisposableStore } from '../../core/lifecycle';
import type { Handler } from '../commands';
import type { Sessions } from '../session/sessions';
import type { ChangeRecords, Contents } from './changeRecords';
import { findOpenText } from './openTexts';
import { PendingIndex } from './pendingIndex';
import { Review } from './review';
import { reviewHandlers } from './reviewCommands';
import { ReviewComments } from './reviewComments';
import { ReviewControl } from './reviewControl';
import { ReviewDocuments } from './reviewDocuments';
import { EditorScreen } from './reviewScreen';
import { WorkingFiles } from './workingFiles';

export interface ReviewParts {
  scope: DisposableStore;
  sessions: Sessions;
  records: ChangeRecords;
  contents: Contents;
  /** A file was written for the person. */
  onWritten: (path: string) => void;
}

/** Everything by which a person reviews what agents changed. */
export function buildReview({ scope, sessions, records, contents, onWritten }: ReviewParts): {
  review: Review;
  handlers: Record<string, Handler>;
} {
  const index = new PendingIndex({
    records,
    keys: () => openKeys(sessions),
    onDidChangeKeys: (listener) =>
      vscode.Disposable.from(sessions.onDidChangeList(listener), sessions.onDidSwitch(listener)),
  });
  const documents: ReviewDocuments = new ReviewDocuments((key, wanted, path) =>
    review.baseOf(key, wanted, path),
  );
  const review: Review = new Review({
    records,
    contents,
    files: new WorkingFiles({ find: findOpenText, roots: () => rootsOf(sessions), onWritten }),
    screen: new EditorScreen(documents, () => index),
    isBusy: (key) => {
      const state = sessions.find(key)?.store.state;
      return state !== undefined && isBusy(state);
    },
  });
  const comments = new ReviewComments(index, async (key, prompt, taken) =>
    sessions.find(key)?.controller.prompt(prompt, taken),
  );
  scope.add(index);
  scope.add(documents.register());
  scope.add(index.onDidChange(() => documents.refresh()));
  scope.add(new ReviewControl(index));
  scope.add(comments);
  const shown = (): string => sessions.current.key;
  return { review, handlers: reviewHandlers({ review, index, comments, shown }) };
}

/** The shown session first. */
function openKeys(sessions: Sessions): string[] {
  const open = sessions.list().rows.filter(({ origin }) => origin === 'open');
  return open.sort((a, b) => Number(b.current) - Number(a.current)).map(({ key }) => key);
}

/** The folders of the workspace and of the open sessions. */
function rootsOf(sessions: Sessions): string[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  const own = openKeys(sessions).flatMap((key) => {
    const session = sessions.find(key);
    const { cwd } = session?.store.state ?? { cwd: null };
    return [...(session?.controller.live?.roots ?? []), ...(cwd === null ? [] : [cwd])];
  });
  return [...new Set([...folders, ...own])];
}
