import { asNumber, asString } from '../../core/json';

/** From where the built-in agent has its language model. */
export const MODEL_PROVIDERS = ['openai-compatible', 'anthropic', 'google', 'offline'] as const;
export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

/** The settings of the built-in agent's model. */
export interface BuiltInModel {
  /** Undefined where the person chose none; then the agent's own environment counts. */
  provider?: ModelProvider;
  /** Base address; empty for the provider's own. */
  endpoint: string;
  /** Names by commas, the preferred one first. */
  model: string;
  /** How much the model can read in one call, in tokens. */
  contextTokens?: number;
}

/** Reads the values of the settings; what is none counts as not set. */
export function readBuiltInModel(values: {
  provider: unknown;
  endpoint: unknown;
  model: unknown;
  contextTokens: unknown;
}): BuiltInModel {
  const provider = MODEL_PROVIDERS.find((one) => one === values.provider);
  const tokens = asNumber(values.contextTokens) ?? 0;
  return {
    ...(provider ? { provider } : {}),
    endpoint: (asString(values.endpoint) ?? '').trim(),
    model: (asString(values.model) ?? '').trim(),
    ...(tokens >= 1 ? { contextTokens: Math.floor(tokens) } : {}),
  };
}

/** What the names of stored keys begin with. */
export const KEY_PREFIX = 'parley.modelKey:';

/**
 * The name under which the key of a provider is stored. It has the origin of the endpoint in it, so that a key is never sent anywhere else
 * than where the person gave it for. Undefined where there can be no key.
 */
export function keyNameOf({
  provider,
  endpoint,
}: Pick<BuiltInModel, 'provider' | 'endpoint'>): string | undefined {
  if (!provider || provider === 'offline') return undefined;
  if (endpoint === '') return `${KEY_PREFIX}${provider}`;
  const url = parseEndpoint(endpoint);
  return typeof url === 'string' ? undefined : `${KEY_PREFIX}${provider}:${url.origin}`;
}

/** The base address, or why it can't be used. A password in it would stand in the settings. */
export function parseEndpoint(endpoint: string): URL | 'invalid' | 'password' {
  if (!URL.canParse(endpoint)) return 'invalid';
  const url = new URL(endpoint);
  if (!/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') return 'invalid';
  return url.username !== '' || url.password !== '' ? 'password' : url;
}

/** True for an address on this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/** Variables of the agent that belong together: those of another provider must not be mixed in, least of all its key. */
const VARIABLES = {
  provider: 'PARLEY_AGENT_PROVIDER',
  endpoint: 'PARLEY_AGENT_ENDPOINT',
  model: 'PARLEY_AGENT_MODEL',
  contextTokens: 'PARLEY_AGENT_CONTEXT_TOKENS',
  key: 'PARLEY_AGENT_API_KEY',
} as const;

/** The environment of the agent with its model; where the settings name no provider, that of `env` stays as a whole. */
export function withModel(
  env: Readonly<Record<string, string | undefined>>,
  model: BuiltInModel,
  key: string | undefined,
): Record<string, string | undefined> {
  const kept = { ...env, PARLEY_AGENT_HOST: 'parley' };
  if (!model.provider) return kept;
  const own = new Set<string>(Object.values(VARIABLES));
  const values = { ...model, contextTokens: model.contextTokens?.toString(), key };
  return {
    ...Object.fromEntries(Object.entries(kept).filter(([name]) => !own.has(name))),
    ...Object.fromEntries(
      Object.entries(VARIABLES).flatMap(([part, name]) => {
        const value = values[part as keyof typeof VARIABLES];
        return value === undefined || value === '' ? [] : [[name, value]];
      }),
    ),
  };
}
