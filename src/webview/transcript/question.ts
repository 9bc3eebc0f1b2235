import type { PageString } from '../../core/chat/strings';
import type { PermissionView, ToolEntry } from '../../core/session/state';
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

/** What exactly is asked about: the command, the places, or the input. */
export function subjectOf(entry: ToolEntry): string {
  if (entry.command) return entry.command;
  const places = entry.locations.map(({ path, line }) => (line === undefined ? path : `${path}:${line}`));
  if (places.length > 0) return places.join('\n');
  return entry.rawInput ?? entry.title;
}

/** How a question was answered, in one line. */
export function outcomeText(outcome: NonNullable<PermissionView['outcome']>, t: Page['t']): string {
  if (outcome === 'cancelled') return t('outcomeCancelled');
  if (outcome.kind.startsWith('allow')) return t('outcomeAllowed', outcome.name);
  return t(outcome.kind.startsWith('reject') ? 'outcomeRejected' : 'outcomeAnswered', outcome.name);
}
