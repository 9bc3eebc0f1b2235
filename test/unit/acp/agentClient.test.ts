import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { AgentClient, type ClientHandlers } from '../../../src/acp/agentClient';
import { NdjsonMessageReader, NdjsonMessageWriter } from '../../../src/acp/ndjsonTransport';
import { RequestTimeout, WireError } from '../../../src/core/errors';
import { asObject, type JsonObject } from '../../../src/core/json';
import { capabilitiesOf } from '../../../src/host/agents/agentConnector';
import { silent } from '../../support/memoryTransport';
import { wireProblemsOf } from '../../support/wireSchema';

const nothing: ClientHandlers = {
  session: { update: () => undefined },
  permission: { request: () => Promise.reject(new Error('not expected')) },
  onUnknownNotification: () => undefined,
};
const PLACE = { cwd: '/proj', mcpServers: [] };
/** They are for W3C trace context alone. */
const TRACE_KEYS = /"(traceparent|tracestate|baggage)"/;

/** Our client and the raw bytes of its other end, which plays the agent. */
class RawAgent {
  readonly client: AgentClient;
  readonly sent: JsonObject[] = [];
  private readonly toClient = new PassThrough();
  private readonly chunks: Buffer[] = [];
  private taken = 0;
  private wake: () => void = () => undefined;

  constructor(handlers: Partial<ClientHandlers> = {}, timeLimit?: number) {
    const fromClient = new PassThrough();
    fromClient.on('data', (chunk: Buffer) => {
      this.chunks.push(chunk);
      this.wake();
    });
    this.client = new AgentClient({
      reader: new NdjsonMessageReader(this.toClient, { skippedLine: () => undefined }),
      writer: new NdjsonMessageWriter(fromClient),
      handlers: { ...nothing, ...handlers },
      logger: silent,
      ...(timeLimit === undefined ? {} : { timeLimit }),
    });
  }

  get bytes(): Buffer {
    return Buffer.concat(this.chunks);
  }

  /** The lines that the client wrote, without the end of the last one. */
  get lines(): string[] {
    return this.bytes.toString('utf8').replace(/\n$/, '').split('\n');
  }

  /** The next line that the client wrote, as a message. */
  async next(): Promise<JsonObject> {
    while (this.bytes.toString('utf8').split('\n').length - 1 <= this.taken)
      await new Promise<void>((resolve) => (this.wake = resolve));
    return asObject(JSON.parse(this.lines[this.taken++] ?? ''));
  }

  send(message: JsonObject): void {
    this.sent.push({ jsonrpc: '2.0', ...message });
    this.raw(`${JSON.stringify(this.sent.at(-1))}\n`);
  }

  raw(text: string): void {
    this.toClient.write(text);
  }

  /** Answers the next call of the client; gives its parameters. */
  async answer(method: string, result: JsonObject): Promise<JsonObject> {
    const call = await this.next();
    assert.equal(call['method'], method);
    this.send({ id: call['id'], result });
    return asObject(call['params']);
  }

  /** Sends a request and gives the answer. */
  ask(id: number, method: string, params: JsonObject): Promise<JsonObject> {
    this.send({ id, method, params });
    return this.next();
  }
}

const errorOf = (answer: JsonObject): JsonObject => asObject(answer['error']);

describe('what the client writes', () => {
  it('TR-2 is UTF-8 and JSON-RPC 2.0, and so is what it reads', async () => {
    const agent = new RawAgent();
    const answer = agent.client.prompt('s', [{ type: 'text', text: 'naïve 🎉' }]);
    const { jsonrpc, id } = await agent.next();
    assert.equal(jsonrpc, '2.0');
    assert.ok(agent.bytes.includes(Buffer.from('naïve 🎉', 'utf8')));
    agent.send({ id, result: { stopReason: 'ende 🎉' } });
    assert.deepEqual(await answer, { stopReason: 'ende 🎉' });
  });

  it('TR-3 is one line per message, whatever ends of lines the text has', async () => {
    const agent = new RawAgent();
    const text = 'a\nb\r\nc\u2028d';
    void agent.client.prompt('s', [{ type: 'text', text }]).catch(() => undefined);
    assert.deepEqual(asObject((await agent.next())['params'])['prompt'], [{ type: 'text', text }]);
    assert.equal(agent.bytes.indexOf('\n'), agent.bytes.length - 1);
  });

  it('TR-4 EX-5 is messages alone, whatever noise it reads', async () => {
    const agent = new RawAgent();
    agent.raw('Welcome!\n\n[]\n{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}\n');
    agent.send({ method: '_vendor/news', params: {} });
    agent.send({ method: 'session/update', params: { sessionId: 7 } });
    agent.send({ id: 99, result: {} });
    assert.equal((await agent.ask(1, '_vendor/what', {}))['id'], 1);
    agent.client.cancel('s');
    assert.equal((await agent.next())['method'], 'session/cancel');
    assert.equal(agent.lines.length, 2);
    assert.equal(agent.lines[1], '{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}');
  });

  it('RP-1 answers a request by a result or by an error, and a notification not at all', async () => {
    const agent = new RawAgent({
      files: {
        readTextFile: ({ path }) =>
          path === '/a'
            ? Promise.resolve({ content: 'a' })
            : Promise.reject(WireError.invalidParams('No.', { path })),
        writeTextFile: () => Promise.resolve({}),
      },
      session: {
        update: () => {
          throw new Error('a handler that fails');
        },
      },
    });
    const read = (id: number, path: string) => agent.ask(id, 'fs/read_text_file', { sessionId: 's', path });
    assert.deepEqual(await read(1, '/a'), { jsonrpc: '2.0', id: 1, result: { content: 'a' } });
    const error = { code: -32602, message: 'No.', data: { path: '/b' } };
    assert.deepEqual(await read(2, '/b'), { jsonrpc: '2.0', id: 2, error });
    agent.send({ method: 'session/update', params: { sessionId: 's', update: {} } });
    agent.send({ method: 'fs/read_text_file', params: { sessionId: 's', path: '/b' } });
    agent.send({ method: '_vendor/unknown', params: {} });
    assert.equal((await read(3, '/a'))['id'], 3);
    assert.equal(agent.lines.length, 3);
  });

  it('EX-2 EX-3 has no members beside those of the protocol, and no keys of traces, in every call', async () => {
    const agent = new RawAgent();
    const { client } = agent;
    const calls: [string, () => Promise<unknown>, JsonObject][] = [
      ['authenticate', () => client.authenticate('key'), {}],
      ['logout', () => client.logout(), {}],
      ['session/new', () => client.newSession(PLACE), { sessionId: 's' }],
      ['session/load', () => client.loadSession('s', PLACE), {}],
      ['session/resume', () => client.resumeSession('s', PLACE), {}],
      ['session/list', () => client.listSessions('/proj', 'more'), { sessions: [] }],
      ['session/set_mode', () => client.setMode('s', 'plan'), {}],
      ['session/set_config_option', () => client.setConfigOption('s', 'c', 'v'), { configOptions: [] }],
      ['session/set_config_option', () => client.setConfigOption('s', 'c', true), { configOptions: [] }],
      [
        'session/prompt',
        () => client.prompt('s', [{ type: 'text', text: 'hi' }]),
        { stopReason: 'end_turn' },
      ],
      ['session/close', () => client.closeSession('s'), {}],
      ['session/delete', () => client.deleteSession('s'), {}],
    ];
    for (const [method, call, result] of calls) {
      const answer = call();
      await agent.answer(method, result);
      assert.deepEqual(await answer, result);
    }
    client.cancel('s');
    await agent.next();
    assert.deepEqual(wireProblemsOf('client', agent.lines, agent.sent), []);
    for (const line of agent.lines) assert.doesNotMatch(line, TRACE_KEYS);
  });

  it('CA-12 takes back a request that gets no answer in time, and a prompt never', async () => {
    const agent = new RawAgent({}, 1);
    const prompt = agent.client.prompt('s', []);
    const { id: promptId } = await agent.next();
    const list = assert.rejects(agent.client.listSessions('/proj'), RequestTimeout);
    const { id } = await agent.next();
    await list;
    assert.deepEqual(await agent.next(), {
      jsonrpc: '2.0',
      method: '$/cancel_request',
      params: { requestId: id },
    });
    agent.client.cancel('s');
    assert.equal((await agent.next())['method'], 'session/cancel');
    agent.send({ id, result: { sessions: [] } });
    agent.send({ id: promptId, result: { stopReason: 'cancelled' } });
    assert.deepEqual(await prompt, { stopReason: 'cancelled' });
    assert.equal(agent.lines.length, 4);
  });

  it('SE-7 SE-11 SE-2 names session, folder and servers, also where there are none', async () => {
    const agent = new RawAgent();
    const servers = [{ name: 'db', command: '/bin/db', args: [], env: [] }];
    const place = { cwd: '/proj', mcpServers: servers, additionalDirectories: ['/more'] };
    void agent.client.newSession(PLACE);
    assert.deepEqual(await agent.answer('session/new', {}), { cwd: '/proj', mcpServers: [] });
    void agent.client.loadSession('old', place);
    assert.deepEqual(await agent.answer('session/load', {}), { sessionId: 'old', ...place });
    void agent.client.resumeSession('old', place);
    assert.deepEqual(await agent.answer('session/resume', {}), { sessionId: 'old', ...place });
  });

  it('SE-17 sends a cursor as it came, and none for the first page', async () => {
    const agent = new RawAgent();
    void agent.client.listSessions('/proj');
    assert.deepEqual(await agent.answer('session/list', {}), { cwd: '/proj' });
    for (const cursor of ['a=b&c==', ' {"page": 2} ', '']) {
      void agent.client.listSessions('/proj', cursor);
      assert.deepEqual(await agent.answer('session/list', {}), { cwd: '/proj', cursor });
    }
  });

  it('CF-6 marks a switch by its type', async () => {
    const agent = new RawAgent();
    void agent.client.setConfigOption('s', 'fast', false);
    assert.deepEqual(await agent.answer('session/set_config_option', {}), {
      sessionId: 's',
      configId: 'fast',
      value: false,
      type: 'boolean',
    });
  });
});

describe('what the client announces', () => {
  const files = {
    readTextFile: () => Promise.resolve({ content: '' }),
    writeTextFile: () => Promise.resolve({}),
  };
  const terminals = {
    create: () => Promise.resolve({ terminalId: 't' }),
    output: () => ({ output: '', truncated: false }),
    waitForExit: () => Promise.resolve({ exitCode: 0 }),
    kill: () => ({}),
    release: () => ({}),
  };
  const elicitation = {
    create: () => Promise.resolve({ action: 'cancel' }),
    complete: () => undefined,
  };
  const serves = async (handlers: ClientHandlers, method: string): Promise<boolean> =>
    errorOf(await new RawAgent(handlers).ask(1, method, { sessionId: 's' }))['code'] !== -32601;

  const sets: [string, ClientHandlers][] = [
    ['nothing', nothing],
    ['files', { ...nothing, files }],
    ['terminals', { ...nothing, terminals }],
    ['questions', { ...nothing, elicitation }],
    ['all', { ...nothing, files, terminals, elicitation }],
  ];
  for (const [title, handlers] of sets) {
    it(`IN-3 CC-1 CC-2 CC-5 FS-1 TE-1 is what it serves, and nothing else: ${title}`, async () => {
      const { fs, terminal, elicitation: questions } = capabilitiesOf(handlers);
      assert.equal(fs?.readTextFile, await serves(handlers, 'fs/read_text_file'));
      assert.equal(fs?.writeTextFile, await serves(handlers, 'fs/write_text_file'));
      for (const call of ['create', 'output', 'wait_for_exit', 'kill', 'release'])
        assert.equal(terminal, await serves(handlers, `terminal/${call}`), call);
      assert.deepEqual(
        questions,
        (await serves(handlers, 'elicitation/create')) ? { form: {}, url: {} } : undefined,
      );
    });
  }

  it('CC-4 CC-6 has switches, notices and compaction', () => {
    assert.deepEqual(capabilitiesOf(nothing).session, {
      configOptions: { boolean: {} },
      notices: {},
      compaction: {},
    });
  });

  it('EX-6 CC-7 has the extensions in _meta', () => {
    const extensions = [{ announce: { 'parley.one': {} } }, {}, { announce: { two: { a: 1 } } }];
    assert.deepEqual(capabilitiesOf({ ...nothing, extensions })._meta, { 'parley.one': {}, two: { a: 1 } });
    assert.equal('_meta' in capabilitiesOf(nothing), false);
  });
});

describe('extensions', () => {
  it('EX-4 claims its own methods; another request gets -32601, with its id', async () => {
    const told: JsonObject[] = [];
    const unknown: string[] = [];
    const agent = new RawAgent({
      extensions: [
        {
          requests: { '_mine/sum': ({ a, b }) => ({ sum: Number(a) + Number(b) }) },
          notifications: { '_mine/news': (params) => told.push(params) },
        },
      ],
      onUnknownNotification: (method) => unknown.push(method),
    });
    agent.send({ method: '_mine/news', params: { n: 1 } });
    agent.send({ method: '_other/news', params: { n: 2 } });
    const sum = await agent.ask(7, '_mine/sum', { a: 1, b: 2 });
    assert.deepEqual(sum, { jsonrpc: '2.0', id: 7, result: { sum: 3 } });
    const other = await agent.ask(8, '_other/sum', {});
    assert.deepEqual([other['id'], errorOf(other)['code']], [8, -32601]);
    assert.deepEqual([told, unknown], [[{ n: 1 }], ['_other/news']]);
  });
});
