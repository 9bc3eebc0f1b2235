import { join } from 'node:path';
import * as vscode from 'vscode';
import { compatibilityOf } from '../../core/agents/compatibility';
import type { SessionAction } from '../../core/session/actions';
import { visibleText } from '../../core/visibleText';
import type { Base } from '../base';
import { buildPermissions, type Permissions } from '../permission/buildPermissions';
import { WorkspaceTextFiles } from '../files/workspaceTextFiles';
import { readTabs } from '../config';
import { PseudoterminalPresenter } from '../terminal/agentPseudoterminal';
import { Watchdog } from '../terminal/watchdog';
import { openAsWritten } from '../chat/openers';
import { ElicitationBridge } from './elicitationBridge';
import { elicitationTexts } from './elicitationTexts';
import { FileSystemBridge } from './fileSystemBridge';
import type { PermissionBridge } from './permissionBridge';
import { TerminalBridge } from './terminalBridge';

/** What serves the agents' requests; `sessionId` in their parameters is Parley's key. */
export interface Bridges {
  permissions: PermissionBridge;
  /** The person's rules, and what else answers for them. */
  rules: Permissions;
  elicitations: ElicitationBridge;
  files: FileSystemBridge;
  terminals: TerminalBridge;
  watchdog: Watchdog;
}

export function buildBridges(base: Base): Bridges {
  const dispatch = (key: string, action: SessionAction): void => base.find(key)?.store.dispatch(action);
  const isCancelling = (key: string): boolean => base.find(key)?.store.state.turn.status === 'cancelling';
  const rules = buildPermissions(base, dispatch);
  const watchdog = new Watchdog({
    args: [join(base.context.extensionPath, 'dist', 'watchdog.js')],
    log: (line) => base.log.main.warn(line),
  });
  return {
    permissions: rules.bridge,
    rules,
    elicitations: new ElicitationBridge({
      dispatch,
      isCancelling,
      openExternal: openAsWritten,
      texts: elicitationTexts,
      log: (line) => base.log.main.info(line),
    }),
    files: buildFiles(base, rules, dispatch),
    terminals: buildTerminals(base, { rules, watchdog }, dispatch),
    watchdog,
  };
}

type Dispatch = (key: string, action: SessionAction) => void;

function buildFiles(
  { find, log, changes }: Base,
  { roots, gate, folders, onConflict }: Permissions,
  dispatch: Dispatch,
): FileSystemBridge {
  return new FileSystemBridge({
    roots,
    compatibility: (key) => compatibilityOf(find(key)?.store.state.agent ?? {}),
    files: new WorkspaceTextFiles(),
    gate: (key, access) => gate.file(key, access),
    onConflict,
    changes,
    onRefused: (key, path, folder) => {
      const shown = visibleText(path);
      const title = vscode.l10n.t('Refused access outside the folder of the session: {0}', shown);
      if (folder !== undefined) folders.offer(key, folder);
      const allowable = folder === undefined ? {} : { folder };
      dispatch(key, { type: 'noticeShown', severity: 'warning', title, ...allowable });
    },
    log: (line) => log.main.info(line),
  });
}

function buildTerminals(
  { find, log, context, environment }: Base,
  { rules: { gate }, watchdog }: { rules: Permissions; watchdog: Watchdog },
  dispatch: Dispatch,
): TerminalBridge {
  return new TerminalBridge({
    session: (key) => {
      const roots = find(key)?.controller.live?.roots ?? [];
      const [cwd] = roots;
      return cwd === undefined ? undefined : { cwd, roots };
    },
    environment,
    dispatch,
    agentTitle: (key) => find(key)?.store.state.agent.title ?? '',
    extensionPath: context.extensionPath,
    presenter: new PseudoterminalPresenter(),
    tabs: readTabs,
    onOutside: (key, cwd) => {
      const title = vscode.l10n.t('A command runs outside the folders of the session: {0}', visibleText(cwd));
      dispatch(key, { type: 'noticeShown', severity: 'warning', title });
    },
    watchdog,
    gate: (key, act) => gate.command(key, act),
    log: (line) => log.main.info(line),
  });
}
