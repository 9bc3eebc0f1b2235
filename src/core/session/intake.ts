import { asList, asNumber, asObject, asString, compact, isObject, type JsonObject } from '../json';
import type { SessionUpdate, ToolPatch } from './actions';
import { readBlock } from './blocks';
import { readConfigOptions } from './config';
import { commandOf } from '../permission/subject';
import { isForModel } from './habits';
import { cutMiddle, MAX_RAW, MAX_TITLE } from './limits';
import { readInterrupted, readModelCallId, readSynthetic, readTokens } from './loopMeta';
import type {
  BlockView,
  CommandView,
  DiffView,
  OptionKind,
  PermissionOptionView,
  PlanItem,
  ToolContent,
  ToolLocation,
  WireStatus,
} from './state';

/** Turns the two texts of a diff into hunks and keeps the texts for "Open diff"; gives the reference to find them by. */
export type DiffKeeper = (diff: { path: string; oldText: string | null; newText: string }) => {
  ref: string;
  view: DiffView;
};

/**
 * Reads a `session/update` off the wire into what the reducer takes. Tolerant (SU-3, SU-4, IN-7): null counts as absent, a broken
 * optional field is left out, a broken list item is skipped, an unknown kind is named. Never throws.
 */
export function readUpdate(value: unknown, keepDiff: DiffKeeper): SessionUpdate {
  const update = asObject(value);
  const name = asString(update['sessionUpdate']) ?? '?';
  const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
  return read?.(update, keepDiff) ?? { kind: 'unknown', name };
}

type Reader = (update: JsonObject, keepDiff: DiffKeeper) => SessionUpdate | undefined;

const chunk =
  (role: 'user' | 'agent' | 'thought'): Reader =>
  (update) => {
    const block = readBlock(update['content'], false);
    if (block.type === 'text' && block.text === '') {
      const tokens = readTokens(asObject(update['_meta'])['usage']);
      if (tokens) return { kind: 'tokens', tokens };
    }
    const messageId = asString(update['messageId']);
    // By far the most frequent update.
    return messageId === undefined
      ? { kind: 'chunk', role, block }
      : { kind: 'chunk', role, block, messageId };
  };

/** What agents write in the name of the person is there on demand, and is no title. */
function withoutMachineText(update: SessionUpdate | undefined): SessionUpdate | undefined {
  if (update?.kind !== 'chunk' || update.block.type !== 'text' || !isForModel(update.block.text))
    return update;
  return { ...update, block: { ...update.block, hidden: true } };
}

const tool =
  (kind: 'toolCall' | 'toolCallUpdate'): Reader =>
  (update, keepDiff) => {
    const patch = readToolPatch(update, keepDiff);
    return patch && { kind, patch };
  };

const readers: Record<string, Reader> = {
  user_message_chunk: (update, keepDiff) => {
    const synthetic = readSynthetic(update['_meta']);
    if (!synthetic) return withoutMachineText(chunk('user')(update, keepDiff));
    const block = readBlock(update['content'], true);
    return {
      kind: 'synthetic',
      block,
      ...synthetic,
      ...compact({ messageId: asString(update['messageId']) }),
    };
  },
  agent_message_chunk: chunk('agent'),
  agent_thought_chunk: chunk('thought'),
  tool_call: tool('toolCall'),
  tool_call_update: tool('toolCallUpdate'),
  plan: (update) => ({ kind: 'plan', items: asList(update['entries']).filter(isObject).map(readPlanItem) }),
  available_commands_update: (update) => ({
    kind: 'commands',
    commands: readCommands(update['availableCommands']),
  }),
  config_option_update: (update) => ({ kind: 'config', config: readConfigOptions(update['configOptions']) }),
  current_mode_update: (update) => {
    // The documents' example says modeId, the schema currentModeId (MO-3).
    const modeId = asString(update['currentModeId']) ?? asString(update['modeId']);
    return modeId === undefined ? undefined : { kind: 'mode', modeId };
  },
  session_info_update: (update) => {
    const title = clearable(update['title']);
    const updatedAt = clearable(update['updatedAt']);
    return {
      kind: 'info',
      ...(title === undefined ? {} : { title }),
      ...(updatedAt === undefined ? {} : { updatedAt }),
      ...(readInterrupted(update['_meta']) ? { interrupted: true as const } : {}),
    };
  },
  usage_update: readUsage,
  compaction_update: (update) => {
    const compactionId = asString(update['compactionId']);
    if (compactionId === undefined) return undefined;
    const error = clearable(update['error']);
    return {
      kind: 'compaction',
      compactionId,
      ...compact({ status: asString(update['status']), summary: readSummary(update['summary']) }),
      ...(error === undefined ? {} : { error }),
    };
  },
  compaction_summary_chunk: (update) => {
    const compactionId = asString(update['compactionId']);
    if (compactionId === undefined) return undefined;
    return { kind: 'compactionChunk', compactionId, block: readBlock(update['content'], false) };
  },
  notice: (update) => {
    const title = asString(update['title']);
    if (!title) return undefined;
    const severity = asString(update['severity']) ?? 'info';
    return { kind: 'notice', severity, title, ...compact({ description: asString(update['description']) }) };
  },
};

/** Absent leaves what is there, null clears it (SI-1, NO-3). */
function clearable(value: unknown): string | null | undefined {
  return value === null ? null : asString(value);
}

function readSummary(value: unknown): BlockView[] | undefined {
  if (value === null) return [];
  return Array.isArray(value) ? value.map((block) => readBlock(block, false)) : undefined;
}

function readUsage(update: JsonObject): SessionUpdate | undefined {
  const used = asNumber(update['used']);
  const size = asNumber(update['size']);
  if (used === undefined || size === undefined) return undefined;
  const cost = asObject(update['cost']);
  const amount = asNumber(cost['amount']);
  const currency = asString(cost['currency']);
  const price = amount !== undefined && currency !== undefined ? { cost: { amount, currency } } : {};
  return { kind: 'usage', usage: { used, size, ...price } };
}

function readPlanItem(item: JsonObject): PlanItem {
  return {
    content: asString(item['content']) ?? '',
    priority: asString(item['priority']) ?? 'medium',
    status: asString(item['status']) ?? 'pending',
  };
}

function readCommands(value: unknown): CommandView[] {
  return asList(value).flatMap((item) => {
    const command = asObject(item);
    const name = asString(command['name']);
    if (!name) return [];
    const hint = asString(asObject(command['input'])['hint']);
    return [{ name, description: asString(command['description']) ?? '', ...compact({ hint }) }];
  });
}

/** Reads the fields of a tool call, an update or a permission request; undefined without an id. */
export function readToolPatch(value: unknown, keepDiff: DiffKeeper): ToolPatch | undefined {
  const call = asObject(value);
  const toolCallId = asString(call['toolCallId']);
  if (toolCallId === undefined) return undefined;
  const title = asString(call['title']);
  return compact({
    toolCallId,
    title: title === undefined ? undefined : cutMiddle(title, MAX_TITLE),
    name: asString(call['name']),
    toolKind: asString(call['kind']),
    status: readStatus(call['status']),
    content: Array.isArray(call['content'])
      ? call['content'].map((item) => readToolContent(item, keepDiff))
      : undefined,
    locations: Array.isArray(call['locations']) ? call['locations'].flatMap(readLocation) : undefined,
    rawInput: readRaw(call['rawInput']),
    rawOutput: readRaw(call['rawOutput']),
    command: readCommand(call['rawInput']),
    modelCallId: readModelCallId(call['_meta']),
  });
}

function readStatus(value: unknown): WireStatus | undefined {
  return value === 'pending' || value === 'in_progress' || value === 'completed' || value === 'failed'
    ? value
    : undefined;
}

function readToolContent(value: unknown, keepDiff: DiffKeeper): ToolContent {
  const item = asObject(value);
  if (item['type'] === 'content') return { type: 'block', block: readBlock(item['content'], true) };
  if (item['type'] === 'terminal' && typeof item['terminalId'] === 'string') {
    return { type: 'terminal', terminalId: item['terminalId'] };
  }
  const path = asString(item['path']);
  const newText = asString(item['newText']);
  if (item['type'] === 'diff' && path !== undefined && newText !== undefined) {
    const oldText = asString(item['oldText']) ?? null;
    const { ref, view } = keepDiff({ path, oldText, newText });
    return { type: 'diff', path, isNew: oldText === null, diff: view, ref };
  }
  // A bare content block, as in the documents' example for plan exit (client-duties, section e, 3).
  return { type: 'block', block: readBlock(item, true) };
}

function readLocation(value: unknown): ToolLocation[] {
  const location = asObject(value);
  const path = asString(location['path']);
  return path === undefined ? [] : [{ path, ...compact({ line: asNumber(location['line']) }) }];
}

/** JSON text of a raw value; undefined for what says nothing (`null`, `{}`, `[]`, `""`). */
function readRaw(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return text === '{}' || text === '[]' ? undefined : cutMiddle(text, MAX_RAW);
}

/** The command of an execute call, as rules read it: a line, or argv joined for display. */
function readCommand(rawInput: unknown): string | undefined {
  const command = commandOf(asObject(rawInput));
  if (!command) return undefined;
  if ('line' in command) return cutMiddle(command.line, MAX_TITLE);
  return cutMiddle(
    command.argv.map((part) => (/^[\w@%+=:,./-]+$/.test(part) ? part : JSON.stringify(part))).join(' '),
    MAX_TITLE,
  );
}

/** Reads the options of a permission request in the agent's order; one without an id is skipped, and one whose id another has. */
export function readPermissionOptions(value: unknown): PermissionOptionView[] {
  const options = new Map<string, PermissionOptionView>();
  for (const item of asList(value)) {
    const option = asObject(item);
    const optionId = asString(option['optionId']);
    // The agent could take an answer for either.
    if (optionId === undefined || options.has(optionId)) continue;
    const name = asString(option['name']) ?? optionId;
    options.set(optionId, { optionId, name, kind: readOptionKind(option['kind']) });
  }
  return [...options.values()];
}

function readOptionKind(value: unknown): OptionKind {
  return value === 'allow_once' ||
    value === 'allow_always' ||
    value === 'reject_once' ||
    value === 'reject_always'
    ? value
    : 'other';
}
