/** `waiting`: for the person; `done`: a turn ended while another session was shown. */
export type SessionBadge = 'idle' | 'running' | 'waiting' | 'failed' | 'done';

/** A session in the list of the panel. */
export interface SessionRow {
  /** Parley's own id, unique in the window; for a session that only the agent knows it is made of agent and session id. */
  key: string;
  /** The agent's id; null before the agent opened it. */
  sessionId: string | null;
  agentId: string;
  agentTitle: string;
  title: string | null;
  badge: SessionBadge;
  /** ms since the epoch; null where nobody knows. */
  updatedAt: number | null;
  /** The one that the panel shows. */
  current: boolean;
  /** `open`: in memory; `kept`: its transcript is on disk; `agent`: only the agent has it (SE-19). */
  origin: 'open' | 'kept' | 'agent';
}

/** The sessions of the window, newest first. */
export interface SessionList {
  rows: SessionRow[];
  /** Agents are being asked for theirs. */
  loading: boolean;
  /** Why an agent's list is missing. */
  problem: string | null;
}
