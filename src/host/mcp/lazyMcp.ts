import type { McpServers } from './mcpServers';
import type { VscodeMcpOptions } from './vscodeMcp';

/** What sessions and commands need of the MCP servers. */
export type McpPort = Pick<McpServers, 'serversFor' | 'choose'>;

/** The MCP servers of this window's VS Code, loaded with the first session that is opened: not with the window. */
export function lazyMcpServers(options: VscodeMcpOptions): McpPort {
  let servers: Promise<McpServers> | undefined;
  const load = async (): Promise<McpServers> => (await import('./vscodeMcp')).buildMcpServers(options);
  const loaded = (): Promise<McpServers> => (servers ??= load());
  return {
    serversFor: async (agentId, cwd, transports) => (await loaded()).serversFor(agentId, cwd, transports),
    choose: async (agentId) => (await loaded()).choose(agentId),
  };
}
