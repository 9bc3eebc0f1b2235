import type { ConnectedAgent } from '../../acp/connectAgent';
import { AgentLink, type AgentLinkOptions } from './agentLink';

/** The agents of the window by their names in the settings; each has at most one process. */
export class AgentLinks {
  private readonly links = new Map<string, AgentLink>();

  constructor(private readonly options: Omit<AgentLinkOptions, 'agentId'>) {}

  get(agentId: string): AgentLink {
    let link = this.links.get(agentId);
    if (!link) this.links.set(agentId, (link = new AgentLink({ ...this.options, agentId })));
    return link;
  }

  /** Those that run. */
  running(): { agentId: string; agent: ConnectedAgent }[] {
    return [...this.links.values()].flatMap(({ agentId, running }) =>
      running ? [{ agentId, agent: running }] : [],
    );
  }

  /** Ends all agents, or one; each is started again when a session needs it. */
  async stop(agentId?: string): Promise<void> {
    const links = [...this.links.values()].filter((link) => link.agentId === (agentId ?? link.agentId));
    await Promise.all(links.map((link) => link.stop()));
  }

  /** Ends all agents for good. */
  async close(): Promise<void> {
    await Promise.all([...this.links.values()].map((link) => link.close()));
  }
}
