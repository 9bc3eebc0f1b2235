import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { SessionAction } from '../../core/session/actions';
import { titleOf } from '../../core/session/title';
import type { Base } from '../base';
import { PermissionBridge } from '../bridges/permissionBridge';
import { readPermissionPrompt } from '../config';
import { PATH_RULES, whereLeads } from '../files/boundary';
import type { AskConflict } from '../files/textWriter';
import { ActionGate } from './actionGate';
import { AllowedFolders } from './allowedFolders';
import { AuditLog } from './auditLog';
import { PermissionPicker } from './permissionPicker';
import { RulePolicy } from './rulePolicy';
import { RuleSettings } from './ruleSettings';

const { t } = vscode.l10n;

type Dispatch = (key: string, action: SessionAction) => void;

/** What asks the person, and what answers for them by their rules. */
export interface Permissions {
  bridge: PermissionBridge;
  policy: RulePolicy;
  settings: RuleSettings;
  audit: AuditLog;
  folders: AllowedFolders;
  gate: ActionGate;
  /** Who asks, by the key of the session. */
  asker: (key: string) => string;
  /** Folders that a session may use: its own, and those that the person allowed it; undefined for one that is not open. */
  roots: (key: string) => readonly string[] | undefined;
  onConflict: AskConflict;
}

export function buildPermissions(base: Base, dispatch: Dispatch): Permissions {
  const { find, scope, log, context } = base;
  const folders = new AllowedFolders();
  const settings = new RuleSettings();
  const file = join((context.storageUri ?? context.globalStorageUri).fsPath, 'decisions.json');
  const audit = new AuditLog(file, (line) => log.main.warn(line));
  const roots = (key: string): readonly string[] | undefined => {
    const own = find(key)?.controller.live?.roots;
    return own && [...own, ...folders.of(key)];
  };
  const policy = buildPolicy(base, { settings, audit, roots });
  const asker = (key: string): string => {
    const state = find(key)?.store.state;
    const title = state && titleOf(state);
    return [state?.agent.title, title].filter(Boolean).join(' — ');
  };
  const picker: PermissionPicker = scope.add(
    new PermissionPicker({
      enabled: () => readPermissionPrompt() !== 'card',
      asker,
      answer: (requestId, optionId, reason) => bridge.answer(requestId, optionId, reason),
      keep: (requestId, optionId, ruleScope) => bridge.keepAndAnswer(requestId, optionId, ruleScope),
      scopes: () => (settings.workspaceKeeps ? ['session', 'workspace', 'user'] : ['session', 'user']),
    }),
  );
  const bridge: PermissionBridge = new PermissionBridge({
    state: (key) => find(key)?.store.state,
    dispatch,
    keepDiff: base.diffs.keep,
    prompter: picker,
    policy,
    onReason: (key, reason) => find(key)?.controller.queue.addAnswer(reason),
    log: (line) => log.main.warn(line),
    now: Date.now,
  });
  scope.add(settings.watch());
  const gate = buildGate({ policy, bridge, dispatch });
  return { bridge, policy, settings, audit, folders, gate, asker, roots, onConflict: conflictAsker(bridge) };
}

function buildPolicy({ find }: Base, parts: Pick<Permissions, 'settings' | 'audit' | 'roots'>): RulePolicy {
  const { settings, audit, roots } = parts;
  return new RulePolicy({
    settings,
    audit,
    session: (key) => {
      const state = find(key)?.store.state;
      const folders = roots(key) ?? (state?.cwd ? [state.cwd] : []);
      return state && { agent: state.agent.id, title: titleOf(state) ?? '', roots: folders };
    },
    realPath: whereLeads,
    platform: { home: homedir(), ...PATH_RULES },
    now: Date.now,
  });
}

function buildGate({
  policy,
  bridge,
  dispatch,
}: {
  policy: RulePolicy;
  bridge: PermissionBridge;
  dispatch: Dispatch;
}): ActionGate {
  return new ActionGate({
    policy,
    permissions: bridge,
    refused: (key, what, rule) => {
      const title = t('Refused by your rule ({0}): {1}', rule, what);
      dispatch(key, { type: 'noticeShown', severity: 'info', title });
    },
    texts: {
      title: (act, what) => {
        if (act === 'run') return t('Run {0}', what);
        return act === 'read' ? t('Read {0}', what) : t('Write {0}', what);
      },
      allow: () => t('Allow once'),
      reject: () => t('Reject'),
    },
  });
}

/** Without an answer the person's text stays. */
function conflictAsker(bridge: PermissionBridge): AskConflict {
  return async (key, { path }, { mine, merged }) => {
    const chosen = await bridge.askOwn(
      key,
      {
        title: t('You and the agent changed the same lines of {0}', path),
        kind: 'edit',
        diff: { path, oldText: mine, newText: merged },
      },
      [
        { optionId: 'theirs', name: t('Take the agent’s text'), kind: 'allow_once' },
        { optionId: 'mine', name: t('Keep mine'), kind: 'reject_once' },
      ],
    );
    return chosen === 'theirs' ? 'theirs' : 'mine';
  };
}
