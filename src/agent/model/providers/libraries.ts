import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { compact } from '../../../core/json';
import type { ModelSettings } from './settings';

/**
 * The library's model for a server. Address and key are always given, as the libraries would look for others in the environment. This
 * file is a bundle of its own, which is loaded with the first model call (see agentBuild.mjs).
 *
 * @param fetch makes the requests.
 */
export function createLanguageModel(
  { provider, endpoint: baseURL, model, key }: ModelSettings,
  fetch: typeof globalThis.fetch,
): LanguageModelV4 {
  if (provider === 'anthropic') return createAnthropic({ baseURL, apiKey: key ?? '', fetch })(model);
  if (provider === 'google') return createGoogle({ baseURL, apiKey: key ?? '', fetch })(model);
  const options = { name: provider, baseURL, fetch, includeUsage: true, ...compact({ apiKey: key }) };
  return createOpenAICompatible(options)(model);
}
