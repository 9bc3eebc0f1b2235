import { argumentText, pieces, type ScriptedAnswer, type StreamEvent, type WireFormat } from './script';

const FINISH = { stop: 'stop', length: 'length', refusal: 'content_filter' } as const;

function chunk(model: string, delta: object, finish: string | null = null): StreamEvent {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return { data: { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model, choices } };
}

/** Chat completions as a stream of chunks, with the usage in a chunk of its own. */
export const openai: WireFormat = {
  events: (answer, model) => ({
    text: [
      chunk(model, { role: 'assistant', content: '' }),
      ...(answer.thoughts ?? []).map((text) => chunk(model, { reasoning_content: text })),
      ...(answer.text ?? []).map((content) => chunk(model, { content })),
    ],
    rest: (answer.calls ?? []).flatMap((call, index) => [
      chunk(model, {
        tool_calls: [
          { index, id: `call_${index}`, type: 'function', function: { name: call.name, arguments: '' } },
        ],
      }),
      ...pieces(argumentText(call)).map((piece) =>
        chunk(model, { tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ]),
    end: [chunk(model, {}, finishOf(answer)), ...usageOf(answer), { data: '[DONE]' }],
  }),
  overloaded: { data: { error: { message: 'Too much to do', type: 'overloaded_error' } } },
  errorBody: (status, message) => ({
    error: { message, type: 'error', code: `code_${status}`, param: null },
  }),
};

function finishOf({ finish = 'stop', calls = [] }: ScriptedAnswer): string {
  return finish === 'stop' && calls.length > 0 ? 'tool_calls' : FINISH[finish];
}

function usageOf({ usage }: ScriptedAnswer): StreamEvent[] {
  if (!usage) return [];
  const tokens = { prompt_tokens: usage.input, completion_tokens: usage.output };
  return [{ data: { choices: [], usage: { ...tokens, total_tokens: usage.input + usage.output } } }];
}
