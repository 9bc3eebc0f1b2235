import { isObject, type JsonObject } from '../json';
import { ruleWords } from './commandParts';
import { nameMatcher, pathMatcher } from './pathPatterns';
import type { PathContext, PermissionRule, RuleEffect } from './rules';

/** What is wrong with an entry of the settings; `index` is -1 where the setting as a whole is not a list. */
export interface RuleProblem {
  index: number;
  reason: 'notObject' | 'effect' | 'field' | 'unknown';
  field?: string;
}

const EFFECTS: readonly unknown[] = ['allow', 'ask', 'deny'] satisfies RuleEffect[];
const TEXTS = ['agent', 'kind', 'command', 'path', 'tool'] as const;
const FLAGS = ['always', 'exact'] as const;
const KNOWN = new Set<string>(['effect', ...TEXTS, ...FLAGS]);

/** Patterns are only looked at for their form here. */
const ANYWHERE: PathContext = { roots: [], home: '/', windows: false, ignoreCase: false };

/**
 * Reads rules from the settings. One that allows counts only as a whole; one that asks or denies loses what cannot be read, and so
 * matches more than it would, and never less. Each is told as a problem. Never throws.
 */
export function parseRules(value: unknown): { rules: PermissionRule[]; problems: RuleProblem[] } {
  const rules: PermissionRule[] = [];
  const problems: RuleProblem[] = [];
  if (value === undefined || value === null) return { rules, problems };
  if (!Array.isArray(value)) return { rules, problems: [{ index: -1, reason: 'notObject' }] };
  value.forEach((item: unknown, index) => {
    const read = readRule(item);
    if (read.rule) rules.push(read.rule);
    for (const problem of read.problems) problems.push({ index, ...problem });
  });
  return { rules, problems };
}

type Found = Omit<RuleProblem, 'index'>;

/** Reads one rule; the page checks with it what a person typed. */
export function readRule(value: unknown): { rule?: PermissionRule; problems: Found[] } {
  if (!isObject(value)) return { problems: [{ reason: 'notObject' }] };
  const effect = value['effect'];
  if (!isEffect(effect)) return { problems: [{ reason: 'effect' }] };
  const problems: Found[] = Object.keys(value)
    .filter((name) => !KNOWN.has(name))
    .map((field) => ({ reason: 'unknown', field }));
  const rule: PermissionRule = { effect };
  for (const field of TEXTS) {
    const text = value[field];
    if (text === undefined || text === null) continue;
    if (isGood(field, text, effect)) rule[field] = text.trim();
    else problems.push({ reason: 'field', field });
  }
  for (const flag of FLAGS) takeFlag(flag, value, { rule, problems });
  return effect === 'allow' && problems.length > 0 ? { problems } : { rule, problems };
}

function isEffect(value: unknown): value is RuleEffect {
  return EFFECTS.includes(value);
}

function takeFlag(
  flag: (typeof FLAGS)[number],
  value: JsonObject,
  { rule, problems }: { rule: PermissionRule; problems: Found[] },
): void {
  const given = value[flag];
  if (typeof given === 'boolean') rule[flag] = given;
  else if (given !== undefined && given !== null) problems.push({ reason: 'field', field: flag });
}

function isGood(field: (typeof TEXTS)[number], text: unknown, effect: RuleEffect): text is string {
  if (typeof text !== 'string' || text.trim() === '') return false;
  if (field === 'path') return pathMatcher(text.trim(), ANYWHERE) !== undefined;
  if (field === 'tool') return nameMatcher(text.trim().replaceAll('/', '\u0001'), false) !== undefined;
  // A rule that asks or denies looks for the words of any text.
  return field !== 'command' || effect !== 'allow' || ruleWords(text, false) !== undefined;
}
