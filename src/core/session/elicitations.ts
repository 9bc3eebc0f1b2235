import type { FormView } from '../elicitation/form';
import { compact } from '../json';
import type { SessionAction } from './actions';
import { addEntry, changed } from './entries';
import type { ElicitationEntry, SessionState } from './state';
import type { Touch } from './touch';

type ElicitationChange = Extract<
  SessionAction,
  { type: 'elicitationRequested' | 'elicitationAnswered' | 'elicitationCompleted' }
>;

/**
 * Keeps the questions that the agent asks by form or web page; an answer is kept as its kind only (EL-15). The first answer counts, but
 * a page that the person agreed to open can still be given up, which ends the waiting (EL-26).
 */
export function applyElicitation(state: SessionState, action: ElicitationChange, touch: Touch): void {
  if (action.type === 'elicitationRequested') {
    const { requestId, message, form, url } = action;
    addEntry(state, touch, {
      kind: 'elicitation',
      requestId,
      message,
      ...compact({ form: form && copyOf(form), url }),
    });
    return touch('turn');
  }
  // Open questions are near the end.
  for (let i = state.entries.length - 1; i >= 0; i--) {
    const entry = state.entries[i];
    if (entry?.kind !== 'elicitation' || entry.requestId !== action.requestId) continue;
    if (action.type === 'elicitationCompleted') entry.completed = true;
    else if (!entry.outcome || isWaitingForPage(entry)) entry.outcome = action.action;
    changed(entry, touch);
    return touch('turn');
  }
}

/** True while a page is open in the browser and the agent has not said that it is done (EL-26). */
export function isWaitingForPage(entry: ElicitationEntry): boolean {
  return entry.url !== undefined && entry.outcome === 'accept' && entry.completed !== true;
}

function copyOf(form: FormView): FormView {
  return { ...form, fields: form.fields.map((field) => ({ ...field })) };
}
