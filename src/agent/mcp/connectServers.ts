import type { Tool } from '../tools/tool';
import { AGENT_VERSION } from '../version';
import type { ListedTool, OpenClient } from './serverClient';
import type { McpServerConfig } from './serverConfig';
import { ServerLink } from './serverLink';
import { CALL_LIMIT_MS, serverTool } from './serverTool';
import { ToolNames } from './toolNames';

/** ms that a server may take to connect and to list its tools. */
const CONNECT_LIMIT_MS = 20_000;

/** Most tools of all servers of a session; model services take not many more. */
export const MAX_TOOLS = 100;

export interface ConnectOptions {
  /** The session's tools, to which those of the servers are added; they follow what the servers say. */
  tools: Map<string, Tool>;
  cwd: string;
  roots: readonly string[];
  log: (line: string) => void;
  connectLimitMs?: number;
  callLimitMs?: number;
  open?: OpenClient;
}

/** The MCP servers of a session. */
export interface ConnectedServers {
  /** Resolves when every server is connected or has failed; never rejects. */
  readonly ready: Promise<void>;
  /** A sentence for each server or tool that can't be used; complete when `ready`. */
  readonly problems: readonly string[];
  /** Ends the connections; resolves when the servers' processes are gone. */
  dispose(): Promise<void>;
}

/** Connects to MCP servers side by side. One that fails is a problem of its own and no failure of the session. */
export function connectServers(
  servers: readonly McpServerConfig[],
  options: ConnectOptions,
): ConnectedServers {
  const problems: string[] = [];
  const set = new ServerTools(options.tools, options.callLimitMs ?? CALL_LIMIT_MS);
  const { open = openLazily, cwd, roots, log, connectLimitMs = CONNECT_LIMIT_MS } = options;
  let isDisposed = false;
  const tell = (problem: string): void => {
    // That a server was not waited for is no problem.
    if (!isDisposed) problems.push(problem);
  };
  const links = servers.map((server, index) => {
    const link: ServerLink = new ServerLink(server, {
      ...{ open, cwd, roots, log, connectLimitMs },
      version: AGENT_VERSION,
      onTools: (listed) => {
        const leftOut = set.replace(index, link, listed);
        if (leftOut > 0) tell(`${link.title} has more tools than can be used; ${leftOut} are left out.`);
      },
    });
    return link;
  });
  const connect = (link: ServerLink): Promise<void> =>
    link.connect().catch((error: unknown) => tell(error instanceof Error ? error.message : link.title));
  return {
    ready: Promise.all(links.map(connect)).then(() => undefined),
    problems,
    dispose: async () => {
      isDisposed = true;
      await Promise.all(links.map((link) => link.dispose()));
    },
  };
}

/** The library is large and most sessions have no servers. */
const openLazily: OpenClient = async (options) => {
  const { openClient } = await import('./mcpClient').catch(() => {
    // The error tells paths of the agent and no way out.
    throw new Error('a file of the agent is missing, which takes a new installation');
  });
  return openClient(options);
};

/** The servers' part of a session's tools. */
class ServerTools {
  private readonly names = new ToolNames();
  /** By the index of the server. */
  private readonly listed = new Map<number, readonly string[]>();

  constructor(
    private readonly tools: Map<string, Tool>,
    private readonly callLimitMs: number,
  ) {}

  /** Puts these in the place of what the server had; gives how many are left out. */
  replace(index: number, link: ServerLink, listed: readonly ListedTool[]): number {
    for (const name of this.listed.get(index) ?? []) this.tools.delete(name);
    this.listed.delete(index);
    const others = [...this.listed.values()].reduce((sum, names) => sum + names.length, 0);
    const unique = [...new Map(listed.map((tool) => [tool.name, tool])).values()];
    const kept = unique.slice(0, Math.max(0, MAX_TOOLS - others));
    const names = kept.map((tool) => {
      const name = this.names.nameOf(index, link.name, tool.name);
      this.tools.set(name, serverTool(tool, { name, link, callLimitMs: this.callLimitMs }));
      return name;
    });
    this.listed.set(index, names);
    return unique.length - kept.length;
  }
}
