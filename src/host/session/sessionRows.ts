import type { SessionBadge, SessionRow } from '../../core/chat/sessionRow';
import type { SessionState } from '../../core/session/state';
import { isBusy } from '../../core/session/select';
import { titleOf } from '../../core/session/title';
import type { KeptSession } from '../history/history';
import { isSame, keyOf, type OnAgent } from './agentSessions';
import type { OpenSession } from './sessions';

/** A session that is open in the window. */
export interface OpenRow {
  key: string;
  state: SessionState;
  badge: SessionBadge;
  /** ms since the epoch of the last prompt or turn end. */
  touchedAt: number | null;
}

/** All sessions that there are, each at one or more places. */
export interface KnownSessions {
  open: readonly OpenRow[];
  kept: readonly KeptSession[];
  onAgents: readonly OnAgent[];
}

/** The rows of the list, newest first, one for each session. `shown`: the key of the one to mark; `now` in ms since the epoch. */
export function rowsOf(known: KnownSessions, shown: string | undefined, now: number): SessionRow[] {
  const open = known.open.map((item) => openRow(item, known.onAgents, { shown, now }));
  const held = new Set(open.map(({ key }) => key));
  const kept = known.kept.filter(({ key }) => !held.has(key)).map(keptRow);
  const ids = new Set([...open, ...kept].map((row) => `${row.agentId}\n${row.sessionId ?? ''}`));
  const onAgents = known.onAgents
    .filter(({ agentId, session }) => !ids.has(`${agentId}\n${session.sessionId}`))
    .map(agentRow);
  return [...open, ...kept, ...onAgents].sort((a, b) => (b.updatedAt ?? 0) - (a.updatedAt ?? 0));
}

function openRow(
  { key, state, badge, touchedAt }: OpenRow,
  onAgents: readonly OnAgent[],
  { shown, now }: { shown: string | undefined; now: number },
): SessionRow {
  const listed = onAgents.find((item) => isSame(item, state))?.session;
  const said = Date.parse(state.updatedAt ?? '');
  return {
    key,
    sessionId: state.sessionId,
    agentId: state.agent.id,
    agentTitle: state.agent.title,
    title: titleOf(state) ?? listed?.title ?? null,
    badge,
    updatedAt: Number.isNaN(said) ? (touchedAt ?? listed?.updatedAt ?? now) : said,
    current: key === shown,
    origin: 'open',
  };
}

const keptRow = (kept: KeptSession): SessionRow => closedRow(kept, 'kept');

function agentRow(item: OnAgent): SessionRow {
  const { agentId, agentTitle, session } = item;
  return closedRow({ ...session, key: keyOf(item), agentId, agentTitle }, 'agent');
}

/** The row of a session that is not open: nothing happens in it. */
function closedRow(
  known: Omit<SessionRow, 'badge' | 'current' | 'origin'>,
  origin: SessionRow['origin'],
): SessionRow {
  const { key, sessionId, agentId, agentTitle, title, updatedAt } = known;
  return { key, sessionId, agentId, agentTitle, title, updatedAt, badge: 'idle', current: false, origin };
}

/** True for a session in which nothing happened yet. */
export function isUnused({ store: { state }, controller }: OpenSession): boolean {
  return (
    !controller.fromAgent && state.entries.length === 0 && !isBusy(state) && state.queue.items.length === 0
  );
}
