import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
} from '@ai-sdk/provider';
import { compact } from '../../../core/json';
import type { HistoryItem, ModelInput, ToolDefinition, ToolRequest } from '../model';
import { readMeta } from './requestMeta';

type MessageOf<R extends LanguageModelV4Message['role']> = Extract<LanguageModelV4Message, { role: R }>;
type AssistantPart = MessageOf<'assistant'>['content'][number];

/** What stands for a text that is empty, since some servers refuse messages without text. */
export const NO_TEXT = '(no text)';

/**
 * The conversation as the libraries take it. Neighbours of the same role become one message, as templates of some models know no others;
 * the agent's own messages to the model are messages of the user.
 *
 * @param model the choice that is going to answer; what a provider wants to see again goes only to the one that gave it.
 */
export function promptOf({ history, instructions }: ModelInput, model: string): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Message[] = [];
  if (instructions !== '') prompt.push({ role: 'system', content: instructions });
  for (const item of history) append(prompt, item, model);
  return prompt;
}

function append(prompt: LanguageModelV4Message[], item: HistoryItem, model: string): void {
  const last = prompt.at(-1);
  const next = messageOf(item, model);
  if (next.role === 'user') {
    const before = last?.role === 'user' ? last.content[0] : undefined;
    if (before?.type === 'text') before.text += `\n\n${next.text}`;
    else prompt.push({ role: 'user', content: [{ type: 'text', text: next.text }] });
  } else if (next.role === 'assistant') {
    if (last?.role === 'assistant') last.content.push(...next.content);
    else if (next.content.length > 0) prompt.push(next);
  } else if (last?.role === 'tool') last.content.push(...next.content);
  else prompt.push(next);
}

function messageOf(
  item: HistoryItem,
  model: string,
): { role: 'user'; text: string } | MessageOf<'assistant'> | MessageOf<'tool'> {
  if (item.role === 'user') return { role: 'user', text: item.text.trim() === '' ? NO_TEXT : item.text };
  if (item.role === 'assistant') return { role: 'assistant', content: assistantParts(item, model) };
  return { role: 'tool', content: [resultPart(item)] };
}

function assistantParts(
  { text, toolRequests }: Extract<HistoryItem, { role: 'assistant' }>,
  model: string,
): AssistantPart[] {
  const meta = toolRequests.map((request) => readMeta(request.meta, model));
  const thoughts = meta.flatMap((one) => one.thoughts ?? []);
  return [
    ...thoughts.map((thought) => ({ type: 'reasoning' as const, ...thought })),
    ...(text.trim() === '' ? [] : [{ type: 'text' as const, text }]),
    ...toolRequests.map((request, index) => ({
      type: 'tool-call' as const,
      toolCallId: wireId(request.id),
      toolName: wireName(request.name),
      input: request.input,
      ...compact({ providerOptions: meta[index]?.providerOptions }),
    })),
  ];
}

function resultPart(item: Extract<HistoryItem, { role: 'tool' }>): MessageOf<'tool'>['content'][number] {
  const { requestId, name, outcome, output } = item;
  return {
    type: 'tool-result',
    toolCallId: wireId(requestId),
    toolName: wireName(name),
    output: {
      type: outcome === 'completed' ? 'text' : 'error-text',
      value: output.trim() === '' ? NO_TEXT : output,
    },
  };
}

/** An id of a tool request in the form that all servers take: some know only nine letters and digits. */
function wireId(id: ToolRequest['id']): string {
  const number = /\d+$/.exec(id)?.[0];
  return number === undefined ? id.replace(/\W/g, '') : `call${number.padStart(5, '0')}`;
}

/** A name that a model made up may have characters that its server refuses to see again. */
export function wireName(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, 64) || 'unknown';
}

/** The tools as the libraries take them; undefined for none. */
export function toolsOf(tools: readonly ToolDefinition[]): LanguageModelV4FunctionTool[] | undefined {
  if (tools.length === 0) return undefined;
  return tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    name,
    description,
    inputSchema,
  }));
}
