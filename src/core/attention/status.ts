import type { SessionBadge } from '../chat/sessionRow';

/** What the status bar needs to know of an open session. */
export interface Glance {
  key: string;
  agent: string;
  badge: SessionBadge;
  /** Ids of the questions by form or page that wait. */
  elicitations: readonly string[];
  /** How many permissions wait. */
  permissions: number;
}

/** What the status bar says of all sessions together. `key`: the session that a click shows. */
export type Status =
  | { kind: 'waiting'; permissions: number; elicitations: number; key: string; requestId?: string }
  | { kind: 'signIn'; key: string; agent: string }
  | { kind: 'running'; count: number; key: string; agent: string }
  | { kind: 'failed'; key: string; agent: string }
  | { kind: 'idle'; key: string; agent: string };

/** The weightiest that can be said: a question, then what runs, then a failure; undefined without sessions. `shown`: key of the session that the person is with. */
export function statusOf(glances: readonly Glance[], shown: string | undefined): Status | undefined {
  const first = glances.find(({ key }) => key === shown) ?? glances[0];
  if (!first) return undefined;
  const waiting = waitingStatus(glances);
  if (waiting) return waiting;
  const named = (kind: 'signIn' | 'failed' | 'idle', { key, agent }: Glance): Status => ({
    kind,
    key,
    agent,
  });
  const running = glances.filter(({ badge }) => badge === 'running');
  const one = running.find(({ key }) => key === shown) ?? running[0];
  if (one) return { kind: 'running', count: running.length, key: one.key, agent: one.agent };
  const signIn = glances.find(({ badge }) => badge === 'waiting');
  if (signIn) return named('signIn', signIn);
  const failed = glances.find(({ badge }) => badge === 'failed');
  return failed ? named('failed', failed) : named('idle', first);
}

function waitingStatus(glances: readonly Glance[]): Status | undefined {
  const asking = glances.filter(({ permissions, elicitations }) => permissions + elicitations.length > 0);
  const [first] = asking;
  if (!first) return undefined;
  const permissions = asking.reduce((sum, item) => sum + item.permissions, 0);
  const elicitations = asking.reduce((sum, item) => sum + item.elicitations.length, 0);
  const [requestId] = first.elicitations;
  const question = requestId === undefined ? {} : { requestId };
  return { kind: 'waiting', permissions, elicitations, key: first.key, ...question };
}

/** How many sessions wait for the person: the number on the view. */
export function waitingCount(glances: readonly Glance[]): number {
  return glances.filter(({ badge }) => badge === 'waiting').length;
}
