import type { BuiltInModel } from '../agents/builtinValues';
import { asList, asObject, asString } from '../../core/json';

/** ms that a server has to list its models. */
const LIST_LIMIT = 5_000;

/** ms for a program on this machine. */
const OLLAMA_LIMIT = 1_000;

/** Models that are shown. */
const MAX_MODELS = 200;

/** Where Ollama listens unless told otherwise. */
const OLLAMA = 'http://127.0.0.1:11434';

const ADDRESSES = {
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
} as const;

/** The address of the Ollama that is looked for; `PARLEY_OLLAMA` names another one. */
export function ollamaAddress(env: NodeJS.ProcessEnv): string {
  return (env['PARLEY_OLLAMA'] || OLLAMA).replace(/\/+$/, '');
}

/**
 * The models of the Ollama at an address that run there and answer prompts, in its order; empty where none answers in time. It lists
 * others, to which it only passes prompts on.
 */
export async function ollamaModels(address: string): Promise<string[]> {
  const answer = await getJson(`${address}/api/tags`, {}, OLLAMA_LIMIT);
  const models = asList(asObject(answer)['models']).filter((model) => {
    const { remote_host: host, remote_model: remote, details } = asObject(model);
    return !host && !remote && !/bert/i.test(asString(asObject(details)['family']) ?? '');
  });
  return namesIn(models, 'name');
}

/** The models that a provider lists for the key, as far as it does; empty where it does not say. */
export async function listModels(
  { provider, endpoint }: BuiltInModel,
  key: string | undefined,
): Promise<string[]> {
  if (provider === 'anthropic') {
    const headers = { 'anthropic-version': '2023-06-01', ...(key ? { 'x-api-key': key } : {}) };
    const answer = await getJson(`${base(endpoint, ADDRESSES.anthropic)}/models?limit=100`, headers);
    return namesIn(asObject(answer)['data'], 'id');
  }
  if (provider === 'google') {
    const headers = key ? { 'x-goog-api-key': key } : {};
    const answer = await getJson(`${base(endpoint, ADDRESSES.google)}/models?pageSize=100`, headers);
    const talking = asList(asObject(answer)['models']).filter((model) =>
      asList(asObject(model)['supportedGenerationMethods']).includes('generateContent'),
    );
    return namesIn(talking, 'name').map((name) => name.replace(/^models\//, ''));
  }
  const headers = key ? { authorization: `Bearer ${key}` } : {};
  const answer = await getJson(`${base(endpoint, '')}/models`, headers);
  return namesIn(asObject(answer)['data'], 'id');
}

const base = (endpoint: string, own: string): string => (endpoint || own).replace(/\/+$/, '');

function namesIn(list: unknown, field: string): string[] {
  const names = asList(list).flatMap((item) => asString(asObject(item)[field]) || []);
  // They can't answer a prompt.
  return names.filter((name) => !/embed/i.test(name)).slice(0, MAX_MODELS);
}

/** Undefined where no JSON comes in time. A redirect is not followed: a key must not go elsewhere. */
async function getJson(url: string, headers: Record<string, string>, limit = LIST_LIMIT): Promise<unknown> {
  try {
    const answer = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(limit) });
    return answer.ok ? await answer.json() : undefined;
  } catch {
    return undefined; // Most machines have no such server; where a person waits, they are asked for the name instead.
  }
}
