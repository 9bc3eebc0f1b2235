import type { SessionAction } from '../session/actions';
import { isBusy } from '../session/select';
import type { SessionState } from '../session/state';

/** Something in a session that a person should know of, though they look elsewhere. */
export type AttentionEvent =
  | { kind: 'permission' | 'elicitation'; requestId: string }
  | { kind: 'signIn' }
  /** The turn failed, as when its agent went away. `error`: why, in a sentence. */
  | { kind: 'failed'; error: string }
  | { kind: 'ended'; stopReason: string };

/** What an action means for the attention of the person. */
export type AttentionStep =
  | { type: 'raise'; event: AttentionEvent }
  /** A question was answered, here or elsewhere. */
  | { type: 'answered'; requestId: string }
  | { type: 'signedIn' }
  /** The next turn began: how the one before it ended is no news any more. */
  | { type: 'begun' };

/**
 * Reads what an action means, after it was applied; undefined where it means nothing. The end of a turn that the person stopped, or that
 * a queued prompt follows, is no news; neither is what a loaded transcript says.
 */
export function readAttention(action: SessionAction, state: SessionState): AttentionStep | undefined {
  switch (action.type) {
    case 'permissionRequested':
      return { type: 'raise', event: { kind: 'permission', requestId: action.requestId } };
    case 'elicitationRequested':
      return { type: 'raise', event: { kind: 'elicitation', requestId: action.requestId } };
    case 'permissionAnswered':
    case 'elicitationAnswered':
      return { type: 'answered', requestId: action.requestId };
    case 'connectionChanged':
      return action.status === 'auth' ? { type: 'raise', event: { kind: 'signIn' } } : { type: 'signedIn' };
    case 'promptSubmitted':
      return { type: 'begun' };
    case 'turnFailed':
      return raiseEnd(state, action.turn, { kind: 'failed', error: action.error.message });
    case 'turnEnded':
      return readEnd(action, state);
    default:
      return undefined;
  }
}

function readEnd(
  { turn, stopReason }: Extract<SessionAction, { type: 'turnEnded' }>,
  state: SessionState,
): AttentionStep | undefined {
  const { items, paused } = state.queue;
  const goesOn = items.length > 0 && !paused && stopReason !== 'refusal';
  if (stopReason === 'cancelled' || goesOn) return undefined;
  return raiseEnd(state, turn, { kind: 'ended', stopReason });
}

/** The end of a turn that is not the current one any more says nothing. */
function raiseEnd(state: SessionState, turn: number, event: AttentionEvent): AttentionStep | undefined {
  return isBusy(state) || state.turn.number !== turn ? undefined : { type: 'raise', event };
}
