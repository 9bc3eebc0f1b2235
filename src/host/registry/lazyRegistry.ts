import { needsProof } from '../../core/agents/registryInstalls';
import type { Sessions } from '../session/sessions';
import type { InstalledAgents } from './installedAgents';

/** What the registry of agents needs of the rest. */
export interface RegistryOptions {
  /** Where agents are installed. */
  folder: string;
  installed: InstalledAgents;
  /** Environment of the login shell. */
  environment: () => Promise<NodeJS.ProcessEnv>;
  /** Names of all agents. */
  taken: () => readonly string[];
  sessions: () => Pick<Sessions, 'list' | 'restartAgents' | 'create'>;
  log: (line: string) => void;
  showLog: () => void;
}

/** The registry of agents, and what is installed from it. */
export interface RegistryParts {
  /** Shows the agents of the registry, and does what the person chooses. */
  show: () => Promise<void>;
  /** Offers the version before, where a new one of an installed agent could not be started. */
  offerRollBack: (name: string) => Promise<void>;
}

/** The registry, loaded when a person opens its list. */
export function lazyRegistry(options: RegistryOptions): RegistryParts {
  let parts: Promise<RegistryParts> | undefined;
  const load = async (): Promise<RegistryParts> => (await import('./buildRegistry')).buildRegistry(options);
  const loaded = (): Promise<RegistryParts> => (parts ??= load());
  return {
    show: async () => (await loaded()).show(),
    offerRollBack: async (name) => {
      if (options.installed.list().some((agent) => agent.name === name && needsProof(agent)))
        await (await loaded()).offerRollBack(name);
    },
  };
}
