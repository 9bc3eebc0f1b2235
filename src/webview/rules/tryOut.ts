import { allowsThisPart, decide, partsOf } from '../../core/permission/decide';
import { normalPath } from '../../core/permission/pathPatterns';
import type { Decision, PermissionSubject, ScopedRule } from '../../core/permission/rules';
import type { RulesView } from '../../core/permission/rulesProtocol';

/** What the person asks about. */
export interface Trial {
  agent: string;
  kind: string;
  command: string;
  path: string;
  tool: string;
}

/** What would happen, and for a command how it was read. */
export interface Verdict {
  decision: Decision;
  parts: { words: string[]; rules: ScopedRule[] }[];
  sure: boolean;
}

/** Decides a trial as the extension would; undefined where nothing is filled in. */
export function tryOut(trial: Trial, view: RulesView): Verdict | undefined {
  const { command, path, tool } = trial;
  if ([command, path, tool].every((text) => text.trim() === '')) return undefined;
  const { context } = view;
  const rules = view.rules.filter(({ scope }) => view.workspaceTrusted || scope !== 'workspace');
  const subject = subjectOf(trial, view);
  const decision = decide(rules, subject, context);
  if (!subject.command) return { decision, parts: [], sure: true };
  const { parts, sure } = partsOf(subject.command, context.windows);
  return {
    decision,
    sure,
    parts: parts.map((words) => ({
      words,
      rules: rules.filter(({ rule }) => allowsThisPart(rule, words, subject, context)),
    })),
  };
}

function subjectOf({ agent, kind, command, path, tool }: Trial, { context }: RulesView): PermissionSubject {
  const given = path.trim();
  const absolute = given.replace(/^~(?=[\\/]|$)/, () => context.home);
  const place = normalPath(absolute, context) ?? `${context.roots[0] ?? ''}/${given}`;
  return {
    agent,
    kind,
    ...(command.trim() ? { command: { line: command.trim() } } : {}),
    ...(tool.trim() ? { tool: tool.trim() } : {}),
    paths: given ? [{ path: place, real: place }] : [],
  };
}
