import type { ScriptedAnswer, ScriptedCall, StreamEvent, WireFormat } from './script';

const FINISH = { stop: 'STOP', length: 'MAX_TOKENS', refusal: 'SAFETY' } as const;

function candidate(parts: readonly object[], more: object = {}): StreamEvent {
  const content = parts.length > 0 ? { content: { role: 'model', parts } } : {};
  return { data: { candidates: [{ index: 0, ...content, ...more }], responseId: 'response-1' } };
}

/** Content as a stream of candidates; a function call is always whole, and one that is no JSON has a reason of its own. */
export const google: WireFormat = {
  events: (answer) => {
    const { thoughts = [], text = [], calls = [] } = answer;
    return {
      text: [
        ...thoughts.map((piece) => candidate([{ text: piece, thought: true }])),
        ...text.map((piece) => candidate([{ text: piece }])),
      ],
      rest: calls.length > 0 ? [candidate(calls.map(callPart))] : [],
      end: [endOf(answer)],
    };
  },
  overloaded: { data: { error: { code: 503, message: 'Too much to do', status: 'UNAVAILABLE' } } },
  errorBody: (status, message) => ({ error: { code: status, message, status: `STATUS_${status}` } }),
};

function callPart({ name, args, signature }: ScriptedCall): object {
  return {
    functionCall: { name, args },
    ...(signature === undefined ? {} : { thoughtSignature: signature }),
  };
}

function endOf({ finish = 'stop', usage }: ScriptedAnswer): StreamEvent {
  const { data } = candidate([], { finishReason: FINISH[finish] });
  const usageMetadata = usage && {
    promptTokenCount: usage.input,
    candidatesTokenCount: usage.output,
    totalTokenCount: usage.input + usage.output,
  };
  return { data: { ...(data as object), ...(usageMetadata ? { usageMetadata } : {}) } };
}
