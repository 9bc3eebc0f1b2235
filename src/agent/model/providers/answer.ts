import type {
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import { asList, asObject, compact, isObject, type JsonObject } from '../../../core/json';
import type { ModelEvent, Usage } from '../model';
import { AnswerCut, AnswerSpoiled } from './failures';
import { packMeta, type KeptThought } from './requestMeta';

type PartOf<T extends LanguageModelV4StreamPart['type']> = Extract<LanguageModelV4StreamPart, { type: T }>;

/**
 * The model's answer from the parts of a library's stream.
 *
 * @param model the choice that answers.
 * Throws what the stream tells as its error, and an AnswerCut for one that ends without its last part.
 */
export async function* answerOf(
  stream: AsyncIterable<LanguageModelV4StreamPart>,
  model: string,
): AsyncGenerator<ModelEvent> {
  const thoughts = new Thoughts();
  for await (const part of stream) {
    thoughts.take(part);
    if (part.type === 'text-delta' && part.delta !== '') yield { type: 'text', text: part.delta };
    else if (part.type === 'reasoning-delta' && part.delta !== '')
      yield { type: 'thought', text: part.delta };
    else if (part.type === 'tool-call') yield requestOf(part, thoughts.give(), model);
    else if (part.type === 'error') throw part.error;
    else if (part.type === 'finish') {
      yield* endOf(part);
      return;
    }
  }
  throw new AnswerCut();
}

function requestOf(
  { toolName: name, input, providerMetadata }: PartOf<'tool-call'>,
  thoughts: KeptThought[],
  model: string,
): ModelEvent {
  const meta = packMeta(model, { thoughts, ...compact({ providerOptions: providerMetadata }) });
  return { type: 'toolRequest', name, ...readInput(input), ...compact({ meta }) };
}

/** Arguments without a character are none. */
function readInput(text: string): { input: JsonObject; problem?: string } {
  try {
    const input: unknown = text.trim() === '' ? {} : JSON.parse(text);
    if (isObject(input)) return { input };
    return { input: {}, problem: 'The arguments are no JSON object. Call the tool again with one.' };
  } catch (error) {
    const cause = error instanceof Error ? error.message : '';
    return {
      input: {},
      problem: `The arguments are no valid JSON (${cause.slice(0, 200)}). Call the tool again with valid ones.`,
    };
  }
}

function* endOf({ usage, finishReason: { unified, raw } }: PartOf<'finish'>): Generator<ModelEvent> {
  if (unified === 'interrupted' || (unified === 'error' && raw === undefined)) throw new AnswerCut();
  if (unified === 'error') throw new AnswerSpoiled(raw ?? '');
  const used = usageOf(usage);
  if (Object.keys(used).length > 0) yield { type: 'usage', usage: used };
  if (unified === 'length') yield { type: 'stop', reason: 'max_tokens' };
  if (unified === 'content-filter') yield { type: 'stop', reason: 'refusal' };
}

function usageOf({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage {
  return compact({ inputTokens: inputTokens.total, outputTokens: outputTokens.total });
}

/** Keeps the thoughts that have to be given back with the tool requests that follow them. */
class Thoughts {
  private readonly blocks = new Map<string, { text: string; metadata?: SharedV4ProviderMetadata }>();
  private areWanted = false;

  take(part: LanguageModelV4StreamPart): void {
    // Servers that name a thought so refuse a tool's result without it; others refuse to see any.
    if (part.type === 'raw') this.areWanted ||= hasReasoningContent(part.rawValue);
    if (part.type !== 'reasoning-start' && part.type !== 'reasoning-delta' && part.type !== 'reasoning-end')
      return;
    const block = this.blocks.get(part.id) ?? { text: '' };
    this.blocks.set(part.id, block);
    if (part.type === 'reasoning-delta') block.text += part.delta;
    if (part.providerMetadata) block.metadata = { ...block.metadata, ...part.providerMetadata };
  }

  /** Those since the last time that it was called; each is given once. */
  give(): KeptThought[] {
    const kept = [...this.blocks.values()].filter(({ metadata }) => metadata !== undefined || this.areWanted);
    this.blocks.clear();
    return kept.map(({ text, metadata }) => ({ text, ...compact({ providerOptions: metadata }) }));
  }
}

/** True for a chunk of the chat completions format that names a thought in this way. */
function hasReasoningContent(chunk: unknown): boolean {
  const delta = asObject(asObject(asList(asObject(chunk)['choices'])[0])['delta']);
  return typeof delta['reasoning_content'] === 'string';
}
