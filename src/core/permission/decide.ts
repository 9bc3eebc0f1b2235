import { isInside } from '../files/containment';
import { argvParts, commandParts, type CommandParts } from './commandParts';
import { allowsPart, mentionsCommand, ruleTouchesPart } from './commandRules';
import { nameMatcher, normalPath, pathMatcher } from './pathPatterns';
import type {
  CommandSubject,
  Decision,
  PathContext,
  PermissionRule,
  PermissionSubject,
  ScopedRule,
} from './rules';

/** UTF-16 units of the name of a tool that rules can allow. */
export const MAX_TOOL = 255;

/**
 * What the person's rules say (PE-4): the most cautious that matches wins, deny before ask before allow; where none matches, ask.
 *
 * Rules that allow are taken narrowly. A command is allowed if it is understood for certain and each of its parts is matched by some
 * rule with `command`, or if a rule matches that speaks of neither commands nor paths, nor of a kind other than `execute`: such a rule
 * was made for any command, and allows any. A path must match by its name and with its links resolved. Rules that ask or deny are
 * taken broadly: one part, one path or, where the command is not understood, its words anywhere in the text are enough.
 */
export function decide(
  rules: readonly ScopedRule[],
  subject: PermissionSubject,
  context: PathContext,
): Decision {
  const parts = subject.command && partsOf(subject.command, context.windows);
  for (const effect of ['deny', 'ask'] as const) {
    const found = rules.filter(
      ({ rule }) => rule.effect === effect && applies(rule, { subject, parts }, context),
    );
    if (found.length > 0) return { effect, rules: found };
  }
  const allowing = rules.filter(({ rule }) => rule.effect === 'allow' && fits(rule, subject, context));
  const found = runs(subject) ? coveringCommand(allowing, subject, context) : allowing.filter(isPlain);
  return found.length > 0 ? { effect: 'allow', rules: found } : { effect: 'ask', rules: [] };
}

/** A command's parts, as rules see them. */
export function partsOf(command: CommandSubject, windows: boolean): CommandParts {
  return 'line' in command ? commandParts(command.line, windows) : argvParts(command.argv, windows);
}

/** True if the rule, one that allows, matches this part of a command; the page shows it beside the part. */
export function allowsThisPart(
  rule: PermissionRule,
  part: readonly string[],
  subject: PermissionSubject,
  context: PathContext,
): boolean {
  if (rule.effect !== 'allow' || !fits(rule, subject, context)) return false;
  return rule.command === undefined ? coversAny(rule) : allowsPart(rule, part, context.windows);
}

const isPlain = ({ rule }: ScopedRule): boolean => rule.command === undefined;

const runs = ({ kind, command, guess }: PermissionSubject): boolean =>
  kind === 'execute' || command !== undefined || guess !== undefined;

const coversAny = (rule: PermissionRule): boolean =>
  rule.command === undefined && rule.path === undefined && (rule.kind ?? 'execute') === 'execute';

/** The rules that together allow the command; none where a part is left over. */
function coveringCommand(
  allowing: readonly ScopedRule[],
  subject: PermissionSubject,
  context: PathContext,
): ScopedRule[] {
  const forAny = allowing.filter(({ rule }) => coversAny(rule));
  if (forAny.length > 0 || !subject.command) return forAny;
  const { parts, sure } = partsOf(subject.command, context.windows);
  if (!sure || parts.length === 0 || !staysInside(subject.cwd, context)) return [];
  if (parts.length > 1 && parts.some((part) => leaves(part, context))) return [];
  const found = new Set<ScopedRule>();
  for (const part of parts) {
    const matching = allowing.filter(
      ({ rule }) => rule.command !== undefined && allowsPart(rule, part, context.windows),
    );
    if (matching.length === 0) return [];
    for (const rule of matching) found.add(rule);
  }
  return [...found];
}

/** `npm test` means the one of the person's folders. */
function staysInside(cwd: string | undefined, context: PathContext): boolean {
  if (cwd === undefined) return true;
  // The home folder, a variable, an address: where that is, is not known here.
  if (/^[~$]|^[a-z][a-z\d+.-]+:[\\/]/i.test(cwd)) return false;
  return context.roots.some((root) => {
    const base = normalPath(root, context);
    const path = normalPath(cwd, context) ?? normalPath(`${root}/${cwd}`, context);
    return base !== undefined && path !== undefined && isInside(path, base, context);
  });
}

/** True for a part that may take those after it out of the person's folders. */
function leaves([program = '', ...rest]: readonly string[], context: PathContext): boolean {
  if (!CHANGES_FOLDER.has(program)) return false;
  const [folder = ''] = rest;
  return rest.length !== 1 || /^[-+~]|[$`*?[]|^$/.test(folder) || !staysInside(folder, context);
}

const CHANGES_FOLDER = new Set(['cd', 'chdir', 'pushd', 'popd']);

/** Whether the fields other than the command match, by the narrow reading. */
function fits(rule: PermissionRule, subject: PermissionSubject, context: PathContext): boolean {
  return isFor(rule, subject) && (rule.path === undefined || everyPath(rule.path, subject, context));
}

function isFor(rule: PermissionRule, subject: PermissionSubject): boolean {
  if (rule.agent !== undefined && rule.agent !== subject.agent) return false;
  if (rule.kind !== undefined && rule.kind !== subject.kind && !runsAnyway(rule, subject)) return false;
  return rule.tool === undefined || toolMatches(rule, subject.tool);
}

/** Whatever an agent calls it, what has a command runs one; rules that allow take the agent's word for less. */
function runsAnyway({ effect, kind }: PermissionRule, subject: PermissionSubject): boolean {
  return effect !== 'allow' && kind === 'execute' && runs(subject);
}

function toolMatches({ tool: pattern = '', effect }: PermissionRule, tool: string | undefined): boolean {
  if (tool === undefined) return false;
  // No tool has such a name, and to match it would take long.
  if (tool.length > MAX_TOOL) return effect !== 'allow';
  // In the name of a tool `/` is like any other character.
  const matcher = nameMatcher(pattern.replaceAll('/', '\u0001'), effect !== 'allow');
  return matcher ? matcher(tool.replaceAll('/', '\u0001')) : effect !== 'allow';
}

function everyPath(pattern: string, subject: PermissionSubject, context: PathContext): boolean {
  const matcher = pathMatcher(pattern, context);
  if (!matcher || subject.paths.length === 0) return false;
  const matches = (path: string | undefined): boolean => {
    const normal = path === undefined ? undefined : normalPath(path, context);
    return normal !== undefined && matcher.exact(normal);
  };
  return subject.paths.every(({ path, real }) => matches(path) && matches(real));
}

/** Whether a rule that asks or denies matches, by the broad reading. */
function applies(
  rule: PermissionRule,
  { subject, parts }: { subject: PermissionSubject; parts: CommandParts | undefined },
  context: PathContext,
): boolean {
  if (!isFor(rule, subject)) return false;
  if (rule.path !== undefined && !somePath(rule.path, subject, context)) return false;
  return rule.command === undefined || touchesCommand(rule.command, { subject, parts }, context);
}

function touchesCommand(
  command: string,
  { subject, parts }: { subject: PermissionSubject; parts: CommandParts | undefined },
  { windows }: PathContext,
): boolean {
  if (!parts || !subject.command)
    return subject.guess !== undefined && mentionsCommand(command, subject.guess);
  if (parts.parts.some((part) => ruleTouchesPart(command, part, windows))) return true;
  const text = 'line' in subject.command ? subject.command.line : subject.command.argv.join(' ');
  return !parts.sure && mentionsCommand(command, text);
}

function somePath(pattern: string, subject: PermissionSubject, context: PathContext): boolean {
  const matcher = pathMatcher(pattern, context);
  if (!matcher) return subject.paths.length > 0;
  const readings = (path: string): string[] => {
    const normal = normalPath(path, context);
    return normal === undefined ? context.roots.map((root) => `${root}/${path}`) : [normal];
  };
  return subject.paths.some(({ path, real }) =>
    [path, ...(real === undefined ? [] : [real])]
      .flatMap(readings)
      .some((reading) => matcher.within(reading)),
  );
}
