import { WireError } from './errors';
import { asList, asNumber, asObject, asString, isObject, type JsonObject } from './json';

/**
 * The key under which a client that has language models of its own says so in `_meta` of its capabilities. The built-in agent may ask for
 * them and use one that the person chose.
 */
export const LM_META = 'parley.lm';

/** `models` and `send` are requests of the agent; `part` and `changed` are notifications of the client. */
export const LmMethod = {
  models: '_parley/lm/models',
  send: '_parley/lm/send',
  part: '_parley/lm/part',
  changed: '_parley/lm/changed',
} as const;

/** A language model of the client. */
export interface LmModel {
  id: string;
  name: string;
  vendor: string;
  family: string;
  /** In tokens; 0 where it is not known. */
  maxInputTokens: number;
}

export interface LmText {
  type: 'text';
  text: string;
}

/** A tool that the model asks for; `callId` is that of the model. */
export interface LmToolCall {
  type: 'toolCall';
  callId: string;
  name: string;
  input: JsonObject;
}

/** What came of a tool that the model asked for. */
export interface LmToolResult {
  type: 'toolResult';
  callId: string;
  text: string;
}

/** A piece of a model's answer. */
export type LmPart = LmText | { type: 'thought'; text: string } | LmToolCall;

/** A message of the conversation that a model is given. */
export interface LmMessage {
  role: 'user' | 'assistant';
  parts: (LmText | LmToolCall | LmToolResult)[];
}

export interface LmTool {
  name: string;
  description: string;
  /** JSON Schema of an object. */
  inputSchema: JsonObject;
}

/** One model call. Its parts come as notifications with its `callId`, then the request is answered. */
export interface LmRequest {
  callId: string;
  modelId: string;
  messages: LmMessage[];
  tools: LmTool[];
}

/** The models of an answer; what can't be used is left out. */
export function readLmModels(answer: unknown): LmModel[] {
  return asList(asObject(answer)['models']).flatMap((item) => {
    const { id, name, vendor, family, maxInputTokens } = asObject(item);
    if (typeof id !== 'string' || id === '') return [];
    return {
      id,
      name: asString(name) || id,
      vendor: asString(vendor) ?? '',
      family: asString(family) ?? '',
      maxInputTokens: Math.max(0, asNumber(maxInputTokens) ?? 0),
    };
  });
}

/** A piece of an answer; undefined for one of an unknown kind. */
export function readLmPart(value: unknown): LmPart | undefined {
  const { type, text, callId, name, input } = asObject(value);
  if (type === 'text' || type === 'thought') return typeof text === 'string' ? { type, text } : undefined;
  if (type !== 'toolCall' || typeof name !== 'string') return undefined;
  return { type, callId: asString(callId) ?? '', name, input: asObject(input) };
}

/** The parameters of a model call. Throws -32602 for what is none. */
export function readLmRequest(params: JsonObject): LmRequest {
  const { callId, modelId } = params;
  if (typeof callId !== 'string' || typeof modelId !== 'string')
    throw WireError.invalidParams('"callId" and "modelId" must be strings.');
  return {
    callId,
    modelId,
    messages: asList(params['messages']).map(readMessage),
    tools: asList(params['tools']).map(readTool),
  };
}

function readMessage(value: unknown): LmMessage {
  const { role, parts } = asObject(value);
  if (role !== 'user' && role !== 'assistant')
    throw WireError.invalidParams('"role" of a message must be "user" or "assistant".');
  return { role, parts: asList(parts).map(readMessagePart) };
}

function readMessagePart(value: unknown): LmMessage['parts'][number] {
  const { type, callId, text } = asObject(value);
  if (type === 'toolResult' && typeof callId === 'string' && typeof text === 'string')
    return { type, callId, text };
  const part = readLmPart(value);
  if (!part || part.type === 'thought') throw WireError.invalidParams('A message has an unknown part.');
  return part;
}

function readTool(value: unknown): LmTool {
  const { name, description, inputSchema } = asObject(value);
  if (typeof name !== 'string' || !isObject(inputSchema))
    throw WireError.invalidParams('A tool needs a name and the schema of its input.');
  return { name, description: asString(description) ?? '', inputSchema };
}
