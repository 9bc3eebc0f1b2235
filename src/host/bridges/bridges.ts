import * as vscode from 'vscode';
import { compatibilityOf } from '../../core/agents/compatibility';
import type { SessionAction } from '../../core/session/actions';
import { titleOf } from '../../core/session/title';
import type { Base } from '../base';
import { readPermissionPrompt } from '../config';
import { PermissionPicker } from '../permission/permissionPicker';
import { WorkspaceTextFiles } from '../files/workspaceTextFiles';
import { PseudoterminalPresenter } from '../terminal/agentPseudoterminal';
import { openAsWritten } from '../chat/openers';
import { ElicitationBridge } from './elicitationBridge';
import { elicitationTexts } from './elicitationTexts';
import { FileSystemBridge } from './fileSystemBridge';
import { PermissionBridge } from './permissionBridge';
import { TerminalBridge } from './terminalBridge';

/** What serves the agents' requests; `sessionId` in their parameters is Parley's key. */
export interface Bridges {
  permissions: PermissionBridge;
  elicitations: ElicitationBridge;
  files: FileSystemBridge;
  terminals: TerminalBridge;
}

export function buildBridges(base: Base): Bridges {
  const dispatch = (key: string, action: SessionAction): void => base.find(key)?.store.dispatch(action);
  const isCancelling = (key: string): boolean => base.find(key)?.store.state.turn.status === 'cancelling';
  return {
    permissions: buildPermissions(base, { dispatch, isCancelling }),
    elicitations: new ElicitationBridge({
      dispatch,
      isCancelling,
      openExternal: openAsWritten,
      texts: elicitationTexts,
      log: (line) => base.log.main.info(line),
    }),
    files: buildFiles(base, dispatch),
    terminals: buildTerminals(base, dispatch),
  };
}

type Dispatch = (key: string, action: SessionAction) => void;

function buildPermissions(
  { find, diffs, scope }: Base,
  session: { dispatch: Dispatch; isCancelling: (key: string) => boolean },
): PermissionBridge {
  const asker = (key: string): string => {
    const state = find(key)?.store.state;
    const title = state && titleOf(state);
    return [state?.agent.title, title].filter(Boolean).join(' — ');
  };
  const picker = new PermissionPicker(
    () => readPermissionPrompt() !== 'card',
    asker,
    (requestId, optionId) => permissions.answer(requestId, optionId),
  );
  const permissions = new PermissionBridge({
    ...session,
    keepDiff: diffs.keep,
    prompter: picker,
    now: Date.now,
  });
  scope.add(picker);
  return permissions;
}

function buildFiles({ find, log }: Base, dispatch: Dispatch): FileSystemBridge {
  return new FileSystemBridge({
    roots: (key) => find(key)?.controller.live?.roots,
    compatibility: (key) => compatibilityOf(find(key)?.store.state.agent.name),
    files: new WorkspaceTextFiles(),
    onRefused: (key, path) => {
      const title = vscode.l10n.t('Refused access outside the folder of the session: {0}', path);
      dispatch(key, { type: 'noticeShown', severity: 'warning', title });
    },
    log: (line) => log.main.info(line),
  });
}

function buildTerminals({ find, log, context, environment }: Base, dispatch: Dispatch): TerminalBridge {
  return new TerminalBridge({
    session: (key) => {
      const cwd = find(key)?.controller.live?.roots[0];
      return cwd === undefined ? undefined : { cwd };
    },
    environment,
    dispatch,
    agentTitle: (key) => find(key)?.store.state.agent.title ?? '',
    extensionPath: context.extensionPath,
    presenter: new PseudoterminalPresenter(),
    log: (line) => log.main.info(line),
  });
}
