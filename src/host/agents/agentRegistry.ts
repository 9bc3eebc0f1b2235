import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { LaunchPlan } from '../../acp/agentProcess';
import { withoutEditor } from '../../acp/loginEnvironment';
import { BUILT_IN_AGENT, type AgentDefinition } from '../../core/agents/definition';
import { fillDefinition } from '../../core/agents/fillDefinition';
import type { EnvironmentOrigin } from '../../core/launch/environment';

export interface AgentRegistryOptions {
  /** The rows of `parley.agents` and the installed agents, read anew each time. */
  definitions(): readonly AgentDefinition[];
  extensionPath: string;
  /** Adds the model of the built-in agent, with its key, to an environment. */
  withModel(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv>;
  /** Environment of the login shell; asked once per window. */
  environment(): Promise<NodeJS.ProcessEnv>;
  /** Where that environment comes from. */
  origin(): EnvironmentOrigin | undefined;
  /** An agent has introduced itself, or could not be started. */
  onStart(id: string, worked: boolean): void;
}

/** ms; it starts in a fraction of this. */
const BUILT_IN_TIMEOUT = 30_000;

/** Knows which agents there are and how to start each. */
export class AgentRegistry {
  constructor(private readonly options: AgentRegistryOptions) {}

  /** Names, the built-in agent first. */
  names(): string[] {
    return [BUILT_IN_AGENT, ...this.options.definitions().map((definition) => definition.id)];
  }

  /** Takes the end of a start. */
  started(id: string, worked: boolean): void {
    this.options.onStart(id, worked);
  }

  /** How to start an agent in a folder; undefined for an unknown name. */
  async launchPlan(id: string, cwd: string): Promise<LaunchPlan | undefined> {
    if (id === BUILT_IN_AGENT) return this.builtIn(cwd);
    const definition = this.options.definitions().find((item) => item.id === id);
    if (!definition) return undefined;
    const environment = await this.options.environment();
    const values = {
      folder: cwd,
      userHome: homedir(),
      windows: process.platform === 'win32',
      env: environment,
    };
    const { command, args, shell, env, cwd: folder = '', startTimeout } = fillDefinition(definition, values);
    const origin = this.options.origin();
    return {
      command,
      args,
      shell,
      env,
      cwd: resolve(cwd, folder),
      startTimeout: startTimeout * 1_000,
      ...(origin ? { origin } : {}),
    };
  }

  /** Runs on the editor's own Node.js, so that it needs nothing installed; its commands run in the login environment. */
  private async builtIn(cwd: string): Promise<LaunchPlan> {
    return {
      command: process.execPath,
      args: [join(this.options.extensionPath, 'dist', 'agent.js')],
      env: { ...(await this.options.withModel(withoutEditor(process.env))), ELECTRON_RUN_AS_NODE: '1' },
      cwd,
      shell: false,
      startTimeout: BUILT_IN_TIMEOUT,
    };
  }
}
