/** Longest name that model services take, in characters. */
const MAX_NAME = 64;

/** Longest part of a name that tells the server. */
const MAX_SERVER = 24;

/**
 * The names by which the model calls the tools of a session's MCP servers: `mcp__<server>__<tool>`, in the characters that model services
 * take, unique, and the same for a tool each time that it is listed.
 */
export class ToolNames {
  private readonly given = new Map<string, string>();
  private readonly used = new Set<string>();

  /** @param server tells servers apart, also those of one name. */
  nameOf(server: number, serverName: string, toolName: string): string {
    const key = `${server} ${toolName}`;
    const known = this.given.get(key);
    if (known !== undefined) return known;
    const wanted = `mcp__${plain(serverName).slice(0, MAX_SERVER)}__${plain(toolName)}`;
    let name = wanted.slice(0, MAX_NAME);
    for (let n = 2; this.used.has(name); n++) {
      const suffix = `_${n}`;
      name = wanted.slice(0, MAX_NAME - suffix.length) + suffix;
    }
    this.given.set(key, name);
    this.used.add(name);
    return name;
  }
}

function plain(text: string): string {
  return text.replace(/[^a-zA-Z0-9_-]+/g, '_') || '_';
}
