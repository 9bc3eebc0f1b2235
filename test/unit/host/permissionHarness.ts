import assert from 'node:assert/strict';
import type { PermissionRule } from '../../../src/core/permission/rules';
import type { PermissionView } from '../../../src/core/session/state';
import { PermissionBridge, type PermissionRequest } from '../../../src/host/bridges/permissionBridge';
import type { AuditEntry } from '../../../src/host/permission/auditLog';
import { RulePolicy } from '../../../src/host/permission/rulePolicy';
import { keepDiff, TestSession } from '../../support/session';

export const ONCE = { optionId: 'once', name: 'Allow', kind: 'allow_once' };
export const ALWAYS = { optionId: 'always', name: 'Always', kind: 'allow_always' };
export const NO = { optionId: 'no', name: 'Reject', kind: 'reject_once' };
export const NEVER = { optionId: 'never', name: 'Never', kind: 'reject_always' };

export const selected = (optionId: string) => ({ outcome: { outcome: 'selected', optionId } });
export const CANCELLED = { outcome: { outcome: 'cancelled' } };

/** The bridge with the rules as in the extension, in a running turn of the sessions `s` and `t` in the folders `/s` and `/t`. */
export class RuleHarness {
  readonly sessions: Record<string, TestSession> = {
    s: new TestSession().prompt(),
    t: new TestSession().prompt(),
  };
  readonly user: unknown[] = [];
  readonly workspace: unknown[] = [];
  readonly audit: AuditEntry[] = [];
  readonly asked: PermissionRequest[] = [];
  readonly withdrawn: string[] = [];
  /** Ids of the questions that were answered, however. */
  readonly answered: string[] = [];
  readonly reasons: [string, string][] = [];
  readonly log: string[] = [];
  /** Links of the file system. */
  readonly links: Record<string, string> = {};
  /** Why rules can't be saved. */
  refusal: Error | undefined;
  readonly policy = new RulePolicy({
    settings: {
      read: () => ({ user: this.user, workspace: this.workspace }),
      append: (scope, rules) => {
        if (this.refusal) return Promise.reject(this.refusal);
        (scope === 'user' ? this.user : this.workspace).push(...rules);
        return Promise.resolve();
      },
    },
    session: (key) =>
      this.sessions[key] ? { agent: `agent-${key}`, title: `title ${key}`, roots: [`/${key}`] } : undefined,
    audit: { add: (entry) => this.audit.push(entry) },
    realPath: (path) => Promise.resolve(this.links[path] ?? path),
    platform: { home: '/home/me', windows: false, ignoreCase: false },
    now: () => 5,
  });
  readonly bridge = new PermissionBridge({
    state: (key) => this.sessions[key]?.state,
    dispatch: (key, action) => {
      if (action.type === 'permissionAnswered') this.answered.push(action.requestId);
      this.sessions[key]?.apply(structuredClone(action));
    },
    keepDiff,
    prompter: {
      ask: (request) => this.asked.push(request),
      withdraw: (requestId) => this.withdrawn.push(requestId),
    },
    policy: this.policy,
    onReason: (key, reason) => this.reasons.push([key, reason]),
    log: (line) => this.log.push(line),
    now: () => 1_000,
  });

  constructor(...user: PermissionRule[]) {
    this.user.push(...user);
  }

  /** Asks for a command, with the options given. */
  run(
    command: string,
    {
      options = [ONCE, ALWAYS, NO, NEVER],
      key = 's',
      id = 'call',
      signal = new AbortController().signal,
    } = {},
  ): Promise<object> {
    const toolCall = { toolCallId: id, title: `Run ${command}`, kind: 'execute', rawInput: { command } };
    return this.bridge.request({ sessionId: key, toolCall, options }, signal);
  }

  /** The request that the person is asked, when it is. */
  async question(index = 0): Promise<PermissionRequest> {
    for (let i = 0; i < 50 && this.asked.length <= index; i++) await Promise.resolve();
    return this.asked[index] ?? assert.fail(`question ${index} was not asked`);
  }

  /** All questions of a session's cards. */
  cards(key = 's'): PermissionView[] {
    return this.sessions[key]?.tools().flatMap(({ permissions }) => permissions) ?? [];
  }
}
