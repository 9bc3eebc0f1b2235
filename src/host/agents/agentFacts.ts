import type { ProcessExit } from '../../acp/agentProcess';
import type { ConnectedAgent } from '../../acp/connectAgent';
import type { ClientCapabilities } from '../../core/acp';
import { Emitter } from '../../core/emitter';

/** What is known of the last start of an agent. */
export interface StartFacts {
  /** ms since the epoch. */
  readonly at: number;
  /** What Parley tells the agent. */
  readonly announced: ClientCapabilities;
  agent?: ConnectedAgent;
  /** ms after `at` at which it had introduced itself. */
  introduced?: number;
  /** ms from the request that opened a session first to its answer. */
  opened?: number;
  /** Names of the MCP servers that its last session was given. */
  servers?: string[];
  failure?: unknown;
  exit?: ProcessExit;
}

/** Remembers of each agent its last start in this window, for the diagnostics page. */
export class AgentFacts {
  private readonly starts = new Map<string, StartFacts>();
  private readonly changed = new Emitter<string>();
  /** The name of the agent of which something else is known. */
  readonly onDidChange = this.changed.event;

  last(agentId: string): StartFacts | undefined {
    return this.starts.get(agentId);
  }

  /** Follows a start, and gives its result. */
  async follow(
    agentId: string,
    announced: ClientCapabilities,
    connecting: Promise<ConnectedAgent>,
  ): Promise<ConnectedAgent> {
    const start: StartFacts = { at: Date.now(), announced };
    this.starts.set(agentId, start);
    this.changed.fire(agentId);
    try {
      const agent = (start.agent = await connecting);
      start.introduced = Date.now() - start.at;
      void agent.process.exited.then((exit) => {
        start.exit = exit;
        this.changed.fire(agentId);
      });
      return agent;
    } catch (error) {
      start.failure = error;
      throw error;
    } finally {
      this.changed.fire(agentId);
    }
  }

  /** A session of the agent was opened, in `ms`. */
  sessionOpened(agentId: string, ms: number): void {
    const start = this.starts.get(agentId);
    if (!start) return;
    start.opened ??= ms;
    this.changed.fire(agentId);
  }

  /** A session of the agent gets these MCP servers. */
  serversGiven(agentId: string, names: string[]): void {
    const start = this.starts.get(agentId);
    if (start) start.servers = names;
  }
}
