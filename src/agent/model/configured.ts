import { Emitter } from '../../core/emitter';
import type { Disposable } from '../../core/lifecycle';
import type { Configuration } from './configuration';
import { ModelFailure, type Model } from './model';
import { FixedModels, type ModelChoice, type Models } from './models';
import { ProviderModel } from './providers/providerModel';
import { choiceId } from './providers/settings';

/** The id of what is chosen where the configuration can't be used. */
const BROKEN = 'not-set-up';

/** The offline planner and the models that the person configured, which can change while the process runs. */
export class ConfiguredModels implements Models {
  private models: FixedModels;
  private current: Configuration;
  private readonly changed = new Emitter<void>();

  /**
   * @param read reads the configuration as it is now.
   * @param warn is told why a configuration can't be used, once.
   */
  constructor(
    readonly offline: Model,
    private readonly read: () => Configuration,
    private readonly warn: (problem: string) => void = () => undefined,
  ) {
    this.current = read();
    this.models = this.build();
  }

  choices(): readonly ModelChoice[] {
    return this.models.choices();
  }

  get preferred(): string {
    return this.models.preferred;
  }

  get(id: string): Model | undefined {
    return this.models.get(id);
  }

  onDidChange(listener: () => void): Disposable {
    return this.changed.event(listener);
  }

  /** Undefined for a configuration that can be used; else what is to do. */
  get problem(): string | undefined {
    if (this.current.state === 'ready') return undefined;
    return this.current.state === 'broken' ? this.current.problem : 'No model is set up yet.';
  }

  /** Reads the configuration again. */
  refresh(): void {
    const next = this.read();
    if (JSON.stringify(next) === JSON.stringify(this.current)) return;
    this.current = next;
    this.models = this.build();
    this.changed.fire();
  }

  private build(): FixedModels {
    const { current, offline } = this;
    if (current.state === 'none') return new FixedModels(offline);
    if (current.state === 'ready') {
      const configured = current.models.map((settings) => ({
        choice: { id: choiceId(settings), name: settings.model, description: settings.provider },
        model: new ProviderModel(settings),
      }));
      return new FixedModels(offline, configured);
    }
    const { problem, isKeyMissing } = current;
    this.warn(problem);
    const choice = { id: BROKEN, name: 'Not set up', description: problem };
    return new FixedModels(offline, [{ choice, model: failing(problem, isKeyMissing) }]);
  }
}

/** Says what is wrong in the place of an answer: a configured model must not give way to another one in silence. */
function failing(problem: string, isKeyMissing: boolean): Model {
  return {
    async *next() {
      await Promise.resolve();
      throw new ModelFailure(isKeyMissing ? 'auth' : 'request', problem);
    },
  };
}
