import { asNumber, asObject, asString } from '../json';
import type { SessionState } from '../session/state';
import { titleOf } from '../session/title';

/** A session whose transcript is kept, as a list shows it. */
export interface KeptSession {
  key: string;
  agentId: string;
  agentTitle: string;
  /** The agent's id; null before the agent opened it. */
  sessionId: string | null;
  cwd: string | null;
  title: string | null;
  /** ms since the epoch of the last prompt, answer or word of the agent. */
  updatedAt: number;
}

/** What the list needs to know of a session. */
export function keptOf(key: string, state: SessionState, updatedAt: number): KeptSession {
  const { agent, sessionId, cwd } = state;
  return {
    key,
    agentId: agent.id,
    agentTitle: agent.title,
    sessionId,
    cwd,
    title: titleOf(state),
    updatedAt,
  };
}

/** Reads what was written for the list; undefined for anything else. */
export function readKept(value: unknown, key: string): KeptSession | undefined {
  const item = asObject(value);
  const agentId = asString(item['agentId']);
  const updatedAt = asNumber(item['updatedAt']);
  if (item['key'] !== key || agentId === undefined || updatedAt === undefined) return undefined;
  return {
    key,
    agentId,
    agentTitle: asString(item['agentTitle']) ?? agentId,
    sessionId: asString(item['sessionId']) ?? null,
    cwd: asString(item['cwd']) ?? null,
    title: asString(item['title']) ?? null,
    updatedAt,
  };
}
