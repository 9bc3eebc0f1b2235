import * as vscode from 'vscode';
import { KEY_PREFIX, keyNameOf, type BuiltInModel } from '../agents/builtinValues';
import type { ModelOffers } from '../../core/chat/start';
import { visibleText } from '../../core/visibleText';
import { Setting } from '../contributions';
import { LanguageModels } from './languageModels';
import type { ModelOptions, ModelParts } from './lazyModels';
import { listModels, ollamaAddress, ollamaModels } from './modelServers';
import { ModelSetup } from './modelSetup';
import { setupDialog } from './setupDialog';

const { t } = vscode.l10n;

/** Builds the models of the built-in agent, and the ways to them. */
export function buildModels(options: ModelOptions): ModelParts {
  const { settings, secrets } = options;
  const ollama = ollamaAddress(process.env);
  const languageModels = new LanguageModels();
  const editorModels = async (): Promise<vscode.LanguageModelChat[]> =>
    options.isTrusted() ? vscode.lm.selectChatModels() : [];
  const useEditorModel = (): Promise<void> => chooseEditorModel(options, editorModels);
  const setup = new ModelSetup({
    ollama: { endpoint: `${ollama}/v1`, models: () => ollamaModels(ollama) },
    listModels,
    current: () => settings.read(),
    key: (model) => settings.key(model),
    write: (model, key) => write(secrets, model, key),
    useEditorModel,
    done: async (model) => {
      await options.showBuiltIn();
      void vscode.window.showInformationMessage(
        model.provider === 'offline'
          ? t('The built-in agent now follows fixed rules, without a language model.')
          : t('The built-in agent now uses {0}.', visibleText(model.model)),
      );
    },
    dialog: setupDialog,
  });
  return {
    languageModels,
    setUp: () => setup.ask(),
    useOllama: () => setup.useOllama(),
    useEditorModel,
    removeKey: () => removeKey(secrets),
    offers: async (): Promise<ModelOffers | null> => {
      if (settings.read().provider) return null;
      const [models, editor] = await Promise.all([ollamaModels(ollama), editorModels()]);
      return { ollama: models[0] ?? null, editor: editor.length };
    },
  };
}

/** `key`: undefined leaves the stored one as it is. The key first: the agent starts again when the settings have changed. */
async function write(
  secrets: vscode.SecretStorage,
  model: BuiltInModel,
  key: string | undefined,
): Promise<void> {
  const name = keyNameOf(model);
  if (name !== undefined && key !== undefined) await secrets.store(name, key);
  const configuration = vscode.workspace.getConfiguration();
  const values = [
    [Setting.builtinEndpoint, model.endpoint],
    [Setting.builtinModel, model.model],
    [Setting.builtinContextTokens, model.contextTokens],
    [Setting.builtinProvider, model.provider],
  ] as const;
  for (const [setting, value] of values)
    await configuration.update(setting, value === '' ? undefined : value, vscode.ConfigurationTarget.Global);
}

async function chooseEditorModel(
  { showBuiltIn, chooseModel, isTrusted }: ModelOptions,
  list: () => Promise<vscode.LanguageModelChat[]>,
): Promise<void> {
  if (!isTrusted()) throw new Error(t('Models of VS Code are used only in a trusted workspace.'));
  const models = await list();
  if (models.length === 0)
    throw new Error(t('VS Code has no language models. Sign in to an extension that brings some.'));
  const rows = models.map((model) => ({ label: model.name, description: model.vendor, model }));
  const picked =
    rows.length === 1 ? rows[0] : await vscode.window.showQuickPick(rows, { title: t('Models of VS Code') });
  if (!picked) return;
  await showBuiltIn();
  await chooseModel(`vscode/${picked.model.vendor}/${picked.model.id}`);
}

/** Asks which of the stored keys to remove. */
async function removeKey(secrets: vscode.SecretStorage): Promise<void> {
  const names = (await secrets.keys()).filter((name) => name.startsWith(KEY_PREFIX));
  if (names.length === 0) {
    void vscode.window.showInformationMessage(t('No key of a model is stored.'));
    return;
  }
  const rows = names.map((name) => ({ label: name.slice(KEY_PREFIX.length).replace(':', ' · '), name }));
  const picked = await vscode.window.showQuickPick(rows, { title: t('Remove the key of') });
  if (picked) await secrets.delete(picked.name);
}
