import { asList, asObject } from '../../core/json';
import type { ConfigSource } from './configSources';

/** The part of `vscode.Memento` that is used. */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const KEY = 'parley.mcp.off';

/**
 * Remembers which servers a person turned off for an agent; all others are on. Servers of the person are remembered for all windows,
 * those of a workspace for the workspace, and a name in one file says nothing about the same name in another.
 */
export class ServerSwitches {
  constructor(
    private readonly user: Memory,
    private readonly workspace: Memory,
  ) {}

  isOn(agentId: string, source: ConfigSource, name: string): boolean {
    return !this.off(agentId, source).has(idOf(source, name));
  }

  /** Turns servers on or off; what is not named stays as it is. */
  async set(
    agentId: string,
    changes: readonly { source: ConfigSource; name: string; on: boolean }[],
  ): Promise<void> {
    for (const memory of [this.user, this.workspace]) {
      const ours = changes.filter(({ source }) => this.memoryOf(source) === memory);
      const [first] = ours;
      if (!first) continue;
      const off = this.off(agentId, first.source);
      for (const { source, name, on } of ours) {
        if (on) off.delete(idOf(source, name));
        else off.add(idOf(source, name));
      }
      await memory.update(KEY, { ...asObject(memory.get(KEY)), [agentId]: [...off] });
    }
  }

  private off(agentId: string, source: ConfigSource): Set<unknown> {
    const agents = asObject(this.memoryOf(source).get(KEY));
    return new Set(Object.hasOwn(agents, agentId) ? asList(agents[agentId]) : []);
  }

  private memoryOf(source: ConfigSource): Memory {
    return source.folder ? this.workspace : this.user;
  }
}

const idOf = ({ file }: ConfigSource, name: string): string => JSON.stringify([file, name]);
