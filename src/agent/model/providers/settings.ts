/** Whose wire format a model is spoken to in. */
export type ProviderName = 'openai-compatible' | 'anthropic' | 'google';

/** Where a model is, and how it is called. */
export interface ModelSettings {
  provider: ProviderName;
  /** The base URL of the server's interface, without a slash at its end. */
  endpoint: string;
  model: string;
  /** Undefined for a server that needs none. Never in a text that anybody sees. */
  key?: string;
  /** How much the model can read in one call, in tokens. */
  contextTokens: number;
  /** How long the server may be quiet in a model call, in ms. */
  idleMs: number;
}

/** The id of a model among the choices of a session. */
export function choiceId({ provider, model }: Pick<ModelSettings, 'provider' | 'model'>): string {
  return `${provider}/${model}`;
}
