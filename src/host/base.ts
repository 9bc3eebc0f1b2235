import type * as vscode from 'vscode';
import type { DisposableStore } from '../core/lifecycle';
import type { Log } from './log';
import type { DiffStore } from './session/diffTexts';
import type { OpenSession } from './session/sessions';

/** What the parts of Parley share. */
export interface Base {
  context: vscode.ExtensionContext;
  /** Disposed with the extension. */
  scope: DisposableStore;
  log: Log;
  diffs: DiffStore;
  /** Environment of the login shell. */
  environment: () => Promise<NodeJS.ProcessEnv>;
  /** An open session by Parley's key. */
  find: (key: string) => OpenSession | undefined;
}
