import type { AgentClient } from '../../acp/agentClient';
import type { ConnectedAgent } from '../../acp/connectAgent';
import { toErrorView } from '../../core/errors';
import { asList, asObject, asString } from '../../core/json';
import type { SessionState } from '../../core/session/state';

/** Pages that are asked for at most; an agent that has more, or never ends, is cut off there (SE-16). */
const MAX_PAGES = 100;

/** A session as an agent lists it. */
export interface ListedSession {
  sessionId: string;
  cwd: string | null;
  title: string | null;
  /** ms since the epoch. */
  updatedAt: number | null;
}

/**
 * Asks an agent for all of its sessions of a folder, page by page (SE-15..17). A cursor that comes again ends the list.
 *
 * @throws what the agent answers to the first page; a later page that fails ends the list.
 */
export async function listAgentSessions(client: AgentClient, cwd: string): Promise<ListedSession[]> {
  const found = new Map<string, ListedSession>();
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = asObject(await nextPage(client, cwd, cursor));
    for (const session of asList(answer['sessions']).flatMap(readListed))
      found.set(session.sessionId, session);
    cursor = asString(answer['nextCursor']);
    // An empty cursor is one by type, but no agent could mean anything by it (client-duties, section e, 38).
    if (!cursor || seen.has(cursor)) break;
    seen.add(cursor);
  }
  return [...found.values()];
}

async function nextPage(client: AgentClient, cwd: string, cursor: string | undefined): Promise<unknown> {
  try {
    return await client.listSessions(cwd, cursor);
  } catch (error) {
    if (cursor === undefined) throw error;
    return {}; // What came before is better than nothing.
  }
}

function readListed(value: unknown): ListedSession[] {
  const item = asObject(value);
  const sessionId = asString(item['sessionId']);
  if (sessionId === undefined) return [];
  const updatedAt = Date.parse(asString(item['updatedAt']) ?? '');
  return [
    {
      sessionId,
      cwd: asString(item['cwd']) ?? null,
      title: asString(item['title']) ?? null,
      updatedAt: Number.isNaN(updatedAt) ? null : updatedAt,
    },
  ];
}

/** A session that an agent listed. */
export interface OnAgent {
  agentId: string;
  agentTitle: string;
  session: ListedSession;
}

/** The key of the row of a session that only the agent knows. */
export const keyOf = ({ agentId, session }: OnAgent): string => `agent:${agentId}:${session.sessionId}`;

/** True if a session that an agent listed is the one with that state. */
export const isSame = ({ agentId, session }: OnAgent, state: SessionState): boolean =>
  agentId === state.agent.id && session.sessionId === state.sessionId;

interface Running {
  agentId: string;
  agent: ConnectedAgent;
}

/** Asks all agents that run and can tell for their sessions of a folder; `failed` gives what to show of one that did not answer. */
export async function listOnAgents(
  running: readonly Running[],
  cwd: string,
  failed: (agent: { agentId: string; agentTitle: string }, error: unknown) => OnAgent[],
): Promise<OnAgent[]> {
  const asked = running.map(async ({ agentId, agent }): Promise<OnAgent[]> => {
    const { introduction, client } = agent;
    if (!introduction.abilities.list) return [];
    const agentTitle = introduction.title ?? introduction.name ?? agentId;
    try {
      const sessions = await listAgentSessions(client, cwd);
      return sessions.map((session) => ({ agentId, agentTitle, session }));
    } catch (error) {
      return failed({ agentId, agentTitle }, error);
    }
  });
  return (await Promise.all(asked)).flat();
}

/** Deletes a session with an agent that can do that (SE-20). */
export async function deleteOnAgent(
  { introduction, client }: ConnectedAgent,
  sessionId: string,
  log: (line: string) => void,
): Promise<void> {
  if (!introduction.abilities.delete) return;
  // An agent that does not know it any more has nothing to delete (RP-8).
  await client
    .deleteSession(sessionId)
    .catch((error: unknown) => log(`session/delete: ${toErrorView(error).message}`));
}
