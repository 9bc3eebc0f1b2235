import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { compact } from '../../../core/json';
import { ModelFailure, type Model, type ModelEvent, type ModelInput } from '../model';
import { answerOf } from './answer';
import { Failures } from './failures';
import { OneRequest } from './oneRequest';
import { promptOf, toolsOf } from './prompt';
import { choiceId, type ModelSettings } from './settings';

/** Most tokens of one answer where the server has to be told; a library lowers it for models that have less. */
const MAX_OUTPUT_TOKENS = 32_000;

/** A language model of a server, through the library for its wire format. One `next` is one HTTP request. */
export class ProviderModel implements Model {
  readonly contextTokens: number;
  private readonly id: string;
  private readonly failures: Failures;

  constructor(private readonly settings: ModelSettings) {
    this.contextTokens = settings.contextTokens;
    this.id = choiceId(settings);
    this.failures = new Failures(settings);
  }

  async *next(input: ModelInput, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const request = new OneRequest(this.failures, this.settings.idleMs, signal);
    let isBegun = false;
    try {
      const { createLanguageModel } = await import('./libraries');
      const model = createLanguageModel(this.settings, request.fetch);
      const { stream } = await model.doStream(this.callOptions(input, request.signal));
      for await (const event of answerOf(stream, this.id)) {
        isBegun = true;
        yield event;
      }
    } catch (error) {
      if (signal.aborted) throw error;
      const failure = request.wasQuiet ? this.failures.quiet() : this.failures.of(error);
      // What the person has read is not said again.
      throw isBegun ? new ModelFailure(failure.kind, failure.message) : failure;
    } finally {
      request.end();
    }
  }

  private callOptions(input: ModelInput, abortSignal: AbortSignal): LanguageModelV4CallOptions {
    const { provider } = this.settings;
    return {
      prompt: promptOf(input, this.id),
      ...compact({ tools: toolsOf(input.tools) }),
      ...(provider === 'anthropic' ? { maxOutputTokens: MAX_OUTPUT_TOKENS } : {}),
      includeRawChunks: provider === 'openai-compatible',
      abortSignal,
    };
  }
}
