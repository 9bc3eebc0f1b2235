import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asNumber, asObject, asString, compact } from '../../core/json';
import type { ModelSettings, ProviderName } from './providers/settings';

/** What is configured: nothing, models of one server, or something that can't be used, with a sentence that says why. */
export type Configuration =
  | { state: 'none' }
  | { state: 'ready'; models: readonly ModelSettings[] }
  | { state: 'broken'; problem: string; isKeyMissing: boolean };

/** What a person configures, as it is written. */
export interface WrittenConfiguration {
  provider: string;
  /** Empty for the provider's own. */
  endpoint: string;
  /** One name, or several with commas between; the first one is preferred. */
  model: string;
  key?: string;
  contextTokens?: number;
  idleSeconds?: number;
}

/** The variables of the environment that configure the models. */
export interface ModelVariables extends WrittenConfiguration {
  /** Whether it is the environment that says which provider is used. */
  isSet: boolean;
}

const DEFAULTS: Readonly<
  Record<ProviderName, { endpoint: string; path: string; contextTokens: number; needsKey: boolean }>
> = {
  'openai-compatible': {
    endpoint: 'http://127.0.0.1:11434/v1',
    path: '/v1',
    contextTokens: 128_000,
    needsKey: false,
  },
  anthropic: {
    endpoint: 'https://api.anthropic.com/v1',
    path: '/v1',
    contextTokens: 200_000,
    needsKey: true,
  },
  google: {
    endpoint: 'https://generativelanguage.googleapis.com/v1beta',
    path: '/v1beta',
    contextTokens: 1_000_000,
    needsKey: true,
  },
};

export const PROVIDERS = Object.keys(DEFAULTS) as readonly ProviderName[];

/** How long a server may be quiet unless it is said otherwise, in seconds. */
const IDLE_SECONDS = 120;

/** Why something that was written can't be used. */
class Problem extends Error {
  constructor(
    message: string,
    readonly isKeyMissing = false,
  ) {
    super(message);
  }
}

/** The endpoint of a provider where none is named. */
export function defaultEndpoint(provider: ProviderName): string {
  return DEFAULTS[provider].endpoint;
}

/**
 * Takes the variables out of the environment. The key does not stay there, so that a command that the agent runs does not get it.
 */
export function takeVariables(env: NodeJS.ProcessEnv): ModelVariables {
  const value = (name: string): string => env[`PARLEY_AGENT_${name}`]?.trim() ?? '';
  const number = (name: string): number | undefined => (value(name) === '' ? undefined : Number(value(name)));
  const key = value('API_KEY');
  delete env['PARLEY_AGENT_API_KEY'];
  return {
    isSet: value('PROVIDER') !== '',
    provider: value('PROVIDER'),
    endpoint: value('ENDPOINT'),
    model: value('MODEL'),
    ...(key === '' ? {} : { key }),
    ...compact({ contextTokens: number('CONTEXT_TOKENS'), idleSeconds: number('IDLE_SECONDS') }),
  };
}

/** What is configured: by the environment if that names a provider, else by the files of the data folder. Never throws. */
export function readConfiguration(variables: ModelVariables, home: string): Configuration {
  try {
    const written = variables.isSet ? variables : readFiles(home);
    if (!written || written.provider === 'offline') return { state: 'none' };
    return { state: 'ready', models: settingsOf(written) };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { state: 'broken', problem, isKeyMissing: error instanceof Problem && error.isKeyMissing };
  }
}

/** The settings of each model. Throws an Error with one sentence for what makes no sense; the key is never in it. */
export function settingsOf(written: WrittenConfiguration): ModelSettings[] {
  const { key } = written;
  const provider = PROVIDERS.find((name) => name === written.provider);
  if (!provider) {
    const known = [...PROVIDERS, 'offline'].join(', ');
    throw new Problem(`"${written.provider}" is no provider of models; set one of ${known}.`);
  }
  const models = written.model.split(',').flatMap((name) => name.trim() || []);
  if (models.length === 0) throw new Problem(`No model of the provider ${provider} is named; name one.`);
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
    throw new Problem('The API key has characters that no key has; copy it once more.');
  const { needsKey, ...defaults } = DEFAULTS[provider];
  if (needsKey && written.endpoint === '' && key === undefined)
    throw new Problem(`The API key for ${provider} is missing; set one up.`, true);
  const settings = {
    provider,
    endpoint: written.endpoint === '' ? defaults.endpoint : readEndpoint(written.endpoint, defaults.path),
    contextTokens: positive(written.contextTokens ?? defaults.contextTokens, 'context tokens'),
    idleMs: positive(written.idleSeconds ?? IDLE_SECONDS, 'idle seconds') * 1000,
    ...compact({ key }),
  };
  return models.map((model) => ({ ...settings, model }));
}

/** A base URL; one without a path gets the usual one of the provider. */
function readEndpoint(text: string, path: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Problem('The endpoint of the model is no URL; it must begin with http:// or https://.');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new Problem(
      'The endpoint of the model must have no user name, password or query; give the key apart from it.',
    );
  return `${url.origin}${url.pathname === '/' ? path : url.pathname.replace(/\/+$/, '')}`;
}

function positive(value: number, what: string): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw new Problem(`The number of ${what} of the model must be a number above 0.`);
}

/** Where the data folder keeps what `login` wrote. */
export function configurationFiles(home: string): { settings: string; key: string } {
  return { settings: join(home, 'model.json'), key: join(home, 'key') };
}

function readFiles(home: string): WrittenConfiguration | undefined {
  const files = configurationFiles(home);
  const text = readIfThere(files.settings, () => undefined);
  if (text === undefined) return undefined;
  const written = asObject(parse(text, files.settings));
  const key = readIfThere(files.key, checkPrivate)?.trim();
  return {
    provider: asString(written['provider']) ?? '',
    endpoint: asString(written['endpoint']) ?? '',
    model: asString(written['model']) ?? '',
    ...(key ? { key } : {}),
    ...compact({ contextTokens: asNumber(written['contextTokens']) }),
  };
}

/** Undefined for a file that is not there. */
function readIfThere(path: string, check: (path: string, mode: number) => void): string | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new Problem(`${path} can't be read; check who may read it.`);
  }
  try {
    check(path, fstatSync(file).mode);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

function checkPrivate(path: string, mode: number): void {
  if (process.platform === 'win32' || (mode & 0o077) === 0) return;
  throw new Problem(`The key in ${path} is not used, since others can read it; run: chmod 600 "${path}"`);
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem(`${path} is no JSON; run "login" again.`);
  }
}
