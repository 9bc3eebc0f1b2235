import * as vscode from 'vscode';
import { compatibilityOf } from '../../core/agents/compatibility';
import { isLive } from '../../core/session/select';
import type { Base } from '../base';
import { readPermissionPrompt } from '../config';
import { PermissionPicker } from '../permission/permissionPicker';
import { WorkspaceTextFiles } from '../files/workspaceTextFiles';
import { PseudoterminalPresenter } from '../terminal/agentPseudoterminal';
import { FileSystemBridge } from './fileSystemBridge';
import { PermissionBridge } from './permissionBridge';
import { TerminalBridge } from './terminalBridge';

/** What serves the agent's requests. */
export interface Bridges {
  permissions: PermissionBridge;
  files: FileSystemBridge;
  terminals: TerminalBridge;
}

export function buildBridges(base: Base): Bridges {
  return { permissions: buildPermissions(base), files: buildFiles(base), terminals: buildTerminals(base) };
}

function buildPermissions({ store, diffs, scope }: Base): PermissionBridge {
  const picker = new PermissionPicker(
    () => readPermissionPrompt() !== 'card',
    () => store.state.agent.title,
    (requestId, optionId) => permissions.answer(requestId, optionId),
  );
  const permissions = new PermissionBridge({
    isLive: (sessionId) => isLive(store.state, sessionId),
    isCancelling: () => store.state.turn.status === 'cancelling',
    dispatch: (action) => store.dispatch(action),
    keepDiff: diffs.keep,
    prompter: picker,
    now: Date.now,
  });
  scope.add(picker);
  return permissions;
}

function buildFiles({ store, log }: Base): FileSystemBridge {
  return new FileSystemBridge({
    roots: (sessionId) => (isLive(store.state, sessionId) && store.state.cwd ? [store.state.cwd] : undefined),
    compatibility: () => compatibilityOf(store.state.agent.name),
    files: new WorkspaceTextFiles(),
    onRefused: (path) => {
      const title = vscode.l10n.t('Refused access outside the folder of the session: {0}', path);
      store.dispatch({ type: 'noticeShown', severity: 'warning', title });
    },
    log: (line) => log.main.info(line),
  });
}

function buildTerminals({ store, log, context, environment }: Base): TerminalBridge {
  return new TerminalBridge({
    session: (sessionId) =>
      isLive(store.state, sessionId) && store.state.cwd ? { cwd: store.state.cwd } : undefined,
    environment,
    dispatch: (_sessionId, action) => store.dispatch(action),
    agentTitle: () => store.state.agent.title,
    extensionPath: context.extensionPath,
    presenter: new PseudoterminalPresenter(),
    log: (line) => log.main.info(line),
  });
}
