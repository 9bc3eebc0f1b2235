import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import {
  AgentClient,
  type ElicitationPort,
  type FileSystemPort,
  type TerminalPort,
} from '../../../src/acp/agentClient';
import { launchAgent, type AgentProcess } from '../../../src/acp/agentProcess';
import { NdjsonMessageReader, NdjsonMessageWriter } from '../../../src/acp/ndjsonTransport';
import { errorCode } from '../../../src/acp/wireErrors';
import { PROTOCOL_VERSION } from '../../../src/core/acp';
import { readIntroduction } from '../../../src/core/agents/introduction';
import { WireError } from '../../../src/core/errors';
import { asList, asObject, asString, type JsonObject } from '../../../src/core/json';
import { emptySession } from '../../../src/core/session/state';
import { PermissionBridge } from '../../../src/host/bridges/permissionBridge';
import { planFor } from '../../support/fakeAgents';
import { silent } from '../../support/memoryTransport';
import { keepDiff, TestSession } from '../../support/session';
import { wireProblemsOf } from '../../support/wireSchema';

/** Our client with ports that only remember, and the reference agent as its peer; the lines of both are kept. */
class Peer {
  readonly lines: string[] = [];
  readonly received: JsonObject[] = [];
  readonly updates: unknown[] = [];
  readonly calls: [string, JsonObject][] = [];
  readonly client: AgentClient;
  readonly permissions: PermissionBridge;
  /** What the person chooses, if they do. */
  choice: string | undefined;
  onUpdate: () => void = () => undefined;

  private constructor(readonly process: AgentProcess) {
    const tap = new PassThrough();
    let rest = '';
    tap.setEncoding('utf8').on('data', (text: string) => {
      process.stdin.write(text);
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      this.lines.push(...parts);
    });
    this.permissions = this.buildPermissions();
    this.client = new AgentClient({
      reader: new NdjsonMessageReader(process.stdout, { skippedLine: (line) => assert.fail(line) }),
      writer: new NdjsonMessageWriter(tap),
      logger: silent,
      trace: (direction, message) => {
        if (direction === 'in') this.received.push(asObject(message));
      },
      handlers: {
        session: {
          update: (_sessionId, update) => {
            this.updates.push(update);
            this.onUpdate();
          },
        },
        permission: this.permissions,
        elicitation: this.elicitations(),
        files: this.files(),
        terminals: this.terminals(),
        onUnknownNotification: (method) => assert.fail(method),
      },
    });
  }

  static async start(): Promise<Peer> {
    const plan = planFor('reference');
    // Without the options of the test runner, which would load its compiler into the agent as well.
    return new Peer(await launchAgent({ ...plan, env: { ...process.env, NODE_OPTIONS: '' } }));
  }

  static async inSession(): Promise<Peer> {
    const peer = await Peer.start();
    await peer.initialize();
    assert.equal(
      asObject(await peer.client.newSession({ cwd: '/', mcpServers: [] }))['sessionId'],
      'reference-1',
    );
    return peer;
  }

  initialize(): Promise<unknown> {
    return this.client.initialize({
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: {
        fs: { readTextFile: true, writeTextFile: true },
        terminal: true,
        session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
        elicitation: { form: {}, url: {} },
        _meta: { 'parley.agentLoop': { turnEvents: true, syntheticMessages: true } },
      },
      clientInfo: { name: 'parley', title: 'Parley', version: '0' },
    });
  }

  /** Makes the agent do something; gives what it said of the result. */
  async act(what: string): Promise<unknown> {
    const from = this.updates.length;
    const answer = await this.client.prompt('reference-1', [{ type: 'text', text: what }]);
    assert.deepEqual(answer, { stopReason: 'end_turn' });
    const said = asString(asObject(asObject(this.updates.slice(from).at(-1))['content'])['text']);
    return JSON.parse(said ?? 'null') as unknown;
  }

  /** Ends the agent; checks every line that our client wrote. */
  async end(): Promise<void> {
    await this.process.stop();
    this.client.dispose();
    assert.ok(this.lines.length > 0);
    assert.deepEqual(wireProblemsOf('client', this.lines, this.received), []);
  }

  private elicitations(): ElicitationPort {
    return {
      create: (params) => {
        this.calls.push(['elicitation', params]);
        return Promise.resolve(
          params['mode'] === 'form' ? { action: 'accept', content: { name: 'me' } } : { action: 'decline' },
        );
      },
      complete: (elicitationId) => this.calls.push(['complete', { elicitationId }]),
    };
  }

  private files(): FileSystemPort {
    return {
      readTextFile: (params) => {
        this.calls.push(['read', params]);
        const missing = WireError.notFound('The file', { uri: 'file:///missing' });
        return params['path'] === '/missing'
          ? Promise.reject(missing)
          : Promise.resolve({ content: 'naïve 🎉\n' });
      },
      writeTextFile: (params) => {
        this.calls.push(['write', params]);
        return Promise.resolve({});
      },
    };
  }

  private terminals(): TerminalPort {
    const note = <T>(name: string, answer: T) => {
      return (params: JsonObject): Promise<T> => {
        this.calls.push([name, params]);
        return Promise.resolve(answer);
      };
    };
    return {
      create: note('create', { terminalId: 'term' }),
      output: note('output', {
        output: 'hi\n',
        truncated: false,
        exitStatus: { exitCode: null, signal: 'SIGKILL' },
      }),
      waitForExit: note('wait', { exitCode: 0, signal: null }),
      kill: note('kill', {}),
      release: note('release', {}),
    };
  }

  private buildPermissions(): PermissionBridge {
    return new PermissionBridge({
      state: () => emptySession('Peer'),
      dispatch: () => undefined,
      onReason: () => undefined,
      log: () => undefined,
      keepDiff,
      prompter: {
        ask: ({ requestId }) => {
          const { choice } = this;
          if (choice !== undefined) setImmediate(() => this.permissions.answer(requestId, choice));
        },
        withdraw: () => undefined,
      },
      now: () => 1_000,
    });
  }
}

describe('our client and the official SDK', () => {
  it('IN-2 IN-8 SE-2 shakes hands and opens a session', async () => {
    const peer = await Peer.start();
    const introduction = readIntroduction(await peer.initialize(), PROTOCOL_VERSION);
    assert.ok('title' in introduction && introduction.title === 'Reference');
    assert.deepEqual(
      introduction.authMethods.map(({ id }) => id),
      ['login'],
    );
    assert.deepEqual(await peer.client.authenticate('login'), {});
    assert.equal(
      asObject(await peer.client.newSession({ cwd: '/', mcpServers: [] }))['sessionId'],
      'reference-1',
    );
    await peer.end();
  });

  it('SE-7 SE-8 loads a session, the replay before the answer', async () => {
    const peer = await Peer.start();
    await peer.initialize();
    const answer = asObject(await peer.client.loadSession('reference-1', { cwd: '/', mcpServers: [] }));
    assert.ok('modes' in answer);
    assert.equal(peer.updates.length, 1);
    await peer.end();
  });

  it('SU-3 SU-7 reads every stable kind of update, all before the answer', async () => {
    const peer = await Peer.inSession();
    const session = new TestSession().prompt('kinds');
    assert.deepEqual(await peer.client.prompt('reference-1', [{ type: 'text', text: 'kinds' }]), {
      stopReason: 'end_turn',
    });
    session.wire(...peer.updates).end();
    const { state } = session;
    assert.equal(peer.updates.length, 13);
    assert.deepEqual(state.unknownUpdates, {});
    assert.deepEqual(session.kinds(), ['user', 'user', 'thought', 'agent', 'tool', 'notice', 'end']);
    const [call] = session.tools();
    assert.equal(call?.status, 'completed');
    assert.deepEqual(
      call?.content.map(({ type }) => type),
      ['block', 'diff', 'terminal'],
    );
    assert.deepEqual(call?.locations, [{ path: '/a.txt', line: 3 }]);
    assert.deepEqual(
      state.plan.map(({ content }) => content),
      ['one'],
    );
    assert.deepEqual(state.commands, [{ name: 'tour', description: 'Shows all', hint: 'what' }]);
    assert.deepEqual(
      state.config.map(({ id, value }) => [id, value]),
      [
        ['model', 'large'],
        ['fast', true],
      ],
    );
    assert.equal(state.title, 'A title');
    assert.deepEqual(state.usage, { used: 10, size: 100, cost: { amount: 0.5, currency: 'USD' } });
    await peer.end();
  });

  it('PE-1 PE-2 gives back the option that was chosen', async () => {
    const peer = await Peer.inSession();
    peer.choice = 'no';
    assert.deepEqual(await peer.act('permission'), { outcome: 'selected', optionId: 'no' });
    await peer.end();
  });

  it('CA-7 CA-8 answers -32800 to a question that the agent takes back', async () => {
    const peer = await Peer.inSession();
    assert.deepEqual(await peer.act('withdraw'), { code: -32800 });
    await peer.end();
  });

  it('FS-1 FS-2 RP-3 serves files, and errors with their data', async () => {
    const peer = await Peer.inSession();
    assert.deepEqual(await peer.act('files'), {
      content: 'naïve 🎉\n',
      missing: { code: -32002, data: { uri: 'file:///missing' } },
    });
    const sessionId = 'reference-1';
    assert.deepEqual(peer.calls, [
      ['read', { sessionId, path: '/a.txt', line: 1, limit: 2 }],
      ['write', { sessionId, path: '/b.txt', content: 'naïve 🎉\n' }],
      ['read', { sessionId, path: '/missing' }],
    ]);
    await peer.end();
  });

  it('TE-1 serves the five calls for a terminal', async () => {
    const peer = await Peer.inSession();
    assert.deepEqual(await peer.act('terminal'), {
      exit: { exitCode: 0, signal: null },
      output: { output: 'hi\n', truncated: false, exitStatus: { exitCode: null, signal: 'SIGKILL' } },
    });
    assert.deepEqual(
      peer.calls.map(([name]) => name),
      ['create', 'wait', 'output', 'kill', 'release'],
    );
    assert.deepEqual(peer.calls[0]?.[1], {
      sessionId: 'reference-1',
      command: 'echo',
      args: ['hi'],
      env: [{ name: 'A', value: 'b' }],
      outputByteLimit: 100,
    });
    await peer.end();
  });

  it('EX-4 answers -32601 to an extension that it does not know', async () => {
    const peer = await Peer.inSession();
    assert.deepEqual(await peer.act('extension'), { code: -32601 });
    await peer.end();
  });

  it('MO-2 CF-7 sets modes and options', async () => {
    const peer = await Peer.inSession();
    const { client } = peer;
    assert.deepEqual(await client.setMode('reference-1', 'code'), {});
    await assert.rejects(client.setMode('reference-1', 'nothing'), (error) => errorCode(error) === -32602);
    const large = asObject(await client.setConfigOption('reference-1', 'model', 'large'))['configOptions'];
    assert.match(JSON.stringify(large), /"currentValue":"large"/);
    const fast = asObject(await client.setConfigOption('reference-1', 'fast', true))['configOptions'];
    assert.match(JSON.stringify(fast), /"currentValue":true/);
    await peer.end();
  });

  it('CA-1 CA-2 cancels a turn', async () => {
    const peer = await Peer.inSession();
    const ready = new Promise<void>((resolve) => (peer.onUpdate = resolve));
    const turn = peer.client.prompt('reference-1', [{ type: 'text', text: 'wait' }]);
    await ready;
    peer.client.cancel('reference-1');
    assert.deepEqual(await turn, { stopReason: 'cancelled' });
    await peer.end();
  });

  it('SE-15 SE-16 SE-17 lists sessions page by page', async () => {
    const peer = await Peer.inSession();
    const { client } = peer;
    for (let i = 0; i < 2; i++) await client.newSession({ cwd: '/', mcpServers: [] });
    await client.newSession({ cwd: '/other', mcpServers: [] });
    const first = asObject(await client.listSessions('/'));
    const second = asObject(await client.listSessions('/', asString(first['nextCursor'])));
    const ids = [first, second].map(({ sessions }) =>
      asList(sessions).map((item) => asObject(item)['sessionId']),
    );
    assert.deepEqual(ids, [['reference-1', 'reference-2'], ['reference-3']]);
    assert.equal(second['nextCursor'], undefined);
    await peer.end();
  });

  it('SE-10 SE-11 SE-12 SE-13 SE-20 resumes, closes and deletes sessions', async () => {
    const peer = await Peer.inSession();
    const { client } = peer;
    const place = { cwd: '/', mcpServers: [], additionalDirectories: ['/lib'] };
    const isUnknown = (error: unknown): boolean => errorCode(error) === -32002;
    assert.ok('modes' in asObject(await client.resumeSession('reference-1', place)));
    await assert.rejects(client.resumeSession('nobody', place), isUnknown);
    assert.deepEqual(peer.updates, [], 'nothing is replayed');
    assert.deepEqual(await client.closeSession('reference-1'), {});
    await assert.rejects(client.closeSession('nobody'), isUnknown);
    assert.deepEqual(await client.deleteSession('reference-1'), {});
    assert.deepEqual(asObject(await client.listSessions('/'))['sessions'], []);
    await peer.end();
  });

  it('AU-2 AU-10 signs out and in', async () => {
    const peer = await Peer.inSession();
    assert.deepEqual(await peer.client.logout(), {});
    assert.deepEqual(await peer.client.authenticate('login'), {});
    await peer.end();
  });

  it('EL-1 EL-4 EL-26 answers forms and pages, and hears that a page is done', async () => {
    const peer = await Peer.inSession();
    assert.deepEqual(await peer.act('form'), { action: 'accept', content: { name: 'me' } });
    assert.deepEqual(await peer.act('url'), { action: 'decline' });
    assert.deepEqual(
      peer.calls.map(([name, { mode, elicitationId }]) => [name, mode, elicitationId]),
      [
        ['elicitation', 'form', undefined],
        ['elicitation', 'url', 'page'],
        ['complete', undefined, 'page'],
      ],
    );
    await peer.end();
  });

  it('PT-11 RP-9 gets the error of a turn with its data', async () => {
    const peer = await Peer.inSession();
    await assert.rejects(peer.act('fail'), (error: { code: number; data: unknown }) => {
      assert.equal(error.code, -32603);
      assert.deepEqual(error.data, { details: 'out of tokens' });
      return true;
    });
    await peer.end();
  });
});

describe('the check of our lines', () => {
  it('EX-2 finds unknown members and wrong values', () => {
    const line = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message });
    const good = { sessionId: 's', configId: 'fast', value: true, type: 'boolean' };
    const set = (params: object): string => line({ id: 1, method: 'session/set_config_option', params });
    assert.deepEqual(wireProblemsOf('client', [set(good)], []), []);
    for (const bad of [
      set({ ...good, extra: 1 }),
      set({ ...good, configId: 1 }),
      line({ method: 'session/cancel', params: { sessionId: 's' }, trace: 1 }),
      line({ id: 1, method: 'session/unknown', params: {} }),
      line({ id: 7, result: {} }),
      'hello',
    ])
      assert.equal(wireProblemsOf('client', [bad], []).length, 1, bad);
  });
});
