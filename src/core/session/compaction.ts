import type { SessionUpdate } from './actions';
import { byId, setById } from './byId';
import { addEntry, changed } from './entries';
import { append } from './messages';
import type { CompactionEntry, SessionState } from './state';
import type { Touch } from './touch';

type CompactionUpdate = Extract<SessionUpdate, { kind: 'compaction' | 'compactionChunk' }>;

/** Creates or changes the entry of a compaction; the first word of it fixes its place (NO-3, NO-4). */
export function applyCompaction(state: SessionState, update: CompactionUpdate, touch: Touch): void {
  const entry =
    findCompaction(state, update.compactionId) ?? newCompaction(state, update.compactionId, touch);
  if (update.kind === 'compactionChunk') {
    append(entry.summary, update.block);
  } else {
    if (update.status !== undefined) entry.status = update.status;
    if (update.summary !== undefined) entry.summary = update.summary.map((block) => ({ ...block }));
    if (update.error === null) delete entry.error;
    else if (update.error !== undefined) entry.error = update.error;
  }
  changed(entry, touch);
}

/** Says of the compactions of a turn that ended before them that they did too; the agent may know better later. */
export function settleCompactions(state: SessionState, verdict: 'cancelled' | 'failed', touch: Touch): void {
  for (const entry of state.entries.slice(state.turn.firstEntry)) {
    if (entry.kind !== 'compaction' || entry.status !== 'in_progress') continue;
    entry.status = verdict;
    changed(entry, touch);
  }
}

function findCompaction(state: SessionState, compactionId: string): CompactionEntry | undefined {
  const index = byId(state.compactionIndex, compactionId);
  const entry = index === undefined ? undefined : state.entries[index];
  return entry?.kind === 'compaction' ? entry : undefined;
}

function newCompaction(state: SessionState, compactionId: string, touch: Touch): CompactionEntry {
  setById(state.compactionIndex, compactionId, state.entries.length);
  return addEntry(state, touch, {
    kind: 'compaction',
    compactionId,
    status: 'in_progress',
    summary: [],
  }) as CompactionEntry;
}
