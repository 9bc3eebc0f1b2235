import { asObject, asString, isObject } from '../json';
import { readRule, type RuleProblem } from './parseRules';
import type { PathContext, PermissionRule, RuleEffect, RuleScope, ScopedRule } from './rules';

/** One decision that rules made, as the page shows it. */
export interface AuditView {
  /** ms since the epoch. */
  at: number;
  agent: string;
  /** Command, paths or tool. */
  what: string;
  effect: RuleEffect;
  /** The rules that decided, in words. */
  rules: string[];
  scope: RuleScope;
}

/** All that the rules page shows. */
export interface RulesView {
  rules: ScopedRule[];
  /** What the settings have and is not a rule. */
  problems: (RuleProblem & { scope: RuleScope })[];
  /** Newest first. */
  audit: AuditView[];
  /** Title of the session that is shown; undefined where there is none. */
  sessionTitle?: string;
  workspaceTrusted: boolean;
  context: PathContext;
  agents: string[];
}

/** What the extension tells the page. */
export type HostToRules =
  | { type: 'view'; view: RulesView }
  /** `error`: one sentence for the person, or null where it is done. */
  | { type: 'reply'; id: number; error: string | null };

/** What the page tells the extension. */
export type RulesToHost =
  | { type: 'ready' }
  /** Puts `rules` in the place of `before`, which is what the page shows for the scope. */
  | { type: 'save'; id: number; scope: RuleScope; before: PermissionRule[]; rules: PermissionRule[] };

/** The three scopes, from the narrowest. */
export const SCOPES: readonly RuleScope[] = ['session', 'workspace', 'user'];

/** Narrows a message of the page; undefined for anything else, and for rules that are not whole. */
export function readRulesMessage(value: unknown): RulesToHost | undefined {
  const message = asObject(value);
  if (message['type'] === 'ready') return { type: 'ready' };
  const { id, scope } = message;
  if (message['type'] !== 'save' || typeof id !== 'number') return undefined;
  const known = SCOPES.find((name) => name === scope);
  const before = readWhole(message['before']);
  const rules = readWhole(message['rules']);
  return known && before && rules ? { type: 'save', id, scope: known, before, rules } : undefined;
}

/** Narrows a message of the extension, which is trusted for all but its kind. */
export function readHostMessage(value: unknown): HostToRules | undefined {
  if (!isObject(value)) return undefined;
  const type = asString(value['type']);
  return type === 'view' || type === 'reply' ? (value as unknown as HostToRules) : undefined;
}

/** The rules of one scope, in their order. */
export function rulesOf(rules: readonly ScopedRule[], scope: RuleScope): PermissionRule[] {
  return rules.filter((item) => item.scope === scope).map(({ rule }) => rule);
}

/** True if both are the same rules in the same order, whatever the order of their fields. */
export function sameRules(one: readonly PermissionRule[], other: readonly PermissionRule[]): boolean {
  const form = (rule: PermissionRule): string => JSON.stringify(Object.entries(rule).sort());
  return one.length === other.length && one.every((rule, index) => form(rule) === form(other[index] ?? rule));
}

function readWhole(value: unknown): PermissionRule[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const read = value.map(readRule);
  const rules = read.flatMap(({ rule, problems }) => (rule && problems.length === 0 ? [rule] : []));
  return rules.length === value.length ? rules : undefined;
}
