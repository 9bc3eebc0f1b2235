import type { SessionBadge } from '../chat/sessionRow';
import type { BlockView, ElicitationEntry, Entry, PermissionView, SessionState, ToolEntry } from './state';

/** True while a prompt is on its way, cancelled or not. */
export function isBusy(state: SessionState): boolean {
  return state.turn.status === 'running' || state.turn.status === 'cancelling';
}

/**
 * True where a prompt can be sent: also before the agent runs or after it ended, since sending starts it, and while a turn runs, since
 * it is queued then.
 */
export function canSend(state: SessionState): boolean {
  return state.connection.status !== 'auth';
}

/** How far back a question by form may be that still waits: it can be older than the turn (EL-6). */
const QUESTION_REACH = 500;

/** Questions by form or page that wait for the person, oldest first. */
export function openElicitations(state: SessionState): ElicitationEntry[] {
  const from = Math.min(state.turn.firstEntry, Math.max(0, state.entries.length - QUESTION_REACH));
  return state.entries
    .slice(from)
    .flatMap((entry) => (entry.kind === 'elicitation' && !entry.outcome ? [entry] : []));
}

/** True while something is asked that only the person can answer. */
export function hasOpenQuestions(state: SessionState): boolean {
  return openPermissions(state).length > 0 || openElicitations(state).length > 0;
}

/** The badge of a session in the list; `seen` is false if its last turn ended while another session was shown. */
export function badgeOf(state: SessionState, seen: boolean): SessionBadge {
  if (hasOpenQuestions(state)) return 'waiting';
  if (state.connection.status === 'auth') return 'waiting';
  if (isBusy(state)) return 'running';
  if (state.turn.status === 'failed' || state.connection.status === 'exited') return 'failed';
  return seen ? 'idle' : 'done';
}

/** Open questions of the current turn, oldest first. */
export function openPermissions(state: SessionState): { entry: ToolEntry; permission: PermissionView }[] {
  const open: { entry: ToolEntry; permission: PermissionView }[] = [];
  for (let i = state.turn.firstEntry; i < state.entries.length; i++) {
    const entry = state.entries[i];
    if (entry?.kind !== 'tool') continue;
    for (const permission of entry.permissions) if (!permission.outcome) open.push({ entry, permission });
  }
  return open;
}

/** How much of the plan is done. */
export function planProgress(state: SessionState): { done: number; total: number } {
  return { done: state.plan.filter((item) => item.status === 'completed').length, total: state.plan.length };
}

/** The text of blocks; other blocks are left out. */
export function textOf(blocks: readonly BlockView[]): string {
  return blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

/** What the agent said in the current turn, tool calls left out. */
export function turnText(state: SessionState): string {
  const said = (entry: Entry): boolean => entry.kind === 'agent';
  return state.entries
    .slice(state.turn.firstEntry)
    .filter(said)
    .map((entry) => ('blocks' in entry ? textOf(entry.blocks) : ''))
    .join('\n\n');
}
