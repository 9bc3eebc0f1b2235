import * as vscode from 'vscode';
import { Emitter } from '../../core/emitter';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import { parseRules } from '../../core/permission/parseRules';
import type { PathContext, PermissionRule, RuleScope, ScopedRule } from '../../core/permission/rules';
import { titleOf } from '../../core/session/title';
import { Setting } from '../contributions';
import type { OpenSession, Sessions } from '../session/sessions';
import type { Permissions } from './buildPermissions';
import type { RulesSource } from './rulesChannel';

/** Gives the rules page the rules of the settings and of the shown session. */
export class SettingsRules implements RulesSource, Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly permissions: Pick<Permissions, 'settings' | 'policy' | 'audit'>,
    private readonly sessions: Sessions,
    private readonly agentNames: () => string[],
  ) {
    const fire = (): void => this.changed.fire();
    const { policy, audit } = permissions;
    for (const event of [policy.onDidChange, audit.onDidChange, sessions.onDidSwitch])
      this.store.add(event(fire));
    this.store.add(vscode.workspace.onDidGrantWorkspaceTrust(fire));
    this.store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(Setting.permissionRules)) fire();
      }),
    );
  }

  rules(): ReturnType<RulesSource['rules']> {
    const { policy, settings } = this.permissions;
    const { user, workspace, folder } = settings.written(this.cwd);
    const read = [
      { scope: 'workspace' as const, ...parseRules(workspace) },
      // Of a folder in a workspace of several; in one of a single folder it is the same value.
      { scope: 'workspace' as const, ...parseRules(isSame(folder, workspace) ? undefined : folder) },
      { scope: 'user' as const, ...parseRules(user) },
    ];
    const ofSession = policy
      .sessionRules(this.session.key)
      .map((rule) => ({ rule, scope: 'session' as const }));
    const rules: ScopedRule[] = read.flatMap(({ scope, rules: found }) =>
      found.map((rule) => ({ rule, scope })),
    );
    const problems = read.flatMap(({ scope, problems: found }) =>
      found.map((problem) => ({ ...problem, scope })),
    );
    return { rules: [...ofSession, ...rules], problems };
  }

  async save(scope: RuleScope, rules: readonly PermissionRule[]): Promise<void> {
    const { policy, settings } = this.permissions;
    if (scope === 'session') policy.setSessionRules(this.session.key, rules);
    else await settings.replace(scope, scope === 'workspace' ? this.withoutFolders(rules) : rules);
  }

  audit(): ReturnType<RulesSource['audit']> {
    return this.permissions.audit.list();
  }

  get sessionTitle(): string | undefined {
    const { state } = this.session.store;
    return titleOf(state) ?? state.agent.title;
  }

  get workspaceTrusted(): boolean {
    return vscode.workspace.isTrusted;
  }

  get context(): PathContext {
    return this.permissions.policy.context(this.session.key);
  }

  get agents(): string[] {
    return this.agentNames();
  }

  dispose(): void {
    this.store.dispose();
  }

  private get session(): OpenSession {
    return this.sessions.current;
  }

  private get cwd(): string | undefined {
    return this.session.store.state.cwd ?? undefined;
  }

  /** Those of a folder stay in its own settings. */
  private withoutFolders(rules: readonly PermissionRule[]): PermissionRule[] {
    const { workspace, folder } = this.permissions.settings.written(this.cwd);
    if (isSame(folder, workspace)) return [...rules];
    const kept = new Set(parseRules(folder).rules.map((rule) => JSON.stringify(rule)));
    return rules.filter((rule) => !kept.has(JSON.stringify(rule)));
  }
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
