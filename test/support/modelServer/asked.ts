import { asList, asObject, asString, type JsonObject } from '../../../src/core/json';
import type { ScriptedProvider } from './modelServer';

/** One message of a conversation as it was sent, whatever the wire format. */
export interface AskedMessage {
  role: 'user' | 'assistant' | 'tool';
  text?: string;
  calls?: { name: string; args: unknown }[];
  /** What the tools gave. */
  results?: string[];
}

/** The conversation in the body of a request, without the instructions. */
export function conversationIn(provider: ScriptedProvider, body: JsonObject): AskedMessage[] {
  if (provider === 'openai-compatible') return openaiMessages(asList(body['messages']).map(asObject));
  if (provider === 'anthropic')
    return asList(body['messages']).flatMap((item) => anthropicMessages(asObject(item)));
  return asList(body['contents']).flatMap((item) => googleMessages(asObject(item)));
}

/** The instructions in the body of a request. */
export function instructionsIn(provider: ScriptedProvider, body: JsonObject): string {
  if (provider === 'openai-compatible') {
    const system = asList(body['messages'])
      .map(asObject)
      .find(({ role }) => role === 'system');
    return asString(system?.['content']) ?? '';
  }
  return textOf(provider === 'anthropic' ? body['system'] : asObject(body['systemInstruction'])['parts']);
}

/** The names of the tools that a request offers. */
export function toolNamesIn(provider: ScriptedProvider, body: JsonObject): string[] {
  const tools = asList(body['tools']).map(asObject);
  if (provider === 'openai-compatible') return tools.map((tool) => nameOf(tool['function']));
  if (provider === 'anthropic') return tools.map(nameOf);
  return tools.flatMap((tool) => asList(tool['functionDeclarations']).map(nameOf));
}

function nameOf(value: unknown): string {
  return asString(asObject(value)['name']) ?? '';
}

function textOf(parts: unknown): string {
  if (typeof parts === 'string') return parts;
  return asList(parts)
    .map((part) => asString(asObject(part)['text']) ?? '')
    .join('');
}

function message(role: AskedMessage['role'], text: string, calls: AskedMessage['calls'] = []): AskedMessage {
  return { role, ...(text === '' ? {} : { text }), ...(calls.length > 0 ? { calls } : {}) };
}

function openaiMessages(messages: readonly JsonObject[]): AskedMessage[] {
  const asked: AskedMessage[] = [];
  for (const { role, content, tool_calls: calls } of messages) {
    const last = asked.at(-1);
    if (role === 'user') asked.push(message('user', textOf(content)));
    if (role === 'assistant') {
      const read = asList(calls).map((call) => {
        const { name, arguments: args } = asObject(asObject(call)['function']);
        return { name: String(name), args: JSON.parse(String(args)) as unknown };
      });
      asked.push(message('assistant', textOf(content), read));
    }
    if (role === 'tool' && last?.role === 'tool') last.results?.push(textOf(content));
    else if (role === 'tool') asked.push({ role: 'tool', results: [textOf(content)] });
  }
  return asked;
}

/** Results and what the user says after them are in one message here. */
function anthropicMessages({ role, content }: JsonObject): AskedMessage[] {
  const blocks = (typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content)).map(
    asObject,
  );
  const results = blocks
    .filter(({ type }) => type === 'tool_result')
    .map((block) => textOf(block['content']));
  const calls = blocks
    .filter(({ type }) => type === 'tool_use')
    .map(({ name, input }) => ({ name: String(name), args: input }));
  const text = blocks.filter(({ type }) => type === 'text');
  return [
    ...(results.length > 0 ? [{ role: 'tool' as const, results }] : []),
    ...(text.length > 0 || calls.length > 0
      ? [message(role === 'assistant' ? 'assistant' : 'user', textOf(text), calls)]
      : []),
  ];
}

function googleMessages({ role, parts }: JsonObject): AskedMessage[] {
  const all = asList(parts).map(asObject);
  const results = all
    .filter((part) => 'functionResponse' in part)
    .map((part) => {
      const { content, error } = asObject(asObject(part['functionResponse'])['response']);
      return asString(content) ?? asString(error) ?? '';
    });
  if (results.length > 0) return [{ role: 'tool', results }];
  const calls = all
    .filter((part) => 'functionCall' in part)
    .map((part) => {
      const { name, args } = asObject(part['functionCall']);
      return { name: String(name), args };
    });
  return [message(role === 'model' ? 'assistant' : 'user', textOf(all), calls)];
}
