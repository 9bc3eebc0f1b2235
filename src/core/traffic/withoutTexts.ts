import { isObject } from '../json';
import type { EntryKind } from './entry';

/** Members whose texts are the protocol's own, or say nothing about a person: they stay as they are. */
const KEPT = new Set(
  (
    'jsonrpc method id sessionId toolCallId messageId terminalId elicitationId compactionId methodId requestId optionId modeId ' +
    'currentModeId configId category kind status type sessionUpdate stopReason outcome action severity priority mimeType mode role ' +
    'signal protocolVersion currency failed turnId'
  ).split(' '),
);

/** Members that hold paths or addresses: their separators stay, so that one sees what kind of path it is. */
const PATHS = new Set(['path', 'cwd', 'uri', 'url', 'additionalDirectories']);

/** Members whose insides have names that nobody knows. */
const RAW = new Set(['rawInput', 'rawOutput', '_meta']);

/** Groups that hold no text of a person at all. */
const WHOLE = new Set(['clientCapabilities', 'agentCapabilities', 'clientInfo', 'agentInfo']);

/**
 * The same value with texts replaced by as many `x`: prompts, messages, files, output, names of files. What the protocol itself defines
 * stays, and so does the message of an error, without which a failure says nothing.
 */
export function withoutTexts(value: unknown, kind: EntryKind): unknown {
  if (kind === 'stderr' || kind === 'line') return typeof value === 'string' ? blank(value) : value;
  return replaced(value, '');
}

function replaced(value: unknown, name: string): unknown {
  if (typeof value === 'string')
    return KEPT.has(name) ? value : PATHS.has(name) ? blankPath(value) : blank(value);
  if (Array.isArray(value)) return value.map((item) => replaced(item, name));
  if (!isObject(value) || WHOLE.has(name)) return value;
  // The answer to a form has names of its own, a block of content has a type.
  const isForm = name === 'content' && value['type'] === undefined;
  const inRaw = isForm || RAW.has(name);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      name === 'error' && key === 'message' ? item : inRaw ? rawReplaced(item) : replaced(item, key),
    ]),
  );
}

/** Names mean nothing there: all texts go. */
function rawReplaced(value: unknown): unknown {
  if (typeof value === 'string') return blank(value);
  if (Array.isArray(value)) return value.map(rawReplaced);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rawReplaced(item)]));
}

const blank = (text: string): string => text.replaceAll(/\S/g, 'x');

/** `{{cwd}}/src/a.ts` becomes `{{cwd}}/xxx/x.xx`. */
function blankPath(path: string): string {
  const place = /^(?:file:\/\/)?(?:\{\{\w+\}\}|~)/.exec(path)?.[0] ?? '';
  return place + path.slice(place.length).replaceAll(/[^/\\.:\s]/g, 'x');
}
