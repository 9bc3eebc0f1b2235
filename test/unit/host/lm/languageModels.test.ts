import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { WireError } from '../../../../src/core/errors';
import { Emitter } from '../../../../src/core/emitter';
import { LmMethod } from '../../../../src/core/languageModels';
import type { LanguageModels as LanguageModelsClass } from '../../../../src/host/lm/languageModels';
import { withEditor } from '../../../support/withEditor';

class LanguageModelTextPart {
  constructor(readonly value: string) {}
}
class LanguageModelToolCallPart {
  constructor(
    readonly callId: string,
    readonly name: string,
    readonly input: object,
  ) {}
}
class LanguageModelToolResultPart {
  constructor(
    readonly callId: string,
    readonly content: object[],
  ) {}
}
class LanguageModelChatMessage {
  constructor(
    readonly role: number,
    readonly content: object[],
  ) {}
}
class LanguageModelError extends Error {
  static NotFound = (): LanguageModelError => new LanguageModelError('gone', 'NotFound');
  constructor(
    message: string,
    readonly code: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}
class CancellationTokenSource {
  readonly token = { isCancellationRequested: false };
  cancel(): void {
    this.token.isCancellationRequested = true;
    stopped();
  }
  dispose(): void {
    return;
  }
}

type Token = CancellationTokenSource['token'];
type Send = (messages: unknown, options: Record<string, unknown>, token: Token) => AsyncIterable<unknown>;

const changed = new Emitter<void>();
let stopped: () => void = () => undefined;
let send: Send = () => stream();
let sent: { messages: unknown; options: Record<string, unknown> }[] = [];

// eslint-disable-next-line @typescript-eslint/require-await
async function* stream(...pieces: unknown[]): AsyncGenerator {
  for (const piece of pieces) yield piece;
}

const parrot = {
  id: 'parrot/1',
  vendor: 'zoo',
  name: 'Parrot',
  family: 'birds',
  version: '1',
  maxInputTokens: 4000,
  sendRequest: (messages: unknown, options: Record<string, unknown>, token: Token) => {
    sent.push({ messages, options });
    return Promise.resolve({ stream: send(messages, options, token) });
  },
};

const editor = {
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
  LanguageModelChatMessage,
  LanguageModelError,
  LanguageModelChatMessageRole: { User: 1, Assistant: 2 },
  CancellationTokenSource,
  CancellationError: class extends Error {},
  lm: {
    onDidChangeChatModels: changed.event,
    selectChatModels: (selector?: { vendor: string; id: string }) =>
      Promise.resolve(
        !selector || (selector.vendor === parrot.vendor && selector.id === parrot.id) ? [parrot] : [],
      ),
  },
  l10n: {
    t: (text: string, ...parts: string[]) => text.replace(/\{(\d)\}/g, (_, n) => parts[Number(n)] ?? ''),
  },
};
const { LanguageModels } = withEditor(
  editor,
  () =>
    createRequire(__filename)('../../../../src/host/lm/languageModels') as {
      LanguageModels: typeof LanguageModelsClass;
    },
);

/** An agent that is told things. */
function agent() {
  const told: { method: string; params: object }[] = [];
  const connection = new AbortController();
  return {
    told,
    connection,
    peer: { notify: (method: string, params: object) => void told.push({ method, params }) },
  };
}

const REQUEST = { callId: 'c1', modelId: 'zoo/parrot/1', messages: [], tools: [] };

describe('the language models of VS Code for the built-in agent', () => {
  beforeEach(() => {
    sent = [];
    send = () => stream();
  });

  it('are listed by ids that are unique over all vendors, without asking any', async () => {
    const { peer, connection } = agent();
    assert.deepEqual(await new LanguageModels().list(connection.signal, peer), {
      models: [{ id: 'zoo/parrot/1', name: 'Parrot', vendor: 'zoo', family: 'birds', maxInputTokens: 4000 }],
    });
    assert.deepEqual(sent, []);
    connection.abort();
  });

  it('tell an agent that asked for them once when they change, until its connection ends', async () => {
    const { peer, connection, told } = agent();
    const models = new LanguageModels();
    await models.list(connection.signal, peer);
    await models.list(connection.signal, peer);
    changed.fire();
    assert.deepEqual(told, [{ method: LmMethod.changed, params: {} }]);
    connection.abort();
    changed.fire();
    assert.equal(told.length, 1);
  });

  it('get the conversation in their terms, the tools, and a reason for the person', async () => {
    const { peer, connection } = agent();
    const messages = [
      { role: 'user', parts: [{ type: 'text', text: 'hello' }] },
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: 'hm' },
          { type: 'toolCall', callId: 't1', name: 'read_file', input: { path: 'a' } },
        ],
      },
      { role: 'user', parts: [{ type: 'toolResult', callId: 't1', text: 'A' }] },
    ];
    const tools = [{ name: 'read_file', description: 'Reads', inputSchema: { type: 'object' } }];
    await new LanguageModels().send({ ...REQUEST, messages, tools }, connection.signal, peer);
    const [request] = sent;
    assert.deepEqual(request?.messages, [
      new LanguageModelChatMessage(1, [new LanguageModelTextPart('hello')]),
      new LanguageModelChatMessage(2, [
        new LanguageModelTextPart('hm'),
        new LanguageModelToolCallPart('t1', 'read_file', { path: 'a' }),
      ]),
      new LanguageModelChatMessage(1, [
        new LanguageModelToolResultPart('t1', [new LanguageModelTextPart('A')]),
      ]),
    ]);
    assert.deepEqual(request?.options, {
      justification: 'You chose Parrot as the model of the chat.',
      tools,
    });
  });

  it('answer in parts with the id of the call; what an agent does not know is left out', async () => {
    const { peer, connection, told } = agent();
    const call = new LanguageModelToolCallPart('t1', 'read_file', { path: 'a' });
    send = () => stream(new LanguageModelTextPart('Hi'), { data: 1 }, call);
    assert.deepEqual(await new LanguageModels().send(REQUEST, connection.signal, peer), {});
    const part = { type: 'toolCall', callId: 't1', name: 'read_file', input: { path: 'a' } };
    assert.deepEqual(told, [
      { method: LmMethod.part, params: { callId: 'c1', part: { type: 'text', text: 'Hi' } } },
      { method: LmMethod.part, params: { callId: 'c1', part } },
    ]);
  });

  it('CA-8 stop when the agent cancels its request', async () => {
    const { peer, connection } = agent();
    const cancelled = new Promise<void>((resolve) => (stopped = resolve));
    send = async function* () {
      yield new LanguageModelTextPart('One');
      connection.abort();
      await cancelled;
      throw new Error('cancelled');
    };
    await assert.rejects(async () => new LanguageModels().send(REQUEST, connection.signal, peer), WireError);
  });

  it('CA-8 are not asked, nor the person for consent, once the request is cancelled', async () => {
    const { peer, connection } = agent();
    const answer = new LanguageModels().send(REQUEST, connection.signal, peer);
    connection.abort();
    await assert.rejects(answer, WireError);
    assert.deepEqual(sent, []);
  });

  for (const [what, error, sentence, kind] of [
    [
      'consent that was not given',
      new LanguageModelError('x', 'NoPermissions'),
      /Allow it when VS Code asks/,
      'request',
    ],
    ['a model that is gone', LanguageModelError.NotFound(), /no longer has the model/, 'request'],
    ['a limit', new LanguageModelError('x', 'Blocked'), /its limit may be reached/, 'rate_limit'],
    ['a topic', new LanguageModelError('x', 'off_topic'), /refused the request/, 'request'],
    [
      'trouble of its own',
      new LanguageModelError('x', 'Unknown', new Error('Out of\nseed')),
      /did not answer: Out of seed/,
      'server',
    ],
    ['any other error', new Error('Broken'), /did not answer: Broken/, 'server'],
  ] as const)
    it(`say in a sentence what went wrong: ${what}`, async () => {
      const { peer, connection } = agent();
      // eslint-disable-next-line @typescript-eslint/require-await
      send = async function* () {
        throw error;
      };
      await assert.rejects(
        async () => new LanguageModels().send(REQUEST, connection.signal, peer),
        (thrown) =>
          thrown instanceof WireError && sentence.test(thrown.message) && thrown.data?.['kind'] === kind,
      );
    });

  it('are refused where there is no such model, or no such request', async () => {
    const { peer, connection } = agent();
    const fails = (params: object, code: number): Promise<void> =>
      assert.rejects(
        async () => new LanguageModels().send({ ...params }, connection.signal, peer),
        (thrown) => thrown instanceof WireError && thrown.code === code,
      );
    await fails({ ...REQUEST, modelId: 'zoo/owl' }, -32603);
    await fails({ ...REQUEST, modelId: 7 }, -32602);
    await fails({ ...REQUEST, messages: [{ role: 'system', parts: [] }] }, -32602);
    await fails({ ...REQUEST, messages: [{ role: 'user', parts: [{ type: 'thought', text: '' }] }] }, -32602);
    await fails({ ...REQUEST, tools: [{ name: 'x' }] }, -32602);
    assert.deepEqual(sent, []);
  });
});
