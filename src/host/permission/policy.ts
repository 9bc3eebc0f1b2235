import type { Decision, PermissionRule, PermissionSubject, RuleScope } from '../../core/permission/rules';

/** What an agent wants to do, before the rules are asked. */
export type Asked = Omit<PermissionSubject, 'agent' | 'paths'> & { paths: readonly string[] };

/** The person's rules (PE-4). `key` is Parley's key of a session. */
export interface PermissionPolicy {
  /** What the rules say; never grants by anything but a rule that says allow. */
  decide(key: string, asked: Asked): Promise<Decision>;
  /** Rules that would answer this from now on, to be offered; empty where no safe one can be made. */
  offer(key: string, asked: Asked): Promise<PermissionRule[]>;
  /** Saves rules that the person chose. */
  keep(key: string, rules: readonly PermissionRule[], scope: RuleScope): Promise<void>;
  /** Notes what a rule decided, for the person to look at. */
  note(key: string, asked: Asked, decision: Decision): void;
}
