import { isAbsolute } from 'node:path';
import { Emitter } from '../../core/emitter';
import { decide } from '../../core/permission/decide';
import { parseRules } from '../../core/permission/parseRules';
import type {
  Decision,
  PathContext,
  PermissionRule,
  PermissionSubject,
  RuleScope,
  ScopedRule,
} from '../../core/permission/rules';
import { ruleText } from '../../core/permission/ruleText';
import { suggestRules } from '../../core/permission/suggest';
import type { AuditEntry } from './auditLog';
import { givenPath } from './givenPath';
import { commandText } from './toolCallInFull';
import type { Asked, PermissionPolicy } from './policy';

/** The rules as the settings hold them, unchecked; the workspace's only where it is trusted. */
export interface StoredRules {
  user: unknown[];
  workspace: unknown[];
}

export interface RulePolicyOptions {
  settings: {
    /** @param cwd Folder of the session. */
    read(cwd: string | undefined): StoredRules;
    /** Adds to the rules of a scope. Rejects with a sentence. */
    append(scope: 'workspace' | 'user', rules: readonly PermissionRule[]): Promise<void>;
  };
  /** A session by Parley's key; undefined for one that is not open. `agent` is its name in the settings. */
  session(key: string): { agent: string; title: string; roots: readonly string[] } | undefined;
  audit: { add(entry: AuditEntry): void };
  /** Where a path leads, links resolved; undefined where that can't be said. */
  realPath(path: string): Promise<string | undefined>;
  platform: Omit<PathContext, 'roots'>;
  now(): number;
}

/** The person's rules of all scopes together; none overrides another, and deny wins (PE-4). */
export class RulePolicy implements PermissionPolicy {
  private readonly ofSessions = new Map<string, PermissionRule[]>();
  private readonly changed = new Emitter<void>();
  /** The rules of a session changed. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly options: RulePolicyOptions) {}

  async decide(key: string, asked: Asked): Promise<Decision> {
    const rules = this.rules(key);
    if (rules.length === 0 && (asked.paths.length === 0 || onlyReads(asked.kind)))
      return { effect: 'ask', rules: [] };
    const subject = await this.subject(key, asked);
    const decision = decide(rules, subject, this.context(key));
    return decision.effect !== 'deny' && changesSettings(subject) ? SETTINGS_ASK : decision;
  }

  async offer(key: string, asked: Asked): Promise<PermissionRule[]> {
    return suggestRules(await this.subject(key, asked), this.context(key));
  }

  async keep(key: string, rules: readonly PermissionRule[], scope: RuleScope): Promise<void> {
    if (scope !== 'session') return this.options.settings.append(scope, rules);
    this.setSessionRules(key, [...this.sessionRules(key), ...rules]);
  }

  note(key: string, asked: Asked, { effect, rules }: Decision): void {
    const session = this.options.session(key);
    this.options.audit.add({
      at: this.options.now(),
      agent: session?.agent ?? '',
      session: session?.title ?? '',
      what: whatOf(asked),
      effect,
      rules: rules.map(({ rule }) => ruleText(rule)),
      scope: rules[0]?.scope ?? 'user',
    });
  }

  /** All rules that hold for a session. */
  rules(key: string): ScopedRule[] {
    const { user, workspace } = this.options.settings.read(this.options.session(key)?.roots[0]);
    const scoped = (scope: RuleScope, rules: readonly PermissionRule[]): ScopedRule[] =>
      rules.map((rule) => ({ rule, scope }));
    return [
      ...scoped('session', this.sessionRules(key)),
      ...scoped('workspace', parseRules(workspace).rules),
      ...scoped('user', parseRules(user).rules),
    ];
  }

  /** The rules that a session was given in this window. */
  sessionRules(key: string): readonly PermissionRule[] {
    return this.ofSessions.get(key) ?? [];
  }

  /** Replaces them, as the person edited them. */
  setSessionRules(key: string, rules: readonly PermissionRule[]): void {
    this.ofSessions.set(
      key,
      rules.map((rule) => ({ ...rule })),
    );
    this.changed.fire();
  }

  /** What patterns of paths refer to in a session. */
  context(key: string): PathContext {
    return { ...this.options.platform, roots: this.options.session(key)?.roots ?? [] };
  }

  private async subject(key: string, asked: Asked): Promise<PermissionSubject> {
    const session = this.options.session(key);
    const [cwd] = session?.roots ?? [];
    const paths = asked.paths.map(async (given) => {
      const path = givenPath(given, cwd, this.options.platform.home);
      const real = isAbsolute(path) ? await this.options.realPath(path) : undefined;
      return real === undefined ? { path } : { path, real };
    });
    return { ...asked, agent: session?.agent ?? '', paths: await Promise.all(paths) };
  }
}

const SETTINGS_ASK: Decision = {
  effect: 'ask',
  rules: [{ rule: { effect: 'ask', path: '.vscode/settings.json' }, scope: 'user' }],
};

/** An agent that may change the settings of the workspace without a question could give itself rules. */
function changesSettings({ kind, paths }: PermissionSubject): boolean {
  if (onlyReads(kind)) return false;
  return paths.some(({ path, real }) => [path, real ?? path].some((name) => SETTINGS_FILE.test(name)));
}

const onlyReads = (kind: string): boolean => kind === 'read' || kind === 'search';

/** Of a workspace, of the person or of a profile; or the folder that has them. Windows drops what ends a name here. */
const SETTINGS_FILE =
  /([\\/]\.vscode|[\\/](\.vscode|User|Machine|profiles[\\/][^\\/]+)[\\/]settings\.json|\.code-workspace)[. ]*(::\$data)?$/i;

/** What was asked for, in one text. */
function whatOf({ command, paths, tool, kind }: Asked): string {
  if (command) return commandText(command);
  return paths.length > 0 ? paths.join(', ') : (tool ?? kind);
}
