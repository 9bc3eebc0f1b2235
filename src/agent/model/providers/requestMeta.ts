import type { SharedV4ProviderOptions } from '@ai-sdk/provider';
import { asList, asObject, asString, compact, isObject, type JsonObject } from '../../../core/json';

/** A thought that its provider wants to see again, with its signature. */
export interface KeptThought {
  text: string;
  providerOptions?: SharedV4ProviderOptions;
}

/** What is kept with a tool request for the provider that gave it. */
export interface RequestMeta {
  providerOptions?: SharedV4ProviderOptions;
  /** Those before the first request of an answer. */
  thoughts?: KeptThought[];
}

/** Packs what a provider wants to see again; undefined where that is nothing. */
export function packMeta(
  model: string,
  { providerOptions, thoughts = [] }: RequestMeta,
): JsonObject | undefined {
  if (providerOptions === undefined && thoughts.length === 0) return undefined;
  return { model, ...compact({ providerOptions }), ...(thoughts.length > 0 ? { thoughts } : {}) };
}

/** What was packed for this model; nothing for another one, which could not read it. */
export function readMeta(meta: JsonObject | undefined, model: string): RequestMeta {
  if (meta?.['model'] !== model) return {};
  const thoughts = asList(meta['thoughts']).map((item) => {
    const thought = asObject(item);
    return { text: asString(thought['text']) ?? '', ...optionsIn(thought) };
  });
  return { ...optionsIn(meta), thoughts };
}

function optionsIn({ providerOptions }: JsonObject): Pick<RequestMeta, 'providerOptions'> {
  return isObject(providerOptions) ? { providerOptions: providerOptions as SharedV4ProviderOptions } : {};
}
