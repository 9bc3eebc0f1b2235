import * as vscode from 'vscode';
import { BUILT_IN_AGENT } from '../../core/agents/definition';
import { KEY_PREFIX, keyNameOf, readBuiltInModel, withModel, type BuiltInModel } from './builtinValues';
import type { DisposableStore } from '../../core/lifecycle';
import { isBusy } from '../../core/session/select';
import { Setting } from '../contributions';
import type { Sessions } from '../session/sessions';

/** ms from the last of several changes, such as those of one dialog, to the restart. */
const SETTLED = 300;

const SETTINGS = [
  Setting.builtinProvider,
  Setting.builtinEndpoint,
  Setting.builtinModel,
  Setting.builtinContextTokens,
] as const;

/** The model of the built-in agent as the person set it: in the settings, and its key in the secret storage of the editor. */
export class BuiltinModelSettings {
  /** With what the agent was started last. */
  private started: string | undefined;

  constructor(private readonly secrets: vscode.SecretStorage) {}

  read(): BuiltInModel {
    const settings = vscode.workspace.getConfiguration();
    return readBuiltInModel({
      provider: settings.get(Setting.builtinProvider),
      endpoint: settings.get(Setting.builtinEndpoint),
      model: settings.get(Setting.builtinModel),
      contextTokens: settings.get(Setting.builtinContextTokens),
    });
  }

  /** Undefined where there is none. */
  async key(model: Pick<BuiltInModel, 'provider' | 'endpoint'>): Promise<string | undefined> {
    const name = keyNameOf(model);
    return name === undefined ? undefined : this.secrets.get(name);
  }

  /** The environment for a start of the agent; it holds the key, so it must not be shown. */
  async environment(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
    const model = this.read();
    const key = await this.key(model);
    this.started = JSON.stringify([model, key]);
    return withModel(env, model, key);
  }

  /** Starts the agent again after a change, as soon as none of its sessions is at work. `settled`: ms, see SETTLED. */
  watch(scope: DisposableStore, sessions: Sessions, log: (line: string) => void, settled = SETTLED): void {
    let timer: NodeJS.Timeout | undefined;
    let pending = false;
    const restart = async (): Promise<void> => {
      pending = false;
      if (!(await this.isOutdated())) return;
      // A prompt may have gone out while the key was read.
      if (isAtWork(sessions)) pending = true;
      else await sessions.restartAgents(BUILT_IN_AGENT);
    };
    const restartIfIdle = (): void => {
      if (!pending || isAtWork(sessions)) return;
      restart().catch((error: unknown) => log(`restart of ${BUILT_IN_AGENT}: ${String(error)}`));
    };
    const changed = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        pending = true;
        restartIfIdle();
      }, settled);
    };
    scope.add({ dispose: () => clearTimeout(timer) });
    scope.add(sessions.onDidChangeList(restartIfIdle));
    scope.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (SETTINGS.some((setting) => event.affectsConfiguration(setting))) changed();
      }),
    );
    scope.add(
      this.secrets.onDidChange(({ key }) => {
        if (key.startsWith(KEY_PREFIX)) changed();
      }),
    );
  }

  /** False where the agent has not been started yet: it will get what is set then. */
  private async isOutdated(): Promise<boolean> {
    if (this.started === undefined) return false;
    const model = this.read();
    return this.started !== JSON.stringify([model, await this.key(model)]);
  }
}

/** Also between a turn and the prompt in the queue that goes out next. */
function isAtWork(sessions: Sessions): boolean {
  return sessions.list().rows.some(({ key, agentId }) => {
    const state = agentId === BUILT_IN_AGENT ? sessions.find(key)?.store.state : undefined;
    return state !== undefined && (isBusy(state) || (state.queue.items.length > 0 && !state.queue.paused));
  });
}
