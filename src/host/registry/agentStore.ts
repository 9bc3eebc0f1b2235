import { freeName } from '../../core/agents/knownAgents';
import { chooseDistribution, type Distribution } from '../../core/agents/registryChoice';
import type { RegistryAgent } from '../../core/agents/registryDocument';
import type { InstalledAgent, InstalledVersion } from '../../core/agents/registryInstalls';
import { compareVersions } from '../../core/agents/registryVersions';
import type { InstalledAgents } from './installedAgents';
import type { Installer, InstallRun } from './installer';
import type { ReadRegistry } from './registrySource';

/** An agent as a person sees it in the list. */
export interface StoreRow {
  id: string;
  name: string;
  /** Absent for an installed one that the registry no longer has. */
  offered?: RegistryAgent;
  /** How it is installed on this platform; absent where it can't be. */
  distribution?: Distribution;
  installed?: InstalledAgent;
  /** A later version than the installed one is offered. */
  update: boolean;
}

/** The rows of the list: those with an update first, then those that are installed, then the others, each by name. */
export function storeRows(
  registry: Pick<ReadRegistry, 'agents'>,
  installed: readonly InstalledAgent[],
  platform: string | undefined,
): StoreRow[] {
  const ids = new Set(registry.agents.map(({ id }) => id));
  const offered = registry.agents.map((agent): StoreRow => {
    const own = installed.find(({ id }) => id === agent.id);
    const distribution = chooseDistribution(agent, platform);
    const isNewer = own !== undefined && compareVersions(own.current.version, agent.version) < 0;
    return {
      id: agent.id,
      name: own?.name ?? agent.name,
      offered: agent,
      ...(distribution ? { distribution } : {}),
      ...(own ? { installed: own } : {}),
      update: isNewer && distribution !== undefined,
    };
  });
  const gone = installed.filter(({ id }) => !ids.has(id));
  const others = gone.map((own): StoreRow => ({ id: own.id, name: own.name, installed: own, update: false }));
  const rank = ({ update, installed: own }: StoreRow): number => (update ? 0 : own ? 1 : 2);
  return [...offered, ...others].sort(
    (a, b) => rank(a) - rank(b) || a.name.toLowerCase().localeCompare(b.name.toLowerCase()),
  );
}

/** Changes which versions of agents are installed, and what the list says of them, in the order in which neither can lie. */
export class AgentStore {
  constructor(
    private readonly installer: Pick<Installer, 'install' | 'remove'>,
    private readonly installed: Pick<InstalledAgents, 'find' | 'list' | 'set'>,
    /** Names of agents that a new one must not have. */
    private readonly taken: () => readonly string[],
  ) {}

  /**
   * Installs what is offered; the version that worked last is kept beside it.
   *
   * @returns the name by which the agent is picked
   * @throws InstallFailure; the version before is then still there
   */
  async install(offered: RegistryAgent, distribution: Distribution, run: InstallRun): Promise<string> {
    const current = await this.installer.install(offered, distribution, run);
    const before = this.installed.find(offered.id);
    const previous = before && lastGood(before, current);
    const name = before?.name ?? freeName(offered.name, this.taken());
    this.installed.set(offered.id, {
      id: offered.id,
      name,
      current,
      proven: false,
      ...(previous ? { previous } : {}),
    });
    const kept = [current.version, previous?.version];
    const others = [before?.current, before?.previous].filter((one) => one && !kept.includes(one.version));
    for (const one of others) if (one) await this.installer.remove({ id: offered.id, version: one.version });
    return name;
  }

  /** Goes back to the version that worked last; false where there is none. The files of the other one go when `tidy` is called. */
  rollBack(id: string): { name: string; tidy: () => Promise<void> } | undefined {
    const agent = this.installed.find(id);
    if (!agent?.previous) return undefined;
    const { previous: current, name } = agent;
    this.installed.set(id, { id, name, current, proven: true });
    const { version } = agent.current;
    return { name, tidy: () => this.installer.remove({ id, version }) };
  }

  /** Takes an agent off the list; its files go when `tidy` is called. */
  remove(id: string): { tidy: () => Promise<void> } {
    this.installed.set(id, undefined);
    return { tidy: () => this.installer.remove({ id }) };
  }
}

/** The version to go back to after an install; the same version again is none. */
function lastGood(before: InstalledAgent, current: InstalledVersion): InstalledVersion | undefined {
  const good = before.proven || !before.previous ? before.current : before.previous;
  return good.version === current.version ? before.previous : good;
}
