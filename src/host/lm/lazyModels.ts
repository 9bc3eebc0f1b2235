import type { SecretStorage } from 'vscode';
import type { ModelOffers } from '../../core/chat/start';
import type { BuiltinModelSettings } from '../agents/builtinModel';
import type { LanguageModels } from './languageModels';

/** What the models of the built-in agent need of the rest. */
export interface ModelOptions {
  settings: BuiltinModelSettings;
  secrets: SecretStorage;
  /** Makes sure that the person is with the built-in agent. */
  showBuiltIn: () => Promise<void>;
  /** Sets the model of the shown session. */
  chooseModel: (id: string) => Promise<void>;
  /** False in a workspace without trust, where no model of VS Code is used. */
  isTrusted: () => boolean;
}

/** The models that the built-in agent can have, and the ways to them. */
export interface ModelParts {
  languageModels: Pick<LanguageModels, 'list' | 'send'>;
  /** Asks for a model, and sets it. */
  setUp: () => Promise<void>;
  removeKey: () => Promise<void>;
  /** What is there to be used; null where the person has set a model already. */
  offers: () => Promise<ModelOffers | null>;
  /** @throws a sentence for the person */
  useOllama: () => Promise<void>;
  /** Chooses one of VS Code's models for the shown session; asks which where there are several. */
  useEditorModel: () => Promise<void>;
}

/** The models, loaded when somebody needs them: not with the window. */
export function lazyModels(options: ModelOptions): () => Promise<ModelParts> {
  let parts: Promise<ModelParts> | undefined;
  const load = async (): Promise<ModelParts> => (await import('./buildModels')).buildModels(options);
  return () => (parts ??= load());
}
