import type { PageString } from '../../core/chat/strings';
import type { ToolEntry, ToolStatus } from '../../core/session/state';
import { visibleText } from '../../core/visibleText';

interface KindLook {
  icon: string;
  label: PageString;
}

const OTHER: KindLook = { icon: 'tools', label: 'toolOther' };

const KINDS: Readonly<Record<string, KindLook>> = {
  read: { icon: 'file', label: 'toolRead' },
  edit: { icon: 'edit', label: 'toolEdit' },
  delete: { icon: 'trash', label: 'toolDelete' },
  move: { icon: 'file-symlink-file', label: 'toolMove' },
  search: { icon: 'search', label: 'toolSearch' },
  execute: { icon: 'terminal', label: 'toolExecute' },
  think: { icon: 'lightbulb', label: 'toolThink' },
  fetch: { icon: 'globe', label: 'toolFetch' },
  switch_mode: { icon: 'arrow-swap', label: 'toolSwitchMode' },
  other: OTHER,
};

/** Icon and name of a kind of call; an unknown kind is a tool like others. */
export function kindLook(kind: string): KindLook {
  return (Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined) ?? OTHER;
}

/** The command of a call whose title says something else, as its card shows it; none where a terminal shows its own. */
export function commandLineOf({ toolKind, command, title, content }: ToolEntry): string[] {
  if (toolKind !== 'execute' || !command || title.includes(command)) return [];
  return content.some(({ type }) => type === 'terminal') ? [] : [`$ ${visibleText(command)}`];
}

/** Icon, label and colour of a status. */
export const STATUS_LOOK: Readonly<Record<ToolStatus, { icon: string; label: PageString; tone: string }>> = {
  pending: { icon: 'circle-large', label: 'toolPending', tone: 'dim' },
  waiting: { icon: 'shield', label: 'toolWaiting', tone: 'active' },
  in_progress: { icon: 'loading codicon-modifier-spin', label: 'toolInProgress', tone: 'active' },
  completed: { icon: 'check', label: 'toolCompleted', tone: 'ok' },
  failed: { icon: 'error', label: 'toolFailed', tone: 'bad' },
  rejected: { icon: 'circle-slash', label: 'toolRejected', tone: 'dim' },
  cancelled: { icon: 'stop-circle', label: 'toolCancelled', tone: 'dim' },
  interrupted: { icon: 'debug-disconnect', label: 'toolInterrupted', tone: 'warn' },
};

/** True for a call that has come to its end. */
export function isOver(status: ToolStatus): boolean {
  return status !== 'pending' && status !== 'in_progress' && status !== 'waiting';
}

const QUIET_KINDS = new Set(['read', 'search', 'think', 'fetch']);

/** True for a call that is one dim line, since it only looked at something and went well. */
export function isQuiet(entry: ToolEntry): boolean {
  const { toolKind, status, content, permissions } = entry;
  if (!QUIET_KINDS.has(toolKind) || status === 'failed' || status === 'waiting') return false;
  if (permissions.some((permission) => permission.outcome !== undefined && isRejection(permission.outcome)))
    return false;
  return content.every((item) => item.type === 'block' && item.block.type !== 'image');
}

function isRejection(outcome: NonNullable<ToolEntry['permissions'][number]['outcome']>): boolean {
  return outcome === 'cancelled' || outcome.kind.startsWith('reject');
}

/** Whether a card shows its inside by itself: what was done and what went wrong does, what was looked at does not. */
export function isOpenByDefault(entry: ToolEntry): boolean {
  // The question, above the composer, shows all but a terminal.
  if (entry.permissions.some((permission) => !permission.outcome))
    return entry.content.some((item) => item.type === 'terminal');
  if (entry.toolKind === 'edit' || entry.toolKind === 'execute') return true;
  return !isQuiet(entry) && textLength(entry) <= MAX_OPEN_TEXT;
}

/** Text of a result, in UTF-16 units, that is shown without being asked for. */
const MAX_OPEN_TEXT = 2_000;

function textLength({ content }: ToolEntry): number {
  const lengths = content.map((item) =>
    item.type === 'block' && item.block.type === 'text' ? item.block.text.length : 0,
  );
  return lengths.reduce((sum, length) => sum + length, 0);
}
