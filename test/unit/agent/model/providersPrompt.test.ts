import assert from 'node:assert/strict';
import type { HistoryItem, ToolRequest } from '../../../../src/agent/model/model';
import { promptOf, toolsOf } from '../../../../src/agent/model/providers/prompt';
import { packMeta } from '../../../../src/agent/model/providers/requestMeta';

const MODEL = 'anthropic/one';
const request = (id: string, more: Partial<ToolRequest> = {}): ToolRequest => ({
  id,
  name: 'read_file',
  input: { path: 'a' },
  ...more,
});
const result = (requestId: string, more: object = {}): HistoryItem => ({
  role: 'tool',
  requestId,
  name: 'read_file',
  outcome: 'completed',
  output: 'one',
  ...more,
});

function prompt(history: readonly HistoryItem[], instructions = ''): ReturnType<typeof promptOf> {
  return promptOf({ history, instructions, mode: 'interactive', tools: [] }, MODEL);
}

describe('providers, the prompt', () => {
  it('begins with the instructions', () => {
    assert.deepEqual(prompt([{ role: 'user', text: 'hi' }], 'Be good.'), [
      { role: 'system', content: 'Be good.' },
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
    ]);
  });

  it('makes neighbours of the same role one message, the messages of the agent too', () => {
    const messages = prompt([
      { role: 'user', text: 'one' },
      { role: 'user', text: 'two', synthetic: true },
      { role: 'assistant', text: 'a', toolRequests: [] },
      { role: 'assistant', text: 'b', toolRequests: [request('tool-call-1'), request('tool-call-2')] },
      result('tool-call-1'),
      result('tool-call-2'),
      { role: 'user', text: 'three' },
    ]);
    assert.deepEqual(
      messages.map(({ role, content }) => [role, content.length]),
      [
        ['user', 1],
        ['assistant', 4],
        ['tool', 2],
        ['user', 1],
      ],
    );
    assert.deepEqual(messages[0]?.content, [{ type: 'text', text: 'one\n\ntwo' }]);
  });

  it('sends no empty text, and no empty message', () => {
    const messages = prompt([
      { role: 'user', text: ' ' },
      { role: 'assistant', text: '\n', toolRequests: [] },
      { role: 'assistant', text: '', toolRequests: [request('tool-call-1')] },
      result('tool-call-1', { output: '' }),
    ]);
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['user', 'assistant', 'tool'],
    );
    assert.ok(!JSON.stringify(messages).includes('""'));
    assert.equal(messages[1]?.content.length, 1);
  });

  it('gives a request and its result the same id, in a form that every server takes', () => {
    const text = JSON.stringify(
      prompt([
        { role: 'assistant', text: '', toolRequests: [request('tool-call-12')] },
        result('tool-call-12'),
      ]),
    );
    assert.deepEqual(
      [...text.matchAll(/"toolCallId":"(.*?)"/g)].map(([, id]) => id),
      ['call00012', 'call00012'],
    );
  });

  it('tells a tool that was not completed as an error', () => {
    for (const outcome of ['failed', 'rejected', 'cancelled'] as const) {
      const [message] = prompt([result('tool-call-1', { outcome, output: 'no' })]);
      assert.deepEqual(message?.content, [
        {
          type: 'tool-result',
          toolCallId: 'call00001',
          toolName: 'read_file',
          output: { type: 'error-text', value: 'no' },
        },
      ]);
    }
  });

  it('makes a name that no server takes one that it does', () => {
    const [message] = prompt([
      { role: 'assistant', text: '', toolRequests: [request('tool-call-1', { name: 'a b<|x|>' })] },
    ]);
    assert.ok(JSON.stringify(message).includes('"a_b__x__"'));
  });

  it('gives what is kept for a provider to the model that gave it, and to no other', () => {
    const providerOptions = { anthropic: { signature: 's' } };
    const meta = packMeta(MODEL, { providerOptions, thoughts: [{ text: 'hm', providerOptions }] });
    assert.ok(meta);
    const history: HistoryItem[] = [
      { role: 'assistant', text: 'x', toolRequests: [request('tool-call-1', { meta })] },
    ];
    const parts = prompt(history)[0]?.content;
    assert.deepEqual(parts?.[0], { type: 'reasoning', text: 'hm', providerOptions });
    assert.deepEqual((parts?.[2] as { providerOptions?: unknown }).providerOptions, providerOptions);
    const other = promptOf({ history, instructions: '', mode: 'plan', tools: [] }, 'google/two');
    assert.ok(!JSON.stringify(other).includes('signature'));
    assert.equal(other[0]?.content.length, 2);
  });

  it('offers tools with their schemas, and no empty list', () => {
    const inputSchema = { type: 'object', properties: {} };
    assert.deepEqual(toolsOf([{ name: 'a', description: 'b', inputSchema }]), [
      { type: 'function', name: 'a', description: 'b', inputSchema },
    ]);
    assert.equal(toolsOf([]), undefined);
  });
});
