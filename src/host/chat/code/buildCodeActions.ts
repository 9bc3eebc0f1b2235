import type * as vscode from 'vscode';
import type { DisposableStore } from '../../../core/lifecycle';
import type { Sessions } from '../../session/sessions';
import { CodeBlockActions, type CodeActions } from './codeActions';
import { VSCodeCodeEditor } from './codeEditor';
import type { LastEditor } from './lastEditor';

/** What the buttons of code blocks do, for the session that is shown. */
export function buildCodeActions(
  scope: DisposableStore,
  sessions: Sessions,
  last: LastEditor<vscode.TextEditor>,
): CodeActions {
  const editor = new VSCodeCodeEditor(last);
  scope.add(editor.register());
  return new CodeBlockActions(editor, () => {
    const { cwd } = sessions.state;
    const { roots } = sessions.current.controller.live ?? { roots: [] };
    return cwd === null ? roots : [cwd, ...roots];
  });
}
