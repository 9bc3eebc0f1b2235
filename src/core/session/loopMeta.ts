import { LOOP_META } from '../acp';
import { asObject, asString, compact, isObject, type JsonObject } from '../json';
import { cutMiddle, MAX_RAW } from './limits';
import type { LoopEnd, ModelCallEvent, TokenCounts } from './turn';

/** Longest id that is taken, in UTF-16 units: the agent chooses it, and it is kept with every tool call. */
const MAX_ID = 200;
/** Largest number that is believed to count calls or nudges. */
const MAX_COUNT = 1_000_000;

const loopOf = (meta: unknown): JsonObject => asObject(asObject(meta)[LOOP_META]);

function countIn(value: unknown, least: number): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= MAX_COUNT
    ? value
    : undefined;
}

function idIn(value: unknown): string | undefined {
  const id = asString(value);
  return id && id.length <= MAX_ID ? id : undefined;
}

/** The model call that `_meta` of an update names; the wire calls it a turn. */
export function readModelCallId(meta: unknown): string | undefined {
  return idIn(loopOf(meta)['turnId']);
}

/** What `_meta` says of a message of the user that the agent wrote itself; undefined for one of the person. */
export function readSynthetic(meta: unknown): { reason: string; n?: number } | undefined {
  const { synthetic, reason, n } = loopOf(meta);
  if (synthetic !== true) return undefined;
  return { reason: idIn(reason) ?? '', ...compact({ n: countIn(n, 1) }) };
}

/** True where `_meta` says that the last turn of a session never came to its end. */
export function readInterrupted(meta: unknown): boolean {
  return loopOf(meta)['interrupted'] === true;
}

/** What the answer to a prompt says under `_meta`. */
export function readLoopEnd(meta: unknown): LoopEnd {
  const { modelCalls, taskComplete, nudges, nudgesExhausted } = loopOf(meta);
  const summary = asString(asObject(taskComplete)['summary']) ?? '';
  return compact({
    modelCalls: countIn(modelCalls, 0),
    taskComplete: isObject(taskComplete) ? cutMiddle(summary, MAX_RAW) : undefined,
    nudges: countIn(nudges, 1),
    nudgesExhausted: nudgesExhausted === true ? (true as const) : undefined,
  });
}

/** Reads the parameters of a notification of the loop; undefined where they name no model call. */
export function readModelCallEvent(
  type: ModelCallEvent['type'],
  params: JsonObject,
): ModelCallEvent | undefined {
  const id = idIn(params['turnId']);
  if (id === undefined) return undefined;
  if (type === 'modelCallStarted') return { type, id };
  return { type, id, ...compact({ usage: readTokens(params['usage']) }) };
}

/** Reads how many tokens went in and out, in either spelling; undefined where that is not told, or none did. */
export function readTokens(value: unknown): TokenCounts | undefined {
  const usage = asObject(value);
  const input = usage['inputTokens'] ?? usage['input_tokens'];
  const output = usage['outputTokens'] ?? usage['output_tokens'];
  const isCount = (tokens: unknown): tokens is number => Number.isSafeInteger(tokens) && Number(tokens) >= 0;
  return isCount(input) && isCount(output) && input + output > 0 ? { input, output } : undefined;
}

/** The tokens of a turn by the answer to its prompt: from `usage`, else from what several agents send under `_meta`. */
export function readTurnTokens({ usage, _meta }: JsonObject): TokenCounts | undefined {
  return readTokens(usage) ?? readTokens(asObject(asObject(_meta)['quota'])['token_count']);
}
