import { compact } from '../../core/json';
import { readRule } from '../../core/permission/parseRules';
import type { PermissionRule, RuleEffect } from '../../core/permission/rules';
import type { RulesString } from '../../core/permission/rulesStrings';

/** A rule as it is in the form; an empty text is a field that is not given. */
export interface RuleDraft {
  effect: RuleEffect;
  agent: string;
  kind: string;
  command: string;
  path: string;
  tool: string;
  always: boolean;
  exact: boolean;
  /** The person confirmed that this allows any command. */
  broad: boolean;
}

/** What is wrong with a draft, by field. */
export type DraftProblems = Partial<Record<'command' | 'path' | 'tool' | 'broad', RulesString>>;

const PROBLEMS: Record<string, DraftProblems> = {
  command: { command: 'wrongCommand' },
  path: { path: 'wrongPath' },
  tool: { tool: 'wrongTool' },
};

export function draftOf(rule?: PermissionRule): RuleDraft {
  const { effect = 'allow', agent = '', kind = '', command = '', path = '', tool = '' } = rule ?? {};
  return {
    effect,
    agent,
    kind,
    command,
    path,
    tool,
    always: rule?.always === true,
    exact: rule?.exact === true,
    broad: false,
  };
}

/** True for a draft that would allow whatever command there is. */
export function isBroad({ effect, kind, command, path, tool }: RuleDraft): boolean {
  return (
    effect === 'allow' &&
    [command, path, tool].every((text) => text.trim() === '') &&
    /^(execute)?$/.test(kind)
  );
}

/** True for a draft whose command may be all that is allowed. */
export function takesExact({ effect, command }: RuleDraft): boolean {
  return effect === 'allow' && command.trim() !== '';
}

/** The rule that a draft says; undefined with the reasons where it says none. */
export function ruleOf(draft: RuleDraft): { rule?: PermissionRule; problems: DraftProblems } {
  const given = (text: string): string | undefined => text.trim() || undefined;
  const value = {
    effect: draft.effect,
    ...compact({
      agent: given(draft.agent),
      kind: given(draft.kind),
      command: given(draft.command),
      path: given(draft.path),
      tool: given(draft.tool),
    }),
    ...(draft.always && draft.effect === 'allow' ? { always: true } : {}),
    ...(draft.exact && takesExact(draft) ? { exact: true } : {}),
  };
  const read = readRule(value);
  const problems: DraftProblems = {};
  for (const { field = '' } of read.problems) Object.assign(problems, PROBLEMS[field]);
  if (isBroad(draft) && !draft.broad) problems.broad = 'wrongBroad';
  return read.rule && Object.keys(problems).length === 0 ? { rule: read.rule, problems } : { problems };
}
