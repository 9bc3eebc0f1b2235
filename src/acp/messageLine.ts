import type { Message } from 'vscode-jsonrpc/node';
import { isObject, type JsonObject } from '../core/json';

const MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);

// Terminal escapes: CSI (colours, cursor), OSC (titles, links; ended by BEL or ST), and those of two characters; and what else is no
// character of a text: control characters and the BOM.
const ESCAPE = String.raw`\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_=>78])`;
const NOTHING = String.raw`(?:${ESCAPE}|[\s\x00-\x1a\x1c-\x1f\x7f\uFEFF])*`;
const BEFORE = new RegExp(`^${NOTHING}`);
const ONLY_NOTHING = new RegExp(`^${NOTHING}$`);

/**
 * The JSON-RPC message that a line holds. Terminal escapes around it are left out: wrappers of agents set titles and colours
 * (TR-5). Undefined for anything else: text, numbers, lists (which v1 does not know as batches, TR-12), objects that are no message.
 */
export function parseMessageLine(line: string): Message | undefined {
  const value = parseJson(line);
  return isObject(value) && isMessage(value) ? (value as unknown as Message) : undefined;
}

/** Looks for what stands around only in a line that is no JSON as it is: that takes a quarter of the time of parsing. */
function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return parseWithin(line);
  }
}

/** Reads an object that has nothing but escapes before and behind it. */
function parseWithin(line: string): unknown {
  const start = BEFORE.exec(line)?.[0].length ?? 0;
  const end = line.lastIndexOf('}') + 1;
  if (line[start] !== '{' || !ONLY_NOTHING.test(line.slice(end))) return undefined;
  try {
    return JSON.parse(line.slice(start, end));
  } catch {
    return undefined; // Not JSON: the caller logs the line.
  }
}

/**
 * A message without "jsonrpc" is taken if it has no member of its own: a line of a structured log may have a "method" or an "error"
 * too, and must not settle a request.
 */
function isMessage(value: JsonObject): boolean {
  const { jsonrpc, method, id } = value;
  if (jsonrpc !== undefined && jsonrpc !== '2.0') return false;
  if (jsonrpc === undefined && !Object.keys(value).every((key) => MEMBERS.has(key))) return false;
  if (method !== undefined) return typeof method === 'string';
  // An answer; one without a result is what `JSON.stringify` makes of a result that is undefined.
  return id !== undefined && ('result' in value || 'error' in value || jsonrpc === '2.0');
}
