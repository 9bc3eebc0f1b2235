import type { PageString } from '../../core/chat/strings';
import { asObject, asString, type JsonObject } from '../../core/json';
import type { PermissionView, ToolEntry } from '../../core/session/state';
import { visibleText } from '../../core/visibleText';
import type { Page } from '../page';

const QUESTIONS: Readonly<Record<string, PageString>> = {
  execute: 'askCommand',
  edit: 'askEdit',
  delete: 'askDelete',
  move: 'askMove',
  read: 'askRead',
  fetch: 'askFetch',
};

/** The question that a permission request asks, by the kind of its call. */
export function questionOf(entry: ToolEntry): PageString {
  return (Object.hasOwn(QUESTIONS, entry.toolKind) ? QUESTIONS[entry.toolKind] : undefined) ?? 'askOther';
}

/** What is asked about, short enough to be said: the command, the files, the address, or the title. */
export function subjectOf(entry: ToolEntry): string {
  if (entry.command) return entry.command;
  const files = [
    ...entry.locations.map(({ path }) => path),
    ...entry.content.flatMap((item) => (item.type === 'diff' ? [item.path] : [])),
  ];
  if (files.length > 0) return [...new Set(files)].join('\n');
  return addressOf(entry) ?? entry.title;
}

const ADDRESS_FIELDS = ['url', 'uri', 'href', 'address'];

/** The address that a call would fetch, where one is found in its input. */
export function addressOf(entry: ToolEntry): string | undefined {
  if (entry.toolKind !== 'fetch' || entry.rawInput === undefined) return undefined;
  let input: JsonObject;
  try {
    input = asObject(JSON.parse(entry.rawInput));
  } catch {
    return undefined; // Cut for size: it is shown as it is.
  }
  return ADDRESS_FIELDS.map((field) => asString(input[field])).find((address) => !!address);
}

/** How a question was answered, and by which rule of the person, in one line. */
export function outcomeText({ outcome, rule }: PermissionView, t: Page['t']): string {
  if (outcome === undefined || outcome === 'cancelled') return t('outcomeCancelled');
  const [allowed, rejected] = ['allow', 'reject'].map((kind) => outcome.kind.startsWith(kind));
  if (rule !== undefined && (allowed || rejected))
    return t(allowed ? 'ruleAllowed' : 'ruleRejected', visibleText(rule));
  const name = visibleText(outcome.name);
  if (allowed) return t('outcomeAllowed', name);
  return t(rejected ? 'outcomeRejected' : 'outcomeAnswered', name);
}
