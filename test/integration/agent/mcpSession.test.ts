import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { asList, asObject, type JsonObject } from '../../../src/core/json';
import type { ClientCapabilities } from '../../../src/core/acp';
import { ModelServer } from '../../support/modelServer/modelServer';
import { gone, isRunning, listening, Notes, program, SECRET } from './mcpHarness';
import { bundledAgent, Peer, type PeerOptions } from './peer';
import { makeWorkspace } from './workspace';

const ASK = 'session/request_permission';
const NOTICES: ClientCapabilities = { session: { notices: {} } };
const answer = (optionId: string) => () => ({ outcome: { outcome: 'selected', optionId } });
const missing = { name: 'missing', command: '/no/such/program', args: [], env: [] };

describe('built-in agent, sessions with MCP servers', () => {
  const cwd = makeWorkspace({ 'a.txt': 'one\n' });
  let model: ModelServer;
  let notes: Notes;
  let peers: Peer[] = [];

  before(async () => (model = await ModelServer.start()));
  after(() => model.stop());
  beforeEach(() => {
    notes = new Notes();
    model.reset();
  });
  afterEach(() => {
    for (const { child } of peers) child.kill('SIGKILL');
    peers = [];
  });

  async function start(options: PeerOptions = {}): Promise<Peer> {
    const env = {
      PARLEY_AGENT_PROVIDER: 'openai-compatible',
      PARLEY_AGENT_ENDPOINT: model.endpoint('openai-compatible'),
      PARLEY_AGENT_MODEL: 'scripted',
      PARLEY_AGENT_API_KEY: 'key-of-the-model',
    };
    const peer = await Peer.start({ ...options, env: { ...env, ...options.env } });
    peers.push(peer);
    await peer.initialize();
    return peer;
  }

  async function open(peer: Peer, mcpServers: readonly object[], more: object = {}): Promise<string> {
    return String((await peer.request('session/new', { cwd, mcpServers, ...more }))['sessionId']);
  }

  /** What the model was told as the results of its tools. */
  const results = (): unknown[] =>
    asList(model.requests.at(-1)?.body['messages'])
      .map(asObject)
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => content);

  it('IN-8 announces the transports and the further folders', async () => {
    const peer = await Peer.start();
    const { agentCapabilities } = await peer.initialize();
    assert.deepEqual(asObject(agentCapabilities)['mcpCapabilities'], { http: true, sse: true });
    assert.deepEqual(
      asObject(asObject(agentCapabilities)['sessionCapabilities'])['additionalDirectories'],
      {},
    );
    await peer.end();
  });

  it('MC-1 MC-2 MC-3 lets a model call tools of servers, when the person allows it', async () => {
    const { server, end } = await listening('http', notes);
    try {
      const peer = await start({ serve: { [ASK]: answer('allow_once') } });
      const sessionId = await open(peer, [program(notes), server]);
      model.answer(
        {
          calls: [
            { name: 'mcp__test__echo', args: { text: 'near' } },
            { name: 'mcp__http__echo', args: { text: 'far' } },
            { name: 'mcp__test__environment', args: {} },
          ],
        },
        { text: ['That is it.'] },
      );
      assert.equal((await peer.prompt(sessionId, 'call them')).stopReason, 'end_turn');
      assert.equal(peer.calls(ASK).length, 3);
      assert.deepEqual(results().slice(0, 2), ['echo: near', 'echo: far']);
      assert.doesNotMatch(String(results()[2]), /key-of-the-model/);
      assert.deepEqual(peer.statesOf('mcp__http__echo'), ['pending', 'in_progress', 'completed']);
      const offered = asList(model.requests[0]?.body['tools']).map((tool) =>
        asObject(asObject(tool)['function']),
      );
      const echo = offered.find(({ name }) => name === 'mcp__test__echo');
      assert.equal(echo?.['description'], 'Does echo');
      assert.equal(asObject(echo?.['parameters'])['type'], 'object');
      await peer.end();
    } finally {
      await end();
    }
  });

  it('PE-4 tells the model that the person rejected a call', async () => {
    const peer = await start({ serve: { [ASK]: answer('reject_once') } });
    const sessionId = await open(peer, [program(notes)]);
    model.answer({ calls: [{ name: 'mcp__test__echo', args: {} }] }, { text: ['Well.'] });
    await peer.prompt(sessionId, 'call it');
    assert.deepEqual(peer.statesOf('mcp__test__echo'), ['pending', 'failed']);
    assert.equal(notes.lines.includes('call echo'), false);
    await peer.end();
  });

  it('offers a model the tools that a server added', async () => {
    const peer = await start({ serve: { [ASK]: answer('allow_once') } });
    const sessionId = await open(peer, [program(notes)]);
    model.answer(
      { calls: [{ name: 'mcp__test__add_tool', args: {} }] },
      {
        until: { point: 'start', done: notes.until('listed', 2) },
        calls: [{ name: 'mcp__test__added', args: {} }],
      },
      { text: ['Done.'] },
    );
    await peer.prompt(sessionId, 'go');
    assert.equal(results().at(-1), 'the new one');
    await peer.end();
  });

  for (const [what, mcpServers] of [
    ['no list', {}],
    ['a relative command', [{ ...missing, command: './npx' }]],
    ['a transport that was not announced', [{ type: 'acp', name: 'x', id: '1' }]],
    ['a variable that is no text', [{ ...missing, env: [{ name: 'A', value: 1 }] }]],
  ] as const) {
    it(`MC-1 refuses ${what} with -32602, in new, load and resume`, async () => {
      const peer = await start();
      for (const method of ['new', 'load', 'resume'])
        assert.equal(await peer.codeOf(`session/${method}`, { sessionId: 'x', cwd, mcpServers }), -32602);
      await peer.end();
    });
  }

  it('NO-1 tells of a server that can not be used by a notice, and works without it', async () => {
    const peer = await start({ capabilities: NOTICES });
    const sessionId = await open(peer, [missing, program(notes, { FAULT: 'exit' }, 'broken')]);
    await peer.until(() => peer.updates('notice').length === 2);
    const titles = peer.updates('notice').map(({ title }) => String(title));
    assert.ok(titles.some((title) => title.includes('"missing" can\'t be used: its command was not found')));
    assert.ok(titles.some((title) => title.includes('"broken" can\'t be used: its process ended')));
    assert.deepEqual(new Set(peer.updates('notice').map(({ severity }) => severity)), new Set(['warning']));
    model.answer({ text: ['Hello.'] });
    assert.equal((await peer.prompt(sessionId, 'hi')).stopReason, 'end_turn');
    assert.deepEqual(peer.updates('agent_thought_chunk'), []);
    await peer.end();
    assert.match(peer.stderr, /"broken" can't be used/);
    assert.doesNotMatch(peer.stderr + peer.lines.join(), new RegExp(SECRET), 'MC-6');
  });

  it('NO-1 tells it a client without notices as a thought, once', async () => {
    const peer = await start();
    const sessionId = await open(peer, [missing]);
    model.answer({ text: ['Hello.'] }, { text: ['Again.'] });
    await peer.prompt(sessionId, 'hi');
    await peer.prompt(sessionId, 'hi');
    const thoughts = peer.updates('agent_thought_chunk').map(({ content }) => asObject(content)['text']);
    assert.equal(thoughts.length, 1);
    assert.match(String(thoughts[0]), /"missing" can't be used/);
    await peer.end();
  });

  it('CA-2 answers a prompt that waits for a server as cancelled at once', async () => {
    const peer = await start({ capabilities: NOTICES });
    const sessionId = await open(peer, [program(notes, { FAULT: 'silent' })]);
    const turn = peer.prompt(sessionId, 'hi');
    while (notes.pids.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await peer.cancel(sessionId);
    assert.equal((await turn).stopReason, 'cancelled');
    assert.equal(model.requests.length, 0);
    await peer.request('session/close', { sessionId });
    await gone(notes.pids);
    assert.deepEqual(peer.updates('notice'), [], 'that it was not waited for is no news');
    await peer.end();
  });

  it('CA-3 stops a call that hangs, and the server hears of it', async () => {
    const peer = await start({ serve: { [ASK]: answer('allow_once') } });
    const sessionId = await open(peer, [program(notes)]);
    model.answer({ calls: [{ name: 'mcp__test__hang', args: {} }] });
    const turn = peer.prompt(sessionId, 'go');
    await notes.until('hangs');
    await peer.cancel(sessionId);
    assert.equal((await turn).stopReason, 'cancelled');
    await notes.until('cancelled');
    await peer.end();
  });

  it('SE-12 ends the servers with the session, and connects again when it is resumed', async () => {
    const peer = await start({ serve: { [ASK]: answer('allow_once') } });
    const sessionId = await open(peer, [program(notes)]);
    model.answer({ text: ['Hello.'] });
    await peer.prompt(sessionId, 'hi');
    assert.equal(notes.pids.filter(isRunning).length, 1);
    await peer.request('session/close', { sessionId });
    await gone(notes.pids);
    await peer.request('session/resume', { sessionId, cwd, mcpServers: [program(notes)] });
    model.answer({ calls: [{ name: 'mcp__test__echo', args: { text: 'back' } }] }, { text: ['Done.'] });
    await peer.prompt(sessionId, 'again');
    assert.deepEqual(results(), ['echo: back']);
    await peer.end();
  });

  for (const [how, stop] of [
    ['the end of its input', ({ child }: Peer) => child.stdin.end()],
    ['SIGTERM', ({ child }: Peer) => child.kill('SIGTERM')],
  ] as const) {
    it(`TR-8 leaves no server behind after ${how}, also one that would stay`, async () => {
      const peer = await start();
      const sessionId = await open(peer, [program(notes, { FAULT: 'stays,child' }), program(notes)]);
      model.answer({ text: ['Hello.'] });
      await peer.prompt(sessionId, 'hi');
      assert.equal(notes.pids.filter(isRunning).length, 3);
      const exit = once(peer.child, 'exit');
      stop(peer);
      assert.deepEqual(await exit, [0, null]);
      await gone(notes.pids);
    });
  }

  it('loads the client library with the first server, and says so where it is not there', async () => {
    const folder = makeWorkspace({});
    copyFileSync(await bundledAgent(), join(folder, 'agent.js'));
    const peer = await Peer.start({ capabilities: NOTICES, file: join(folder, 'agent.js') });
    peers.push(peer);
    await peer.initialize();
    await peer.prompt(await open(peer, []), 'help');
    assert.notEqual(peer.text, '');
    await peer.prompt(await open(peer, [program(notes)]), 'help');
    await peer.until(() => peer.updates('notice').length > 0);
    assert.match(String(peer.updates('notice')[0]?.['title']), /a file of the agent is missing/);
    await peer.end();
  });

  describe('further folders', () => {
    const other = makeWorkspace({ 'b.txt': 'two\n' });
    const home = makeWorkspace({});
    const row = async (peer: Peer, sessionId: string): Promise<JsonObject | undefined> =>
      asList((await peer.request('session/list', { cwd }))['sessions'])
        .map(asObject)
        .find((item) => item['sessionId'] === sessionId);

    it('SE-21 takes those that are there, and refuses all others', async () => {
      const peer = await start();
      for (const additionalDirectories of [
        '/tmp',
        [1],
        ['relative'],
        [join(other, 'none')],
        [join(other, 'b.txt')],
      ])
        assert.equal(
          await peer.codeOf('session/new', { cwd, mcpServers: [], additionalDirectories }),
          -32602,
          JSON.stringify(additionalDirectories),
        );
      const sessionId = await open(peer, [], { additionalDirectories: [other] });
      model.answer(
        { calls: [{ name: 'read_file', args: { path: join(other, 'b.txt') } }] },
        { text: ['Read.'] },
      );
      await peer.prompt(sessionId, 'read it');
      assert.match(String(results()[0]), /two/);
      await peer.end();
    });

    it('SE-18 lists those that a session was given last', async () => {
      const peer = await start({ home });
      const sessionId = await open(peer, [], { additionalDirectories: [other] });
      model.answer({ text: ['Hello.'] });
      await peer.prompt(sessionId, 'hi');
      assert.deepEqual((await row(peer, sessionId))?.['additionalDirectories'], [other]);
      await peer.request('session/load', {
        sessionId,
        cwd,
        mcpServers: [],
        additionalDirectories: [home, other],
      });
      assert.deepEqual((await row(peer, sessionId))?.['additionalDirectories'], [home, other]);
      await peer.request('session/resume', { sessionId, cwd });
      assert.equal((await row(peer, sessionId))?.['additionalDirectories'], undefined);
      await peer.end();
    });
  });
});
