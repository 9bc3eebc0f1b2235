import { ClientMethod, AgentMethod } from '../acp';
import { asList, asObject, isObject, type JsonObject } from '../json';
import { note, type FaultNote } from './faultNote';

type Kind = 'text' | 'number' | 'list' | 'object' | 'boolean';

/** The duty, and the members that must be there. */
type Shape = readonly [duty: string, members: Readonly<Record<string, Kind>>];

const session = { sessionId: 'text' } as const;
const place = { ...session, cwd: 'text' } as const;
const terminal = { ...session, terminalId: 'text' } as const;

/** Parameters of what the agent calls. */
const CLIENT_METHODS: Record<string, Shape> = {
  [ClientMethod.update]: ['SU-1', { ...session, update: 'object' }],
  [ClientMethod.requestPermission]: ['PE-1', { ...session, toolCall: 'object', options: 'list' }],
  [ClientMethod.readTextFile]: ['FS-2', { ...session, path: 'text' }],
  [ClientMethod.writeTextFile]: ['FS-7', { ...session, path: 'text', content: 'text' }],
  [ClientMethod.createTerminal]: ['TE-2', { ...session, command: 'text' }],
  [ClientMethod.terminalOutput]: ['TE-4', terminal],
  [ClientMethod.waitForTerminalExit]: ['TE-5', terminal],
  [ClientMethod.killTerminal]: ['TE-8', terminal],
  [ClientMethod.releaseTerminal]: ['TE-9', terminal],
  [ClientMethod.createElicitation]: ['EL-1', { mode: 'text', message: 'text' }],
  [ClientMethod.completeElicitation]: ['EL-26', { elicitationId: 'text' }],
};

/** Parameters of what the client calls. */
const AGENT_METHODS: Record<string, Shape> = {
  [AgentMethod.initialize]: ['IN-2', { protocolVersion: 'number' }],
  [AgentMethod.authenticate]: ['AU-2', { methodId: 'text' }],
  [AgentMethod.newSession]: ['SE-2', { cwd: 'text', mcpServers: 'list' }],
  [AgentMethod.loadSession]: ['SE-7', { ...place, mcpServers: 'list' }],
  [AgentMethod.resumeSession]: ['SE-11', place],
  [AgentMethod.closeSession]: ['SE-12', session],
  [AgentMethod.deleteSession]: ['SE-20', session],
  [AgentMethod.listSessions]: ['SE-15', {}],
  [AgentMethod.logout]: ['AU-10', {}],
  [AgentMethod.setMode]: ['MO-2', { ...session, modeId: 'text' }],
  [AgentMethod.setConfigOption]: ['CF-7', { ...session, configId: 'text' }],
  [AgentMethod.prompt]: ['PT-2', { ...session, prompt: 'list' }],
  [AgentMethod.cancel]: ['CA-1', session],
};

/** Results, by the method of the request. */
const RESULTS: Record<string, Shape> = {
  [AgentMethod.initialize]: ['IN-8', { protocolVersion: 'number' }],
  [AgentMethod.newSession]: ['SE-2', session],
  [AgentMethod.prompt]: ['PT-8', { stopReason: 'text' }],
  [AgentMethod.listSessions]: ['SE-15', { sessions: 'list' }],
  [AgentMethod.setConfigOption]: ['CF-7', { configOptions: 'list' }],
  [ClientMethod.requestPermission]: ['PE-1', { outcome: 'object' }],
  [ClientMethod.readTextFile]: ['FS-2', { content: 'text' }],
  [ClientMethod.createTerminal]: ['TE-2', { terminalId: 'text' }],
  [ClientMethod.terminalOutput]: ['TE-4', { output: 'text', truncated: 'boolean' }],
  [ClientMethod.createElicitation]: ['EL-1', { action: 'text' }],
};

/** Members of each kind of update (SU-2). */
const UPDATES: Record<string, Shape> = {
  user_message_chunk: ['SU-2', { content: 'object' }],
  agent_message_chunk: ['SU-2', { content: 'object' }],
  agent_thought_chunk: ['SU-2', { content: 'object' }],
  tool_call: ['TC-1', { toolCallId: 'text', title: 'text' }],
  tool_call_update: ['TC-4', { toolCallId: 'text' }],
  plan: ['PL-1', { entries: 'list' }],
  available_commands_update: ['SC-1', { availableCommands: 'list' }],
  current_mode_update: ['MO-3', { currentModeId: 'text' }],
  config_option_update: ['CF-8', { configOptions: 'list' }],
  session_info_update: ['SI-1', {}],
  usage_update: ['US-1', { used: 'number', size: 'number' }],
  notice: ['NO-1', { severity: 'text', title: 'text' }],
  compaction_update: ['NO-3', { compactionId: 'text', status: 'text' }],
  compaction_summary_chunk: ['NO-4', { compactionId: 'text', content: 'object' }],
};

const BLOCKS: Record<string, Shape> = {
  text: ['CO-1', { text: 'text' }],
  image: ['CO-2', { data: 'text', mimeType: 'text' }],
  audio: ['CO-3', { data: 'text', mimeType: 'text' }],
  resource: ['CO-4', { resource: 'object' }],
  resource_link: ['CO-5', { uri: 'text', name: 'text' }],
};

const TOOL_KINDS = 'read edit delete move search execute think fetch switch_mode other'.split(' ');
const TOOL_STATUS = ['pending', 'in_progress', 'completed', 'failed'];
const STOP_REASONS = ['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled'];
const OPTION_KINDS = ['allow_once', 'allow_always', 'reject_once', 'reject_always'];

const rowOf = <T>(table: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

const kindOf = (value: unknown): Kind | undefined => {
  if (Array.isArray(value)) return 'list';
  if (isObject(value)) return 'object';
  return ({ string: 'text', number: 'number', boolean: 'boolean' } as const)[typeof value as 'string'];
};

function shapeFaults(shape: Shape | undefined, value: JsonObject, where: string): FaultNote[] {
  if (!shape) return [];
  const [duty, members] = shape;
  return Object.entries(members)
    .filter(([name, kind]) => kindOf(value[name]) !== kind)
    .map(([name]) => note(duty, 'malformed', where, name));
}

function valueFaults(duty: string, where: string, value: unknown, known: readonly string[]): FaultNote[] {
  const fine = value === undefined || value === null || known.includes(value as string);
  return fine ? [] : [note(duty, 'unknownValue', where, value)];
}

/** True for a path that is absolute on some platform (RP-5). */
export const isAbsolutePath = (path: string): boolean => /^(?:\/|\\\\|[A-Za-z]:[\\/])/.test(path);

/** A path that should be absolute; what is no text at all is a matter of its shape. */
export function pathFaults(duty: string, where: string, path: unknown): FaultNote[] {
  return typeof path !== 'string' || isAbsolutePath(path) ? [] : [note(duty, 'relativePath', where, path)];
}

/** Names of what an agent may call; those that begin with `_` or `$/` are nobody's business here. */
export const isClientMethod = (method: string): boolean => rowOf(CLIENT_METHODS, method) !== undefined;
export const isAgentMethod = (method: string): boolean => rowOf(AGENT_METHODS, method) !== undefined;

/** Duty of the parameters of a method. */
export const dutyOf = (method: string): string =>
  (rowOf(CLIENT_METHODS, method) ?? rowOf(AGENT_METHODS, method))?.[0] ?? 'EX-4';

export function paramsFaults(method: string, params: JsonObject): FaultNote[] {
  const shape = rowOf(CLIENT_METHODS, method) ?? rowOf(AGENT_METHODS, method);
  return [
    ...shapeFaults(shape, params, method),
    ...pathFaults('RP-5', `${method} path`, params['path']),
    ...pathFaults(
      method === ClientMethod.createTerminal ? 'RP-5' : 'SE-3',
      `${method} cwd`,
      params['cwd'] ?? undefined,
    ),
    ...asList(params['additionalDirectories']).flatMap((path) => pathFaults('SE-22', method, path)),
    ...(method === ClientMethod.requestPermission ? questionFaults(params) : []),
    ...(method === AgentMethod.prompt
      ? asList(params['prompt']).flatMap((item) => blockFaults(item, method))
      : []),
  ];
}

export function resultFaults(method: string, result: unknown): FaultNote[] {
  const value = asObject(result);
  return [
    ...shapeFaults(rowOf(RESULTS, method), value, method),
    ...(method === AgentMethod.prompt && typeof value['stopReason'] === 'string'
      ? valueFaults('PT-8', 'stopReason', value['stopReason'], STOP_REASONS)
      : []),
  ];
}

/** What is wrong with an update by itself. */
export function updateFaults(update: JsonObject): FaultNote[] {
  const name = update['sessionUpdate'];
  if (typeof name !== 'string') return [note('SU-2', 'malformed', 'session/update', 'sessionUpdate')];
  const shape = rowOf(UPDATES, name);
  if (!shape) return [note('SU-2', 'unknownUpdate', name)];
  const found = shapeFaults(shape, update, name);
  if (name === 'tool_call' || name === 'tool_call_update') found.push(...toolFaults(update));
  if (name === 'plan') found.push(...asList(update['entries']).flatMap(planFaults));
  if (isObject(update['content'])) found.push(...blockFaults(update['content'], name));
  return found;
}

/** A tool call in an update or in a question. */
export function toolFaults(tool: JsonObject): FaultNote[] {
  return [
    ...valueFaults('TC-2', 'kind', tool['kind'], TOOL_KINDS),
    ...valueFaults('TC-3', 'status', tool['status'], TOOL_STATUS),
    ...asList(tool['locations']).flatMap((item) => pathFaults('TC-8', 'location', asObject(item)['path'])),
    ...asList(tool['content']).flatMap((item) => contentFaults(asObject(item))),
  ];
}

function contentFaults(item: JsonObject): FaultNote[] {
  const { type } = item;
  if (type === 'content') return blockFaults(item['content'], 'tool call content');
  if (type === 'diff')
    return [
      ...shapeFaults(['DI-1', { path: 'text', newText: 'text' }], item, 'diff'),
      ...pathFaults('DI-1', 'diff', item['path']),
    ];
  if (type === 'terminal') return shapeFaults(['TC-7', { terminalId: 'text' }], item, 'terminal');
  return [note('TC-7', 'unknownValue', 'tool call content', type)];
}

function blockFaults(value: unknown, where: string): FaultNote[] {
  const block = asObject(value);
  const shape = typeof block['type'] === 'string' ? rowOf(BLOCKS, block['type']) : undefined;
  return shape
    ? shapeFaults(shape, block, `${where} ${String(block['type'])}`)
    : [note('CO-7', 'unknownValue', `${where} type`, block['type'])];
}

function planFaults(item: unknown): FaultNote[] {
  const entry = asObject(item);
  return [
    ...shapeFaults(['PL-1', { content: 'text', priority: 'text', status: 'text' }], entry, 'plan entry'),
    ...valueFaults('PL-1', 'priority', entry['priority'], ['high', 'medium', 'low']),
    ...valueFaults('PL-1', 'status', entry['status'], ['pending', 'in_progress', 'completed']),
  ];
}

function questionFaults(params: JsonObject): FaultNote[] {
  const tool = asObject(params['toolCall']);
  return [
    ...shapeFaults(['PE-6', { toolCallId: 'text' }], tool, 'toolCall'),
    ...toolFaults(tool),
    ...asList(params['options']).flatMap((item) => [
      ...shapeFaults(['PE-1', { optionId: 'text', name: 'text', kind: 'text' }], asObject(item), 'option'),
      ...valueFaults('PE-2', 'option kind', asObject(item)['kind'], OPTION_KINDS),
    ]),
  ];
}
