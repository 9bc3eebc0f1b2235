import * as vscode from 'vscode';
import { isLoopback, parseEndpoint, type BuiltInModel, type ModelProvider } from '../agents/builtinValues';

const { t } = vscode.l10n;

/** A way to a model. */
export type SetupChoice = { provider: ModelProvider } | 'ollama' | 'editor';

/** What is wrong with a text; `warning`: it can be used all the same. */
export interface Remark {
  text: string;
  warning?: true;
}

/** How the person is asked; undefined where they went away. */
export interface SetupDialog {
  /** `ollama`: the models that it has, none where it is not there. */
  choose: (ollama: readonly string[]) => Promise<SetupChoice | undefined>;
  /** `value` is what stands there; `own`: the provider has an address of its own, so that none needs to be given. */
  askEndpoint: (
    value: string,
    own: boolean,
    check: (text: string) => Remark | undefined,
  ) => Promise<string | undefined>;
  /** The text of a password field; `stored`: there is one already. */
  askKey: (where: string, stored: boolean) => Promise<string | undefined>;
  pickModel: (models: readonly string[]) => Promise<{ name: string } | 'other' | undefined>;
  askModel: (value: string, check: (text: string) => Remark | undefined) => Promise<string | undefined>;
}

export interface SetupOptions {
  ollama: { endpoint: string; models: () => Promise<string[]> };
  /** The models that a provider lists; empty where it does not. */
  listModels: (model: BuiltInModel, key: string | undefined) => Promise<string[]>;
  current: () => BuiltInModel;
  /** The key that is stored for a provider and its endpoint. */
  key: (model: BuiltInModel) => Promise<string | undefined>;
  /** `key`: undefined leaves the stored one. */
  write: (model: BuiltInModel, key: string | undefined) => Promise<void>;
  useEditorModel: () => Promise<void>;
  done: (model: BuiltInModel) => Promise<void>;
  dialog: SetupDialog;
}

/** Sets the model of the built-in agent, each time because the person asked for it. */
export class ModelSetup {
  constructor(private readonly options: SetupOptions) {}

  async ask(): Promise<void> {
    const { dialog, ollama, useEditorModel } = this.options;
    const models = await ollama.models();
    const choice = await dialog.choose(models);
    if (choice === undefined) return;
    if (choice === 'editor') return useEditorModel();
    if (choice === 'ollama') return this.askOllama(models);
    if (choice.provider === 'offline') return this.set({ provider: 'offline', endpoint: '', model: '' });
    return this.askProvider(choice.provider);
  }

  /**
   * Takes the first model of the Ollama on this machine.
   *
   * @throws a sentence for the person
   */
  async useOllama(): Promise<void> {
    const [model] = await this.options.ollama.models();
    if (model === undefined)
      throw new Error(t('Ollama does not answer any more, or has no model. Start it and try again.'));
    await this.setOllama(model);
  }

  private async askOllama(models: readonly string[]): Promise<void> {
    const [first] = models;
    const name = models.length === 1 ? first : await this.pickModel(models, '');
    if (name !== undefined) await this.setOllama(name);
  }

  private setOllama(model: string): Promise<void> {
    return this.set({ provider: 'openai-compatible', endpoint: this.options.ollama.endpoint, model });
  }

  private async askProvider(provider: ModelProvider): Promise<void> {
    const { dialog, current, listModels, key: storedKey } = this.options;
    const before = current();
    const own = provider !== 'openai-compatible';
    const shown = before.provider === provider ? before.endpoint : '';
    const typed = await dialog.askEndpoint(shown, own, (text) => endpointRemark(text, own));
    if (typed === undefined) return;
    const endpoint = fullEndpoint(typed.trim(), own);
    const model: BuiltInModel = { provider, endpoint, model: '' };
    const stored = await storedKey(model);
    const answer = await dialog.askKey(endpoint === '' ? provider : endpoint, stored !== undefined);
    if (answer === undefined) return;
    const key = answer.trim() === '' ? undefined : answer.trim();
    const models = await listModels(model, key ?? stored);
    const name = await this.pickModel(models, before.provider === provider ? before.model : '');
    if (name !== undefined) await this.set({ ...model, model: name }, key);
  }

  /** Asks for one of the list, or for its name where there is no list or it is not in it. */
  private async pickModel(models: readonly string[], value: string): Promise<string | undefined> {
    const picked = models.length > 0 ? await this.options.dialog.pickModel(models) : 'other';
    return picked === 'other' ? this.askModel(value) : picked?.name;
  }

  private async askModel(value: string): Promise<string | undefined> {
    const name = await this.options.dialog.askModel(value, (text) =>
      text.trim() === '' ? { text: t('Write the name of the model.') } : undefined,
    );
    return name?.trim();
  }

  private async set(model: BuiltInModel, key?: string): Promise<void> {
    await this.options.write(model, key);
    await this.options.done(model);
  }
}

/** The base of the interface: servers on this pattern have it under `/v1`. */
function fullEndpoint(endpoint: string, own: boolean): string {
  const url = parseEndpoint(endpoint);
  const bare = typeof url !== 'string' && url.pathname === '/';
  return !own && bare ? `${url.origin}/v1` : endpoint.replace(/\/+$/, '');
}

function endpointRemark(text: string, own: boolean): Remark | undefined {
  const endpoint = text.trim();
  if (endpoint === '' && own) return undefined;
  const url = parseEndpoint(endpoint);
  if (url === 'invalid') return { text: t('Write an address that begins with http:// or https://.') };
  if (url === 'password')
    return { text: t('Leave the password out of the address; the key is asked for next.') };
  if (url.protocol === 'http:' && !isLoopback(url))
    return { text: t('What is sent to this address, also the key, is not encrypted.'), warning: true };
  return undefined;
}
