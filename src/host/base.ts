import type * as vscode from 'vscode';
import type { DisposableStore } from '../core/lifecycle';
import type { Log } from './log';
import type { DiffStore } from './session/diffTexts';
import type { SessionStore } from './session/sessionStore';

/** What the parts of Parley share. */
export interface Base {
  context: vscode.ExtensionContext;
  /** Disposed with the extension. */
  scope: DisposableStore;
  log: Log;
  store: SessionStore;
  diffs: DiffStore;
  /** Environment of the login shell. */
  environment: () => Promise<NodeJS.ProcessEnv>;
}
