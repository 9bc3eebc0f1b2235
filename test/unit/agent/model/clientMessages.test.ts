import assert from 'node:assert/strict';
import { messagesOf } from '../../../../src/agent/model/clientModels';
import type { HistoryItem } from '../../../../src/agent/model/model';

describe('the conversation for a model of the client', () => {
  it('has no empty texts and no names that a model made up, which some servers refuse', () => {
    const history: HistoryItem[] = [
      { role: 'user', text: ' ' },
      { role: 'assistant', text: '\n', toolRequests: [{ id: 't-1', name: 'a b<|x|>', input: {} }] },
      { role: 'tool', requestId: 't-1', name: 'a b<|x|>', outcome: 'completed', output: '' },
    ];
    assert.deepEqual(messagesOf({ history, instructions: '' }), [
      { role: 'user', parts: [{ type: 'text', text: '(no text)' }] },
      { role: 'assistant', parts: [{ type: 'toolCall', callId: 't-1', name: 'a_b__x__', input: {} }] },
      { role: 'user', parts: [{ type: 'toolResult', callId: 't-1', text: '(no text)' }] },
    ]);
  });
});
