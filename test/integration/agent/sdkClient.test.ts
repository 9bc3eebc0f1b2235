import {
  client,
  methods,
  ndJsonStream,
  type AnyMessage,
  type ClientCapabilities,
  type ClientConnection,
  type ClientContext,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import assert from 'node:assert/strict';
import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { asObject, asString } from '../../../src/core/json';
import { agentEnvironment } from './peer';
import { makeWorkspace } from './workspace';

const { agent: calls } = methods;
const EVERYTHING: ClientCapabilities = { fs: { readTextFile: true, writeTextFile: true }, terminal: true };

type UpdateOf<K extends SessionUpdate['sessionUpdate']> = Extract<SessionUpdate, { sessionUpdate: K }>;

interface Options {
  home: string;
  pace?: number;
  capabilities?: ClientCapabilities;
  /** The option that the person chooses. */
  choice?: string;
}

/** The text of what the client of the SDK was told, in the order of the wire. */
function textOf(updates: readonly SessionUpdate[], kind: SessionUpdate['sessionUpdate']): string {
  return updates
    .filter((update) => update.sessionUpdate === kind)
    .map((update) => ('content' in update && asString(asObject(update.content)['text'])) || '')
    .join('');
}

/**
 * A client as the SDK's documentation has it: every handler is registered with the SDK's own type for the method, so what the agent
 * sends goes through the SDK's checks before it is here.
 */
class SdkClient {
  readonly updates: SessionUpdate[] = [];
  readonly asked: RequestPermissionRequest[] = [];
  readonly served: string[] = [];
  readonly wire: AnyMessage[] = [];
  onMessage: () => void = () => undefined;
  private readonly terminals = new Map<
    string,
    { child: ChildProcess; output: string; end: Promise<unknown[]> }
  >();
  private connection: ClientConnection | undefined;
  private stderr = '';

  private constructor(
    private readonly child: ChildProcessWithoutNullStreams,
    private readonly options: Options,
  ) {}

  static async start(options: Options): Promise<SdkClient> {
    const env = agentEnvironment({ home: options.home, pace: options.pace ?? 0 });
    const child = spawn(process.execPath, [resolve('dist/agent.js')], { env, stdio: 'pipe' });
    const one = new SdkClient(child, options);
    child.stderr.setEncoding('utf8').on('data', (text: string) => (one.stderr += text));
    one.connect();
    const { protocolVersion } = await one.agent.request(calls.initialize, {
      protocolVersion: 1,
      clientCapabilities: options.capabilities ?? EVERYTHING,
      clientInfo: { name: 'sdk', version: '2.4.0' },
    });
    assert.equal(protocolVersion, 1);
    return one;
  }

  get agent(): ClientContext {
    assert.ok(this.connection);
    return this.connection.agent;
  }

  async newSession(cwd: string): Promise<string> {
    return (await this.agent.request(calls.session.new, { cwd, mcpServers: [] })).sessionId;
  }

  async prompt(sessionId: string, text: string): Promise<string> {
    const { stopReason } = await this.agent.request(calls.session.prompt, {
      sessionId,
      prompt: [{ type: 'text', text }],
    });
    return stopReason;
  }

  ofKind<K extends SessionUpdate['sessionUpdate']>(kind: K): UpdateOf<K>[] {
    return this.updates.filter((update): update is UpdateOf<K> => update.sessionUpdate === kind);
  }

  /** The states of each tool call, by its id. */
  get states(): Record<string, unknown[]> {
    const states: Record<string, unknown[]> = {};
    for (const { toolCallId, status } of this.ofKind('tool_call')) states[toolCallId] = [status];
    for (const { toolCallId, status } of this.ofKind('tool_call_update'))
      if (status) states[toolCallId]?.push(status);
    return states;
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((wake) => (this.onMessage = wake));
  }

  async end(): Promise<void> {
    const exit = once(this.child, 'exit');
    this.child.stdin.end();
    assert.deepEqual(await exit, [0, null], this.stderr);
    assert.deepEqual(this.terminals.size, 0, 'TE-9 every terminal was released');
  }

  private connect(): void {
    const { client: served } = methods;
    const app = client({ name: 'sdk' })
      .onNotification(served.session.update, ({ params: { update } }) => {
        this.updates.push(update);
        this.onMessage();
      })
      .onRequest(served.session.requestPermission, ({ params }) => {
        this.asked.push(params);
        const optionId = this.options.choice ?? 'allow_once';
        assert.ok(params.options.some((option) => option.optionId === optionId));
        return { outcome: { outcome: 'selected', optionId } };
      })
      .onRequest(served.fs.readTextFile, ({ params: { path } }) => {
        this.served.push(served.fs.readTextFile);
        return { content: readFileSync(path, 'utf8') };
      })
      .onRequest(served.fs.writeTextFile, ({ params: { path, content } }) => {
        this.served.push(served.fs.writeTextFile);
        writeFileSync(path, content);
        return {};
      });
    this.serveTerminals(app);
    const taken = new TransformStream<AnyMessage, AnyMessage>({
      transform: (message, controller) => {
        this.wire.push(message);
        controller.enqueue(message);
      },
    });
    const { readable, writable } = ndJsonStream(
      Writable.toWeb(this.child.stdin) as WritableStream<Uint8Array>,
      Readable.toWeb(this.child.stdout) as ReadableStream<Uint8Array>,
    );
    this.connection = app.connect({ writable, readable: readable.pipeThrough(taken) });
  }

  private serveTerminals(app: ReturnType<typeof client>): void {
    const { terminal } = methods.client;
    const get = (terminalId: string) => {
      const found = this.terminals.get(terminalId);
      assert.ok(found, terminalId);
      return found;
    };
    app
      .onRequest(terminal.create, ({ params: { command, args = [], cwd } }) => {
        const child = spawn(command, args, { shell: args.length === 0, cwd: cwd ?? tmpdir() });
        const opened = { child, output: '', end: once(child, 'close') };
        for (const stream of [child.stdout, child.stderr])
          stream.on('data', (data: Buffer) => (opened.output += data.toString()));
        const terminalId = `terminal-${this.served.length}`;
        this.served.push(terminal.create);
        this.terminals.set(terminalId, opened);
        return { terminalId };
      })
      .onRequest(terminal.waitForExit, async ({ params }) => {
        const [exitCode, signal] = (await get(params.terminalId).end) as [number | null, string | null];
        return { exitCode, signal };
      })
      .onRequest(terminal.output, ({ params }) => ({
        output: get(params.terminalId).output,
        truncated: false,
      }))
      .onRequest(terminal.kill, ({ params }) => {
        get(params.terminalId).child.kill('SIGKILL');
        return {};
      })
      .onRequest(terminal.release, ({ params }) => {
        this.served.push(terminal.release);
        this.terminals.delete(params.terminalId);
        return {};
      });
  }
}

describe('built-in agent, driven by the official SDK', () => {
  const home = mkdtempSync(join(tmpdir(), 'parley-home-'));
  after(() => rmSync(home, { recursive: true, force: true }));
  const workspace = (): string => makeWorkspace({ 'README.md': '# Hello\n' });

  const inSession = async (options: Partial<Options> = {}) => {
    const cwd = workspace();
    const sdk = await SdkClient.start({ home, ...options });
    return { sdk, cwd, sessionId: await sdk.newSession(cwd) };
  };

  it('IN-8 SE-2 shakes hands and has a session with modes and options', async () => {
    const sdk = await SdkClient.start({ home });
    const session = await sdk.agent.buildSession(workspace()).start();
    assert.ok(session.modes?.availableModes.some(({ id }) => id === session.modes?.currentModeId));
    const mode = session.newSessionResponse.configOptions?.find(({ category }) => category === 'mode');
    assert.equal(mode?.currentValue, session.modes?.currentModeId);
    const answered = session.prompt('count slowly to 3');
    assert.equal(await session.readText(), '1, 2, 3.');
    assert.equal((await answered).stopReason, 'end_turn');
    session.dispose();
    await sdk.end();
  });

  it('TC-3 FS-3 FS-7 TE-1 reads, edits and runs a command through the client, with its permission', async () => {
    const { sdk, cwd, sessionId } = await inSession();
    const task = 'read README.md then replace "Hello" with "World" in README.md then run echo out of a shell';
    assert.equal(await sdk.prompt(sessionId, task), 'end_turn');
    assert.equal(readFileSync(join(cwd, 'README.md'), 'utf8'), '# World\n');
    assert.deepEqual(
      sdk.asked.map(({ toolCall }) => toolCall.kind),
      ['edit', 'execute'],
      'PE-1 nothing is asked for reading',
    );
    assert.deepEqual([...new Set(sdk.served)].sort(), [
      'fs/read_text_file',
      'fs/write_text_file',
      'terminal/create',
      'terminal/release',
    ]);
    const done = ['pending', 'in_progress', 'completed'];
    assert.deepEqual(Object.values(sdk.states), [done, done, done, done]);
    const names = sdk.ofKind('tool_call').map(({ kind }) => kind);
    assert.deepEqual(names, ['read', 'edit', 'execute', 'other']);
    const content = sdk.ofKind('tool_call_update').flatMap((update) => update.content ?? []);
    assert.ok(content.some((item) => item.type === 'diff' && item.newText === '# World\n'));
    assert.ok(content.some((item) => item.type === 'terminal'));
    assert.ok(sdk.ofKind('plan').length > 0);
    await sdk.end();
  });

  it('changes nothing where the person rejects it, and says so', async () => {
    const { sdk, cwd, sessionId } = await inSession({ choice: 'reject_once' });
    assert.equal(await sdk.prompt(sessionId, 'replace "Hello" with "World" in README.md'), 'end_turn');
    assert.equal(readFileSync(join(cwd, 'README.md'), 'utf8'), '# Hello\n');
    assert.deepEqual(Object.values(sdk.states), [['pending', 'failed']]);
    assert.ok(!sdk.served.includes('fs/write_text_file'));
    assert.equal(await sdk.prompt(sessionId, 'run touch made.txt'), 'end_turn');
    assert.equal(existsSync(join(cwd, 'made.txt')), false);
    assert.deepEqual(Object.values(sdk.states).at(-1), ['pending', 'failed']);
    await sdk.end();
  });

  it('CA-2 is cancelled in the middle of a stream and takes the next prompt', async () => {
    const { sdk, sessionId } = await inSession({ pace: 0.05 });
    const turn = sdk.prompt(sessionId, 'count slowly to 1000');
    await sdk.until(() => textOf(sdk.updates, 'agent_message_chunk').includes('3, '));
    await sdk.agent.notify(calls.session.cancel, { sessionId });
    assert.equal(await turn, 'cancelled');
    const said = textOf(sdk.updates, 'agent_message_chunk');
    assert.doesNotMatch(said, /1000/);
    assert.equal(await sdk.prompt(sessionId, 'count slowly to 2'), 'end_turn');
    assert.equal(textOf(sdk.updates, 'agent_message_chunk'), `${said}1, 2.`);
    await sdk.end();
  });

  it('MO-2 CF-7 sets the mode in both ways', async () => {
    const { sdk, cwd, sessionId } = await inSession();
    await sdk.agent.request(calls.session.setMode, { sessionId, modeId: 'plan' });
    await sdk.until(() => sdk.ofKind('config_option_update').length > 0);
    assert.equal(sdk.ofKind('current_mode_update').at(-1)?.currentModeId, 'plan');
    await sdk.prompt(sessionId, 'create made.txt with "x"');
    assert.equal(existsSync(join(cwd, 'made.txt')), false);
    const { configOptions } = await sdk.agent.request(calls.session.setConfigOption, {
      sessionId,
      configId: 'mode',
      value: 'interactive',
    });
    assert.equal(configOptions.find(({ id }) => id === 'mode')?.currentValue, 'interactive');
    await sdk.until(() => sdk.ofKind('current_mode_update').at(-1)?.currentModeId === 'interactive');
    await sdk.prompt(sessionId, 'create made.txt with "x"');
    assert.equal(readFileSync(join(cwd, 'made.txt'), 'utf8'), 'x');
    const wrong = sdk.agent.request(calls.session.setMode, { sessionId, modeId: 'none' });
    await assert.rejects(wrong, { code: -32602 });
    await sdk.end();
  });

  it('SE-8 SE-15 lists a session and loads it in another process: the same story, before the answer', async () => {
    const { sdk: before, cwd, sessionId } = await inSession();
    await before.prompt(sessionId, 'read README.md then replace "Hello" with "World" in README.md');
    await before.prompt(sessionId, 'count slowly to 3');
    await before.end();
    const sdk = await SdkClient.start({ home });
    const { sessions } = await sdk.agent.request(calls.session.list, { cwd });
    assert.deepEqual(
      sessions.map((session) => session.sessionId),
      [sessionId],
    );
    await sdk.agent.request(calls.session.load, { sessionId, cwd, mcpServers: [] });
    const answer = sdk.wire.findIndex((message) => 'result' in message && asObject(message.result)['modes']);
    const late = sdk.wire.slice(answer).filter((message) => 'method' in message);
    const lateKinds = late.map(({ params }) => asObject(asObject(params)['update'])['sessionUpdate']);
    assert.ok(answer > 0 && lateKinds.every((kind) => kind === 'available_commands_update'));
    assert.equal(textOf(sdk.updates, 'agent_message_chunk'), textOf(before.updates, 'agent_message_chunk'));
    assert.match(textOf(sdk.updates, 'user_message_chunk'), /^read README.*count slowly to 3$/);
    const calledIn = (one: SdkClient) =>
      one.ofKind('tool_call').map(({ toolCallId, title }) => [toolCallId, title]);
    assert.deepEqual(calledIn(sdk), calledIn(before));
    assert.ok(sdk.ofKind('tool_call').every(({ status }) => status === 'completed'));
    const order = sdk.updates.map(({ sessionUpdate }) => sessionUpdate);
    assert.ok(order.indexOf('user_message_chunk') < order.indexOf('tool_call'));
    assert.ok(order.lastIndexOf('tool_call') < order.lastIndexOf('user_message_chunk'));
    assert.equal(await sdk.prompt(sessionId, 'read README.md'), 'end_turn');
    await sdk.end();
  });

  it('SE-10 SE-11 SE-12 SE-20 resumes, closes and deletes a session', async () => {
    const { sdk: before, cwd, sessionId } = await inSession();
    await before.prompt(sessionId, 'help');
    await before.end();
    const sdk = await SdkClient.start({ home });
    await sdk.agent.request(calls.session.resume, { sessionId, cwd, mcpServers: [] });
    assert.equal(await sdk.prompt(sessionId, 'count slowly to 2'), 'end_turn');
    assert.equal(textOf(sdk.updates, 'agent_message_chunk'), '1, 2.', 'nothing is replayed');
    await sdk.agent.request(calls.session.close, { sessionId });
    await assert.rejects(sdk.prompt(sessionId, 'help'), { code: -32002 });
    await sdk.agent.request(calls.session.load, { sessionId, cwd, mcpServers: [] });
    assert.match(textOf(sdk.updates, 'user_message_chunk'), /^helpcount/);
    await sdk.agent.request(calls.session.delete, { sessionId });
    assert.deepEqual((await sdk.agent.request(calls.session.list, { cwd })).sessions, []);
    const load = sdk.agent.request(calls.session.load, { sessionId, cwd, mcpServers: [] });
    await assert.rejects(load, { code: -32002 });
    await sdk.end();
  });
});
