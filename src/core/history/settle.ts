import { changed } from '../session/entries';
import { applyAction } from '../session/reduce';
import type { SessionState } from '../session/state';
import { settleOpenTools } from '../session/toolCalls';

const nobody = (): void => undefined;

/**
 * Closes what was open when the recording ended, in place: the turn is interrupted, open calls too, questions count as cancelled,
 * prompts that wait are held back until the person says so. `at`: ms since the epoch of the last thing that is known.
 */
export function settle(state: SessionState, at: number): void {
  applyAction(state, { type: 'agentLost', at }, nobody);
  // Also what came late and belongs to no turn that ran.
  settleOpenTools({ ...state, turn: { ...state.turn, firstEntry: 0 } }, 'interrupted', at, nobody);
  for (const entry of state.entries) {
    if (entry.kind !== 'elicitation' || entry.outcome) continue;
    entry.outcome = 'cancel';
    changed(entry, nobody);
  }
  for (const terminal of Object.values(state.terminals)) {
    if (terminal.exit) continue;
    terminal.exit = { code: null, signal: null };
    terminal.endedAt = at;
  }
  if (state.queue.items.length > 0) state.queue = { items: state.queue.items, paused: true };
}
