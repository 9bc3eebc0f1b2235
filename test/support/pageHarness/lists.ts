import type { SessionBadge, SessionList, SessionRow } from '../../../src/core/chat/sessionRow';

const MINUTE = 60_000;

interface RowOptions extends Partial<SessionRow> {
  badge: SessionBadge;
  /** Age in minutes. */
  age: number;
}

const row = (key: string, title: string | null, now: number, options: RowOptions): SessionRow => {
  const { age, ...rest } = options;
  return {
    key,
    sessionId: `session-${key}`,
    agentId: 'Copilot',
    agentTitle: 'GitHub Copilot',
    title,
    updatedAt: now - age * MINUTE,
    current: false,
    origin: 'open',
    ...rest,
  };
};

/** One session for each badge, and one that only the agent has. */
const severalSessions = (now: number): SessionList => ({
  loading: false,
  problem: null,
  rows: [
    row('k1', 'Flaky date test', now, { badge: 'idle', age: 0, current: true }),
    row('k2', 'Move the checkout page to the new router', now, {
      badge: 'running',
      age: 2,
      agentTitle: 'Claude Code',
      agentId: 'Claude Code',
    }),
    row('k3', 'Rename the orders table, keep the old view for the reports until May', now, {
      badge: 'waiting',
      age: 9,
    }),
    row('k4', null, now, { badge: 'failed', age: 47, sessionId: null, agentTitle: 'Gemini CLI' }),
    row('k5', 'Explain the retry logic', now, { badge: 'done', age: 3 * 60, origin: 'kept' }),
    row('k6', 'Draft release notes for 2.4\u202E', now, {
      badge: 'idle',
      age: 26 * 60,
      origin: 'agent',
      agentTitle: 'Claude Code',
    }),
  ],
});

/** More sessions than fit, one agent of which is still being asked and one could not be. */
const manySessions = (now: number): SessionList => {
  const { rows } = severalSessions(now);
  const more = Array.from({ length: 24 }, (_, i) =>
    row(`m${i}`, `Earlier work, part ${i}`, now, { badge: 'idle', age: (i + 2) * 1440, origin: 'kept' }),
  );
  const problem = 'Gemini CLI did not tell its sessions: the agent stopped (exit code 1).';
  return { rows: [...rows, ...more], loading: true, problem };
};

const noSessions = (): SessionList => ({ rows: [], loading: false, problem: null });

const lists: Readonly<Record<string, (now: number) => SessionList>> = {
  sessions: severalSessions,
  manySessions,
};

/** The list of sessions beside a scene (`now`: ms since the epoch); empty for most. */
export const listOf = (scene: string, now: number): SessionList => (lists[scene] ?? noSessions)(now);
