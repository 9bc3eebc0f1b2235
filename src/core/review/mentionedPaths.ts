import type { SessionAction } from '../session/actions';

const NONE: readonly string[] = [];

/** The paths that an action names as ones that the agent may be about to change. */
export function mentionedPaths(action: SessionAction): readonly string[] {
  if (action.type === 'permissionRequested') return pathsOf(action.patch);
  if (action.type !== 'update') return NONE;
  const { update } = action;
  return update.kind === 'toolCall' || update.kind === 'toolCallUpdate' ? pathsOf(update.patch) : NONE;
}

function pathsOf({
  locations = [],
  content = [],
}: Extract<SessionAction, { type: 'permissionRequested' }>['patch']): string[] {
  const diffs = content.flatMap((item) => (item.type === 'diff' ? [item.path] : []));
  return [...locations.map(({ path }) => path), ...diffs];
}
