import { client, ndJsonStream, type ClientConnection } from '@agentclientprotocol/sdk';
import { build } from 'esbuild';
import assert from 'node:assert/strict';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import {
  LOOP_META,
  type ClientCapabilities,
  type ContentBlock,
  type PromptResponse,
} from '../../../src/core/acp';
import { agentBuild } from '../../../src/agent/agentBuild.mjs';
import { asObject, asString, type JsonObject } from '../../../src/core/json';
import { wireProblemsOf } from '../../support/wireSchema';

let bundle: Promise<string> | undefined;
const folder = mkdtempSync(join(tmpdir(), 'parley-agent-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Bundles the agent once for all tests, as it is shipped. */
export function bundledAgent(): Promise<string> {
  bundle ??= build({
    ...agentBuild,
    outdir: folder,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    logLevel: 'warning',
  }).then(() => join(folder, 'agent.js'));
  return bundle;
}

/** Serves one request of the agent. */
export type Serve = (params: JsonObject, signal: AbortSignal) => unknown;

export interface PeerOptions {
  capabilities?: ClientCapabilities;
  /** Answers to the agent's requests; a method without one is answered -32601 by the SDK. */
  serve?: Record<string, Serve>;
  /** Factor of human pace. */
  pace?: number;
  /** Where the agent keeps its sessions; by default a folder of all tests. */
  home?: string;
  /** Further variables of its environment. */
  env?: NodeJS.ProcessEnv;
  /** The agent's program, by default one that is bundled for all tests. */
  file?: string;
}

/** The environment of an agent in tests: without the options of the test runner, which would load its compiler into it as well. */
export function agentEnvironment({
  pace = 0,
  home = join(folder, 'home'),
  env = {},
}: PeerOptions): NodeJS.ProcessEnv {
  const own = { NODE_OPTIONS: '', PARLEY_AGENT_PACE: String(pace), PARLEY_AGENT_HOME: home };
  return { ...process.env, ...own, ...env };
}

/** A client that announces the loop's notifications and nothing else. */
export const LOOP_CLIENT: ClientCapabilities = { _meta: { [LOOP_META]: { turnEvents: true } } };

/** The agent as a process, and the official SDK as its client. All that the agent writes is kept in the order of the wire. */
export class Peer {
  readonly lines: string[] = [];
  readonly sent: JsonObject[] = [];
  private readonly watchers = new Set<() => void>();
  /** What the agent wrote into its log. */
  stderr = '';

  private constructor(
    readonly child: ChildProcessWithoutNullStreams,
    private readonly options: PeerOptions,
  ) {}

  private connection: ClientConnection | undefined;

  static async start(options: PeerOptions = {}): Promise<Peer> {
    const env = agentEnvironment(options);
    const child = spawn(process.execPath, [options.file ?? (await bundledAgent())], { env, stdio: 'pipe' });
    const peer = new Peer(child, options);
    child.stderr.setEncoding('utf8').on('data', (text: string) => (peer.stderr += text));
    peer.connect();
    return peer;
  }

  get agent(): ClientConnection['agent'] {
    assert.ok(this.connection);
    return this.connection.agent;
  }

  /** Starts the agent and a session in a folder. */
  static async inSession(cwd: string, options: PeerOptions = {}): Promise<{ peer: Peer; sessionId: string }> {
    const peer = await Peer.start(options);
    await peer.initialize();
    return { peer, sessionId: await peer.newSession(cwd) };
  }

  initialize(): Promise<JsonObject> {
    const { capabilities = {} } = this.options;
    return this.request('initialize', { protocolVersion: 1, clientCapabilities: capabilities });
  }

  async newSession(cwd: string): Promise<string> {
    return String((await this.request('session/new', { cwd, mcpServers: [] }))['sessionId']);
  }

  async prompt(sessionId: string, text: string | ContentBlock[]): Promise<PromptResponse> {
    const prompt = typeof text === 'string' ? [{ type: 'text', text }] : text;
    return (await this.request('session/prompt', { sessionId, prompt })) as unknown as PromptResponse;
  }

  cancel(sessionId: string): Promise<void> {
    return this.agent.notify('session/cancel', { sessionId });
  }

  async request(method: string, params: object): Promise<JsonObject> {
    // By the untyped overload, so that wrong requests can be made as well.
    const agent: { request(method: string, params: object): Promise<unknown> } = this.agent;
    return asObject(await agent.request(method, params));
  }

  /** The error code of a request that has to fail. */
  async codeOf(method: string, params: object): Promise<number> {
    try {
      await this.request(method, params);
    } catch (error) {
      return Number((error as { code?: unknown }).code);
    }
    return assert.fail(`${method} did not fail`);
  }

  get messages(): JsonObject[] {
    return this.lines.map((line) => asObject(JSON.parse(line)));
  }

  /** The updates of a kind, in the order of the wire. */
  updates(kind: string): JsonObject[] {
    return this.messages
      .map(({ params }) => asObject(asObject(params)['update']))
      .filter(({ sessionUpdate }) => sessionUpdate === kind);
  }

  /** What the agent said. */
  get text(): string {
    return this.updates('agent_message_chunk')
      .map(({ content }) => asString(asObject(content)['text']) ?? '')
      .join('');
  }

  /** The states that a tool call went through, by the name of its tool. */
  statesOf(name: string): unknown[] {
    const call = this.updates('tool_call').find((update) => update['name'] === name);
    if (!call) return [];
    const updates = this.updates('tool_call_update').filter(
      ({ toolCallId, status }) => toolCallId === call['toolCallId'] && status !== undefined,
    );
    return [call['status'], ...updates.map(({ status }) => status)];
  }

  /** The agent's requests and notifications with a method. */
  calls(method: string): JsonObject[] {
    return this.messages.filter((message) => message['method'] === method);
  }

  /** Waits until what the agent wrote satisfies a condition. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.watchers.delete(wake);
          resolve();
        };
        this.watchers.add(wake);
      });
    }
  }

  /** Ends the agent by closing its input; checks its exit and every line that it wrote. */
  async end(): Promise<void> {
    const exit = this.child.exitCode === null ? once(this.child, 'exit') : Promise.resolve([0]);
    this.child.stdin.end();
    const [code] = (await exit) as [number | null];
    assert.equal(code, 0, this.stderr);
    assert.deepEqual(wireProblemsOf('agent', this.lines, this.sent), []);
  }

  private connect(): void {
    // Notifications first: the SDK starts handlers in the order in which they were added.
    const app = client({ name: 'test' }).onNotification('*', () => undefined);
    for (const [method, serve] of Object.entries(this.options.serve ?? {})) {
      app.onRequest(
        method,
        (params) => asObject(params),
        ({ params, signal }) => serve(params, signal),
      );
    }
    const stdout = Readable.toWeb(this.child.stdout) as ReadableStream<Uint8Array>;
    const input = stdout.pipeThrough(this.tap((line) => this.lines.push(line)));
    const output = this.tap((line) => this.sent.push(asObject(JSON.parse(line))));
    // The process may end while something is written to it.
    const stdin = Writable.toWeb(this.child.stdin) as WritableStream<Uint8Array>;
    output.readable.pipeTo(stdin).catch(() => undefined);
    this.connection = app.connect(ndJsonStream(output.writable, input));
  }

  private tap(take: (line: string) => void): TransformStream<Uint8Array, Uint8Array> {
    const decoder = new TextDecoder();
    let rest = '';
    return new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
        rest = lines.pop() ?? '';
        lines.filter((line) => line !== '').forEach(take);
        controller.enqueue(chunk);
        for (const wake of [...this.watchers]) wake();
      },
    });
  }
}
