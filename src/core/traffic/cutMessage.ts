import { asObject, compact, isObject } from '../json';

/** Longest JSON of a message that is kept, in UTF-16 units. */
export const MAX_MESSAGE = 1024 * 1024;

/** Lengths to which the texts of a long message are cut, one after the other. */
const STEPS = [16_000, 2_000, 200];

/** The message as JSON; where it is too long, with its texts cut, and at last without its contents. */
export function cutMessage(message: unknown, max = MAX_MESSAGE): { text: string; cut: boolean } {
  const text = toJson(message);
  if (text.length <= max) return { text, cut: false };
  for (const length of STEPS) {
    const shorter = toJson(message, length);
    if (shorter.length <= max) return { text: shorter, cut: true };
  }
  return { text: toJson(envelopeOf(message)), cut: true };
}

function toJson(value: unknown, length = Infinity): string {
  const shorten = (_: string, item: unknown): unknown =>
    typeof item === 'string' && item.length > length
      ? `${item.slice(0, length)}… (${item.length - length} more)`
      : item;
  return JSON.stringify(value, length === Infinity ? undefined : shorten) ?? 'null';
}

/** What a message needs to be an answer or a call at all. */
function envelopeOf(message: unknown): object {
  const { jsonrpc, id, method, params, result } = asObject(message);
  const { sessionId, update } = asObject(params);
  const kind = asObject(update)['sessionUpdate'];
  return compact({
    jsonrpc,
    id,
    method,
    params: isObject(params)
      ? compact({ sessionId, update: kind === undefined ? undefined : { sessionUpdate: kind } })
      : undefined,
    result: result === undefined ? undefined : compact({ sessionId: asObject(result)['sessionId'] }),
  });
}
