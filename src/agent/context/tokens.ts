import { compact } from '../../core/json';
import type { HistoryItem, Model, ModelInput, Usage } from '../model/model';

/** What of a model's input takes room. */
export type Measured = Pick<ModelInput, 'history' | 'instructions' | 'tools'>;

/** Tokens that an item or a tool request takes beside its texts. */
const FRAME = 4;

/** How far the estimate is trusted to be off; beyond that it is the model's count that is odd. */
const FACTORS = { least: 0.5, most: 3 };

/** Tokens of a text, roughly: four letters of ASCII make one, two of other alphabets, and each Chinese character is one. */
export function estimateText(text: string): number {
  let quarters = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) quarters += 1;
    else quarters += code < 0x2e80 ? 2 : 4;
  }
  return Math.ceil(quarters / 4);
}

/** Tokens of an item of the history, roughly. */
export function estimateItem(item: HistoryItem): number {
  if (item.role === 'user') return FRAME + estimateText(item.text);
  if (item.role === 'tool') return FRAME + estimateText(item.name) + estimateText(item.output);
  const requests = item.toolRequests.map(
    ({ name, input, meta }) =>
      FRAME + estimateText(name + JSON.stringify(input) + JSON.stringify(meta ?? {})),
  );
  return FRAME + estimateText(item.text) + sum(requests);
}

/** Counts tokens: estimates of what comes, by what the model counted last, and what was used. */
export class TokenMeter {
  /** Tokens of the model for one of the estimate. */
  private factor = 1;

  /** Tokens of an input. */
  measure(input: Measured): number {
    return Math.ceil(estimate(input) * this.factor);
  }

  /** The model's tokens as the estimate would count them. */
  inEstimate(tokens: number): number {
    return Math.ceil(tokens / this.factor);
  }

  /**
   * The same model, whose counts the estimates go by from now on.
   *
   * @param used is given what its calls use.
   */
  watch(model: Model, used: Usage): Model {
    const learn = (input: ModelInput, usage: Usage): void => this.learn(input, usage, used);
    return {
      ...compact({ contextTokens: model.contextTokens }),
      async *next(input, signal) {
        let usage: Usage = {};
        try {
          for await (const event of model.next(input, signal)) {
            if (event.type === 'usage') usage = event.usage;
            yield event;
          }
        } finally {
          learn(input, usage);
        }
      },
    };
  }

  private learn(input: ModelInput, { inputTokens, outputTokens }: Usage, used: Usage): void {
    if (outputTokens !== undefined) used.outputTokens = (used.outputTokens ?? 0) + outputTokens;
    if (inputTokens === undefined) return;
    used.inputTokens = (used.inputTokens ?? 0) + inputTokens;
    const factor = inputTokens / Math.max(1, estimate(input));
    this.factor = Math.min(FACTORS.most, Math.max(FACTORS.least, factor));
  }
}

function estimate({ history, instructions, tools }: Measured): number {
  return estimateText(instructions) + estimateText(JSON.stringify(tools)) + sum(history.map(estimateItem));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
