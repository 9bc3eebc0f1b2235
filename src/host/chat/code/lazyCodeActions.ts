import * as vscode from 'vscode';
import type { DisposableStore } from '../../../core/lifecycle';
import type { Sessions } from '../../session/sessions';
import type { CodeActions } from './codeActions';
import { LastEditor } from './lastEditor';
import { isWritable } from './writable';

/** What the buttons of code blocks do, loaded with the first press. */
export function lazyCodeActions(scope: DisposableStore, sessions: Sessions): CodeActions {
  const last = new LastEditor<vscode.TextEditor>();
  last.remember(vscode.window.activeTextEditor, isWritable);
  scope.add(vscode.window.onDidChangeActiveTextEditor((editor) => last.remember(editor, isWritable)));
  const create = async (): Promise<CodeActions> =>
    (await import('./buildCodeActions')).buildCodeActions(scope, sessions, last);
  let actions: Promise<CodeActions> | undefined;
  const load = (): Promise<CodeActions> => (actions ??= create());
  return {
    insert: async (text) => (await load()).insert(text),
    apply: async (text, info) => (await load()).apply(text, info),
  };
}
