import { compact } from '../json';
import type { PermissionRule } from '../permission/rules';
import type { ToolPatch } from './actions';
import { byId, setById } from './byId';
import { addEntry, changed } from './entries';
import type { PermissionOptionView, SessionState, ToolEntry, ToolStatus, WireStatus } from './state';
import type { Touch } from './touch';

const isFinal = (status: string): boolean => status === 'completed' || status === 'failed';
const progress = (status: WireStatus): number => (isFinal(status) ? 2 : status === 'in_progress' ? 1 : 0);
const isOpen = (entry: ToolEntry): boolean =>
  entry.status === 'pending' || entry.status === 'in_progress' || entry.status === 'waiting';

function findTool(state: SessionState, toolCallId: string): ToolEntry | undefined {
  const index = byId(state.toolIndex, toolCallId);
  const entry = index === undefined ? undefined : state.entries[index];
  return entry?.kind === 'tool' ? entry : undefined;
}

/**
 * Creates or patches the card of a tool call (TC-4, TC-6). `announced` is true for `tool_call` and permission requests: where the
 * newest call of that id ended in an earlier turn, they open a new card, since some agents use the same ids in each turn.
 */
export function upsertTool(
  state: SessionState,
  patch: ToolPatch,
  how: { announced: boolean; at: number; touch: Touch },
): ToolEntry {
  const known = findTool(state, patch.toolCallId);
  const reused = known && how.announced && known.turn !== state.turn.number && !isOpen(known);
  const entry = known && !reused ? known : newTool(state, patch.toolCallId, how.at, how.touch);
  const { status } = patch;
  takeFields(entry, patch);
  // Within a turn a call never goes back: some agents announce it after it began, or repeat the announcement after the result.
  if (status && progress(status) >= progress(entry.wire)) entry.wire = status;
  refresh(entry, how.at);
  changed(entry, how.touch);
  return entry;
}

/** Takes what the patch brought, all but the status. In place of a rest and `Object.assign`, which take three times as long. */
function takeFields(entry: ToolEntry, patch: ToolPatch): void {
  const fields = entry as Partial<Record<keyof ToolPatch, unknown>>;
  for (const name of Object.keys(patch) as (keyof ToolPatch)[])
    if (name !== 'status') fields[name] = patch[name];
}

function newTool(state: SessionState, toolCallId: string, at: number, touch: Touch): ToolEntry {
  setById(state.toolIndex, toolCallId, state.entries.length);
  return addEntry(state, touch, {
    kind: 'tool',
    toolCallId,
    title: '',
    toolKind: 'other',
    status: 'pending',
    wire: 'pending',
    content: [],
    locations: [],
    permissions: [],
    startedAt: at,
  }) as ToolEntry;
}

function refresh(entry: ToolEntry, at: number): void {
  entry.status = shownStatus(entry);
  const open = isOpen(entry);
  // Not for nothing: an object from which a member was deleted is slow and large.
  if (open && entry.endedAt !== undefined) delete entry.endedAt;
  if (!open) entry.endedAt ??= at;
}

/** Some agents tell of nothing between the announcement and the end of a call, but by the answer that they got or what it prints. */
function hasBegun({ permissions, toolKind, content }: ToolEntry): boolean {
  if (toolKind === 'execute' && content.length > 0) return true;
  const outcome = permissions.at(-1)?.outcome;
  return outcome !== undefined && outcome !== 'cancelled' && outcome.kind.startsWith('allow');
}

/** Waiting while a permission is open, then the wire's word; see "Tool call status shown" in the architecture's section 7. */
function shownStatus(entry: ToolEntry): ToolStatus {
  if (entry.permissions.some((permission) => !permission.outcome)) return 'waiting';
  if (!entry.settled) return entry.wire === 'pending' && hasBegun(entry) ? 'in_progress' : entry.wire;
  if (entry.settled === 'rejected') return entry.wire === 'completed' ? 'completed' : 'rejected';
  return isFinal(entry.wire) ? entry.wire : entry.settled;
}

/** Opens a question on the card of a call, which it makes if the call was never announced (PE-6). */
export function askPermission(
  state: SessionState,
  request: {
    requestId: string;
    patch: ToolPatch;
    options: PermissionOptionView[];
    cwd?: string;
    command?: string;
    offer?: PermissionRule[];
  },
  at: number,
  touch: Touch,
): void {
  const entry = upsertTool(state, request.patch, { announced: true, at, touch });
  delete entry.settled;
  const { requestId, options, cwd, command, offer } = request;
  entry.permissions.push({ requestId, options, ...compact({ cwd, command, offer }) });
  refresh(entry, at);
}

/** Records the answer to a question; `optionId` null means cancelled. */
export function answerPermission(
  state: SessionState,
  answer: { requestId: string; optionId: string | null; rule?: string },
  at: number,
  touch: Touch,
): void {
  for (let i = state.entries.length - 1; i >= 0; i--) {
    const entry = state.entries[i];
    if (entry?.kind !== 'tool') continue;
    const permission = entry.permissions.find((item) => item.requestId === answer.requestId);
    if (!permission) continue;
    const option = permission.options.find((item) => item.optionId === answer.optionId);
    permission.outcome = option ?? 'cancelled';
    if (answer.rule !== undefined) permission.rule = answer.rule;
    if (option?.kind.startsWith('reject')) entry.settled = 'rejected';
    refresh(entry, at);
    changed(entry, touch);
    return;
  }
}

/** Gives every open call of the current turn our own verdict (CA-4, TR-9); its open questions count as cancelled. */
export function settleOpenTools(
  state: SessionState,
  verdict: 'cancelled' | 'interrupted',
  at: number,
  touch: Touch,
): void {
  for (let i = state.turn.firstEntry; i < state.entries.length; i++) {
    const entry = state.entries[i];
    if (entry?.kind !== 'tool' || !isOpen(entry)) continue;
    for (const permission of entry.permissions) permission.outcome ??= 'cancelled';
    entry.settled ??= verdict;
    refresh(entry, at);
    changed(entry, touch);
  }
}
