import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClientCapabilities } from '../../../src/core/acp';
import { asObject, asString, isObject } from '../../../src/core/json';
import { LOOP_CLIENT } from './peer';
import { ALLOW, ASK, RawAgent, type RawOptions } from './rawAgent';
import { makeWorkspace } from './workspace';

describe('built-in agent, its standard output', () => {
  const home = mkdtempSync(join(tmpdir(), 'parley-home-'));
  const cwd = makeWorkspace({ 'README.md': '# Hello\n\nwide world\n' });
  after(() => rmSync(home, { recursive: true, force: true }));

  const started = async (capabilities: ClientCapabilities = {}, options: Partial<RawOptions> = {}) => {
    const agent = RawAgent.start({ home, ...options });
    await agent.initialize(capabilities);
    return agent;
  };

  it('TR-5 EX-2 holds nothing but messages of the schema: a tour, a cancel, errors, a list and a load', async () => {
    const agent = await started({}, { pace: 0.05 });
    const sessionId = await agent.newSession(cwd);
    assert.equal(await agent.prompt(sessionId, '/tour'), 'end_turn');
    const kinds = ['agent_thought_chunk', 'agent_message_chunk', 'plan', 'tool_call', 'tool_call_update'];
    for (const kind of kinds) assert.ok(agent.updates(kind).length > 0, kind);
    const cancelled = agent.prompt(sessionId, 'count slowly to 1000');
    await agent.until(() => agent.text.includes('1, 2, '));
    agent.send({ method: 'session/cancel', params: { sessionId } });
    assert.equal(await cancelled, 'cancelled');
    assert.equal(await agent.prompt(sessionId, 'read missing.txt'), 'end_turn');
    assert.equal(await agent.codeOf('session/prompt', { sessionId: 'none', prompt: [] }), -32002);
    assert.equal(await agent.codeOf('session/prompt', { sessionId, prompt: 'text' }), -32602);
    assert.ok((await agent.ask('session/set_mode', { sessionId, modeId: 'plan' }))['result']);
    assert.ok((await agent.ask('session/list', { cwd }))['result']);
    assert.equal(await agent.codeOf('session/load', { sessionId, cwd: tmpdir(), mcpServers: [] }), -32602);
    const from = agent.lines.length;
    assert.ok((await agent.ask('session/load', { sessionId, cwd, mcpServers: [] }))['result']);
    assert.ok(agent.lines.length - from > 10);
    assert.ok((await agent.ask('session/close', { sessionId }))['result']);
    assert.ok((await agent.ask('session/delete', { sessionId }))['result']);
    assert.deepEqual(
      agent.messages.filter(({ id, method }) => id !== undefined && method !== undefined && method !== ASK),
      [],
      'IN-7 nothing is asked of a client that announced nothing',
    );
    await agent.end();
  });

  const GARBAGE: Readonly<Record<string, string | Buffer>> = {
    'a word': 'hello',
    'half an object': '{"jsonrpc":"2.0","id":1,"method":"session/new"',
    'a number': '17',
    null: 'null',
    'a text': '"initialize"',
    'an empty object': '{}',
    'an object of something else': '{"level":"info","msg":"started"}',
    'a batch': '[{"jsonrpc":"2.0","id":1,"method":"session/list","params":{}}]',
    'an answer that nobody asked for': '{"jsonrpc":"2.0","id":"none","result":{}}',
    'an error that nobody asked for': '{"jsonrpc":"2.0","id":77,"error":{"code":1,"message":"no"}}',
    'bytes that are no text': Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x80]),
    'spaces only': '   \t ',
    'a deep nest': '['.repeat(20_000),
    'a long line': `{"x":"${'y'.repeat(3_000_000)}`,
  };
  for (const [what, line] of Object.entries(GARBAGE)) {
    it(`TR-11 stays silent about ${what}, and works on`, async () => {
      const agent = await started();
      const before = agent.lines.length;
      agent.write(Buffer.concat([Buffer.from(line), Buffer.from('\n')]));
      assert.ok((await agent.ask('session/list', {}))['result']);
      assert.equal(agent.lines.length - before, 1, agent.lines.slice(before).join('\n'));
      assert.equal(await agent.prompt(await agent.newSession(cwd), 'help'), 'end_turn');
      await agent.end();
    });
  }

  it('TR-3 reads a message that comes byte by byte, with CRLF, and several that come at once', async () => {
    const agent = await started();
    const sessionId = await agent.newSession(cwd);
    const prompt = [{ type: 'text', text: 'create made.txt with "naïve 🎉"' }];
    const message = { jsonrpc: '2.0', id: 'bytes', method: 'session/prompt', params: { sessionId, prompt } };
    agent.sent.push(message);
    for (const byte of Buffer.from(`${JSON.stringify(message)}\r\n`)) {
      agent.write(Buffer.from([byte]));
      await new Promise((resolved) => setImmediate(resolved));
    }
    await agent.until(() => agent.messages.some(({ method }) => method === ASK));
    const { id } = agent.messages.find(({ method }) => method === ASK) ?? {};
    const two = ['list 1', 'list 2'].map((name) => ({
      jsonrpc: '2.0',
      id: name,
      method: 'session/list',
      params: {},
    }));
    const answer = { jsonrpc: '2.0', id, result: ALLOW };
    agent.sent.push(...two);
    agent.write([...two, answer].map((one) => `${JSON.stringify(one)}\n`).join(''));
    for (const name of ['list 1', 'list 2', 'bytes']) assert.ok((await agent.answerTo(name))['result'], name);
    assert.equal(readFileSync(join(cwd, 'made.txt'), 'utf8'), 'naïve 🎉');
    await agent.end();
  });

  it('TR-3 writes line ends inside a text as escapes, and takes no message of several lines', async () => {
    const agent = await started();
    const sessionId = await agent.newSession(cwd);
    const text = 'one\ntwo\r\nthree\u2028four\u2029five\u0085six';
    writeFileSync(join(cwd, 'odd.txt'), text);
    assert.equal(await agent.prompt(sessionId, 'read odd.txt'), 'end_turn');
    assert.equal(await agent.prompt(sessionId, `what\nis ${text}`), 'end_turn');
    for (const part of ['one', 'two', 'three', 'four', 'five', 'six'])
      assert.ok(agent.text.includes(part), part);
    const before = agent.lines.length;
    const list = { jsonrpc: '2.0', id: 'pretty', method: 'session/list', params: {} };
    agent.write(`${JSON.stringify(list, undefined, 2)}\n`);
    assert.ok((await agent.ask('session/list', {}))['result']);
    assert.equal(agent.lines.length - before, 1);
    await agent.end();
  });

  it('EX-4 EX-5 answers -32601 to methods that it does not know and nothing to such notifications', async () => {
    const agent = await started();
    for (const method of [
      '_x',
      '_x/y',
      '_parley/turn_start',
      'session/unknown',
      'fs/read_text_file',
      'constructor',
    ])
      assert.equal(await agent.codeOf(method, {}), -32601, method);
    const before = agent.lines.length;
    for (const method of ['_x', '_parley/turn_end', 'session/unknown', '$/progress', 'toString'])
      agent.send({ method, params: {} });
    agent.send({ method: '$/cancel_request', params: { requestId: 'none' } });
    agent.send({ method: 'session/cancel', params: { sessionId: 17 } });
    agent.send({ method: 'session/cancel' });
    assert.ok((await agent.ask('session/list', {}))['result']);
    assert.equal(agent.lines.length - before, 1);
    const child = agent.messages.map(({ error }) => error).filter(isObject);
    assert.ok(child.every(({ message }) => typeof message === 'string' && !message.includes('\n    at ')));
    await agent.end();
  });

  it('IN-1 answers -32600 to each request before "initialize", and keeps nothing of it', async () => {
    const mine = mkdtempSync(join(tmpdir(), 'parley-home-'));
    const agent = RawAgent.start({ home: mine });
    const sessionId = 'x';
    const requests: [string, object][] = [
      ['session/new', { cwd, mcpServers: [] }],
      ['session/load', { sessionId, cwd, mcpServers: [] }],
      ['session/resume', { sessionId, cwd }],
      ['session/list', {}],
      ['session/prompt', { sessionId, prompt: [] }],
      ['session/set_mode', { sessionId, modeId: 'plan' }],
      ['session/set_config_option', { sessionId, configId: 'mode', value: 'plan' }],
      ['session/close', { sessionId }],
      ['session/delete', { sessionId }],
      ['authenticate', { methodId: 'x' }],
    ];
    for (const [method, params] of requests) assert.equal(await agent.codeOf(method, params), -32600, method);
    agent.send({ method: 'session/cancel', params: { sessionId } });
    await agent.initialize();
    assert.equal(await agent.codeOf('initialize', { protocolVersion: 1 }), -32600);
    await agent.newSession(cwd);
    await agent.end();
    assert.equal(existsSync(join(mine, 'sessions')), false);
    rmSync(mine, { recursive: true, force: true });
  });

  it('TR-5 sends what a library prints to standard error', async () => {
    const noise = join(makeWorkspace({}), 'noise.cjs');
    const ways = ['log', 'info', 'debug', 'warn', 'error', 'dir', 'table', 'trace'];
    writeFileSync(
      noise,
      `setInterval(() => {
        for (const way of ${JSON.stringify(ways)}) console[way]('noise by ' + way);
        require('node:console').log('noise by the module');
        process.stdout.write('noise by a write\\n');
        process.emitWarning('noise by a warning');
      }, 1).unref();`,
    );
    const agent = await started({}, { node: ['--require', noise] });
    const sessionId = await agent.newSession(cwd);
    assert.equal(await agent.prompt(sessionId, 'read README.md'), 'end_turn');
    for (const way of [...ways, 'a warning', 'the module', 'a write'])
      await agent.until(() => agent.stderr.includes(`noise by ${way}`));
    await agent.end();
  });

  it('EX-4 sends notifications of the loop to a client that announced them, and no other one', async () => {
    const plain = { fs: { readTextFile: false }, _meta: { other: { turnEvents: true } } };
    for (const [capabilities, calls] of [
      [plain, 0],
      [LOOP_CLIENT, 2],
    ] as const) {
      const agent = await started(capabilities);
      const sessionId = await agent.newSession(cwd);
      assert.equal(await agent.prompt(sessionId, 'read README.md'), 'end_turn');
      const own = agent.messages.filter(({ method }) => asString(method)?.startsWith('_'));
      const pair = ['_parley/turn_start', '_parley/turn_end'];
      assert.deepEqual(
        own.map(({ method }) => method),
        Array.from({ length: calls }).flatMap(() => pair),
      );
      assert.ok(
        own.every(({ id, params }) => id === undefined && asObject(params)['sessionId'] === sessionId),
      );
      await agent.end();
    }
  });
});
