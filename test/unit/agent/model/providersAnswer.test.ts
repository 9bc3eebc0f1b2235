import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import assert from 'node:assert/strict';
import type { ModelEvent } from '../../../../src/agent/model/model';
import { answerOf } from '../../../../src/agent/model/providers/answer';
import { AnswerCut, AnswerSpoiled } from '../../../../src/agent/model/providers/failures';

const MODEL = 'google/one';

type Unified = Extract<LanguageModelV4StreamPart, { type: 'finish' }>['finishReason']['unified'];

function finish(unified: Unified, raw?: string, tokens?: number): LanguageModelV4StreamPart {
  const inputTokens = { total: tokens, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
  const outputTokens = { total: tokens, text: undefined, reasoning: undefined };
  return { type: 'finish', finishReason: { unified, raw }, usage: { inputTokens, outputTokens } };
}

async function* streamOf(
  parts: readonly LanguageModelV4StreamPart[],
): AsyncGenerator<LanguageModelV4StreamPart> {
  await Promise.resolve();
  yield* parts;
}

async function answer(...parts: LanguageModelV4StreamPart[]): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of answerOf(streamOf(parts), MODEL)) events.push(event);
  return events;
}

const call = (input: string, more: object = {}): LanguageModelV4StreamPart => ({
  type: 'tool-call',
  toolCallId: 'x',
  toolName: 'read_file',
  input,
  ...more,
});

const thought = (id: string, text: string, signature?: string): LanguageModelV4StreamPart[] => [
  { type: 'reasoning-start', id },
  { type: 'reasoning-delta', id, delta: text },
  ...(signature === undefined
    ? []
    : [{ type: 'reasoning-delta' as const, id, delta: '', providerMetadata: { google: { signature } } }]),
  { type: 'reasoning-end', id },
];

describe('providers, the answer', () => {
  it('gives texts, thoughts and the usage, and nothing for empty pieces', async () => {
    const events = await answer(
      { type: 'stream-start', warnings: [] },
      ...thought('r', 'hm', 's'),
      { type: 'text-delta', id: 't', delta: '' },
      { type: 'text-delta', id: 't', delta: 'yes' },
      finish('stop', 'stop', 3),
    );
    assert.deepEqual(events, [
      { type: 'thought', text: 'hm' },
      { type: 'text', text: 'yes' },
      { type: 'usage', usage: { inputTokens: 3, outputTokens: 3 } },
    ]);
  });

  it('tells no usage where the model tells none', async () => {
    assert.deepEqual(await answer(finish('stop')), []);
  });

  it('reads arguments, of which none are an empty object', async () => {
    const events = await answer(call('{"path":"a"}'), call(' '), finish('tool-calls'));
    assert.deepEqual(events, [
      { type: 'toolRequest', name: 'read_file', input: { path: 'a' } },
      { type: 'toolRequest', name: 'read_file', input: {} },
    ]);
  });

  for (const input of ['{"path":', '[1]', 'null', '"a"', '3']) {
    it(`says what is wrong with the arguments ${input}`, async () => {
      const [event] = await answer(call(input), finish('tool-calls'));
      assert.ok(event?.type === 'toolRequest');
      assert.deepEqual(event.input, {});
      assert.match(event.problem ?? '', /^The arguments are no .* Call the tool again/);
    });
  }

  it('keeps with a request what its provider signed, each thought once', async () => {
    const providerMetadata = { google: { thoughtSignature: 'sig' } };
    const events = await answer(
      ...thought('1', 'kept', 's'),
      ...thought('2', 'not signed'),
      call('{}', { providerMetadata }),
      call('{}'),
      finish('tool-calls'),
    );
    const requests = events.filter(({ type }) => type === 'toolRequest');
    assert.deepEqual(
      requests.map((event) => (event as { meta?: unknown }).meta),
      [
        {
          model: MODEL,
          providerOptions: providerMetadata,
          thoughts: [{ text: 'kept', providerOptions: { google: { signature: 's' } } }],
        },
        undefined,
      ],
    );
  });

  it('keeps thoughts without a signature for servers that want them', async () => {
    const events = await answer(
      { type: 'raw', rawValue: { choices: [{ delta: { reasoning_content: 'hm' } }] } },
      ...thought('1', 'hm'),
      call('{}'),
      finish('tool-calls'),
    );
    const meta = (events.at(-1) as { meta?: unknown }).meta;
    assert.deepEqual(meta, { model: MODEL, thoughts: [{ text: 'hm' }] });
  });

  it('tells an answer that is no whole one', async () => {
    assert.deepEqual(await answer(finish('length')), [{ type: 'stop', reason: 'max_tokens' }]);
    assert.deepEqual(await answer(finish('content-filter')), [{ type: 'stop', reason: 'refusal' }]);
  });

  it('throws the error of a stream, and one for a stream without an end', async () => {
    const error = { message: 'no' };
    await assert.rejects(answer({ type: 'error', error }), (thrown) => thrown === error);
    await assert.rejects(answer(), AnswerCut);
    await assert.rejects(answer(finish('interrupted')), AnswerCut);
    await assert.rejects(answer(finish('error', 'MALFORMED_FUNCTION_CALL')), AnswerSpoiled);
  });
});
