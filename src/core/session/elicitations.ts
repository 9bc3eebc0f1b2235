import { compact } from '../json';
import type { SessionAction } from './actions';
import { addEntry, changed } from './entries';
import type { SessionState } from './state';
import type { Touch } from './touch';

type ElicitationChange = Extract<
  SessionAction,
  { type: 'elicitationRequested' | 'elicitationAnswered' | 'elicitationCompleted' }
>;

/** Keeps the questions that the agent asks by form or web page; an answer is kept as its kind only (EL-15). */
export function applyElicitation(state: SessionState, action: ElicitationChange, touch: Touch): void {
  if (action.type === 'elicitationRequested') {
    const { requestId, message, form, url } = action;
    addEntry(state, touch, { kind: 'elicitation', requestId, message, ...compact({ form, url }) });
    return touch('turn');
  }
  // Open questions are near the end.
  for (let i = state.entries.length - 1; i >= 0; i--) {
    const entry = state.entries[i];
    if (entry?.kind !== 'elicitation' || entry.requestId !== action.requestId) continue;
    if (action.type === 'elicitationCompleted') entry.completed = true;
    else entry.outcome ??= action.action;
    changed(entry, touch);
    return touch('turn');
  }
}
