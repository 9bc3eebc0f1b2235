import type { SessionAction } from './actions';

type Update = Extract<SessionAction, { type: 'update' }>;
type ToolUpdate = Update & { update: Extract<Update['update'], { kind: 'toolCallUpdate' }> };

/** True for an update of a call that another may take in: it brings neither an end nor something beside the call. */
export function isJoinable(action: SessionAction): action is ToolUpdate {
  if (action.type !== 'update' || action.meta || action.update.kind !== 'toolCallUpdate') return false;
  const { status } = action.update.patch;
  return status === undefined || status === 'in_progress';
}

/**
 * Two updates of one call as one that leads to the same state; undefined where that is not so. Some agents repeat all of an output with
 * each line that is added to it.
 */
export function joinToolUpdates(first: SessionAction, second: SessionAction): SessionAction | undefined {
  if (!isJoinable(first) || !isJoinable(second)) return undefined;
  const [one, two] = [first.update.patch, second.update.patch];
  if (one.toolCallId !== two.toolCallId || one.status !== two.status) return undefined;
  return { ...first, update: { kind: 'toolCallUpdate', patch: { ...one, ...two } } };
}
