import { argumentText, pieces, type ScriptedAnswer, type StreamEvent, type WireFormat } from './script';

const FINISH = { stop: 'end_turn', length: 'max_tokens', refusal: 'refusal' } as const;

function named(event: string, data: object = {}): StreamEvent {
  return { event, data: { type: event, ...data } };
}

function block(index: number, start: object, deltas: readonly object[]): StreamEvent[] {
  return [
    named('content_block_start', { index, content_block: start }),
    ...deltas.map((delta) => named('content_block_delta', { index, delta })),
    named('content_block_stop', { index }),
  ];
}

/** Messages as a stream of blocks. */
export const anthropic: WireFormat = {
  events: (answer, model) => {
    const { thoughts = [], text = [], calls = [], finish = 'stop', usage = { input: 1, output: 1 } } = answer;
    const said = [...thoughtBlock(answer), ...textBlock(answer)];
    const before = (thoughts.length > 0 ? 1 : 0) + (text.length > 0 ? 1 : 0);
    const reason = finish === 'stop' && calls.length > 0 ? 'tool_use' : FINISH[finish];
    return {
      text: [
        named('message_start', {
          message: {
            id: 'msg_1',
            type: 'message',
            role: 'assistant',
            model,
            content: [],
            stop_reason: null,
            stop_sequence: null,
            usage: { input_tokens: usage.input, output_tokens: 0 },
          },
        }),
        named('ping'),
        ...said,
      ],
      rest: calls.flatMap((call, index) =>
        block(
          before + index,
          { type: 'tool_use', id: `toolu_${index}`, name: call.name, input: {} },
          pieces(argumentText(call)).map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
        ),
      ),
      end: [
        named('message_delta', {
          delta: { stop_reason: reason, stop_sequence: null },
          usage: { output_tokens: usage.output },
        }),
        named('message_stop'),
      ],
    };
  },
  overloaded: named('error', { error: { type: 'overloaded_error', message: 'Too much to do' } }),
  errorBody: (status, message) => ({ type: 'error', error: { type: `error_${status}`, message } }),
};

function thoughtBlock({ thoughts = [], thoughtSignature }: ScriptedAnswer): StreamEvent[] {
  if (thoughts.length === 0) return [];
  const deltas = thoughts.map((thinking) => ({ type: 'thinking_delta', thinking }));
  const signature =
    thoughtSignature === undefined ? [] : [{ type: 'signature_delta', signature: thoughtSignature }];
  return block(0, { type: 'thinking', thinking: '', signature: '' }, [...deltas, ...signature]);
}

function textBlock({ thoughts = [], text = [] }: ScriptedAnswer): StreamEvent[] {
  if (text.length === 0) return [];
  const deltas = text.map((piece) => ({ type: 'text_delta', text: piece }));
  return block(thoughts.length > 0 ? 1 : 0, { type: 'text', text: '' }, deltas);
}
