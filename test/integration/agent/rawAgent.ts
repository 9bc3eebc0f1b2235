import assert from 'node:assert/strict';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { ClientCapabilities } from '../../../src/core/acp';
import { asObject, asString, type JsonObject } from '../../../src/core/json';
import { wireProblemsOf } from '../../support/wireSchema';
import { agentEnvironment } from './peer';

export const ASK = 'session/request_permission';
export const ALLOW = { outcome: { outcome: 'selected', optionId: 'allow_once' } };

/** How an agent is started. */
export interface RawOptions {
  home: string;
  pace?: number;
  /** Options of Node before the script. */
  node?: readonly string[];
  env?: NodeJS.ProcessEnv;
}

/** The agent's two pipes, byte by byte, without a library in between. */
export class RawAgent {
  readonly sent: JsonObject[] = [];
  stderr = '';
  /** Resolves when the agent ended, however it did. */
  readonly exited: Promise<{ code: unknown; signal: unknown }>;
  /** The whole lines that the agent wrote, and what each of them is. */
  readonly lines: string[] = [];
  readonly messages: JsonObject[] = [];
  private readonly decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  private rest = '';
  private lastId = 0;
  private readonly waiting = new Set<() => void>();

  private constructor(private readonly child: ChildProcessWithoutNullStreams) {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
      this.wake();
    });
    child.stdout.on('data', (data: Buffer) => this.take(data));
    this.exited = once(child, 'close').then(([code, signal]) => {
      this.wake();
      return { code: code as unknown, signal: signal as unknown };
    });
  }

  static start({ home, pace = 0, node = [], env: more = {} }: RawOptions): RawAgent {
    const env = { ...agentEnvironment({ home, pace }), ...more };
    return new RawAgent(spawn(process.execPath, [...node, resolve('dist/agent.js')], { env, stdio: 'pipe' }));
  }

  get text(): string {
    return this.updates('agent_message_chunk')
      .map(({ content }) => asString(asObject(content)['text']) ?? '')
      .join('');
  }

  updates(kind: string): JsonObject[] {
    return this.messages
      .map(({ params }) => asObject(asObject(params)['update']))
      .filter(({ sessionUpdate }) => sessionUpdate === kind);
  }

  write(bytes: string | Buffer): void {
    this.child.stdin.write(bytes);
  }

  send(message: object): void {
    this.sent.push({ ...message });
    this.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** Sends a request; gives the whole answer. */
  async ask(method: string, params: object): Promise<JsonObject> {
    const id = `request ${++this.lastId}`;
    this.send({ id, method, params });
    return this.answerTo(id);
  }

  async answerTo(id: unknown): Promise<JsonObject> {
    const find = (): JsonObject | undefined =>
      this.messages.find((message) => message['id'] === id && message['method'] === undefined);
    await this.until(() => find() !== undefined);
    return find() ?? {};
  }

  async codeOf(method: string, params: object): Promise<unknown> {
    return asObject((await this.ask(method, params))['error'])['code'];
  }

  async initialize(clientCapabilities: ClientCapabilities = {}): Promise<void> {
    assert.ok((await this.ask('initialize', { protocolVersion: 1, clientCapabilities }))['result']);
  }

  async newSession(cwd: string): Promise<string> {
    const { result } = await this.ask('session/new', { cwd, mcpServers: [] });
    return asString(asObject(result)['sessionId']) ?? assert.fail();
  }

  /** Runs a prompt and allows what it asks for; gives why it stopped. */
  async prompt(sessionId: string, text: string): Promise<unknown> {
    const id = `prompt ${++this.lastId}`;
    this.send({ id, method: 'session/prompt', params: { sessionId, prompt: [{ type: 'text', text }] } });
    const isOver = (): boolean => this.messages.some((message) => message['id'] === id && !message['method']);
    const answered = new Set(this.sent.filter(({ result }) => result).map((message) => message['id']));
    while (!isOver()) {
      const asked = this.messages.find(
        (message) => message['method'] === ASK && !answered.has(message['id']),
      );
      if (asked) this.send({ id: asked['id'], result: ALLOW });
      answered.add(asked?.['id']);
      if (!asked) await this.change();
    }
    return asObject((await this.answerTo(id))['result'])['stopReason'];
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      assert.equal(this.child.exitCode, null, this.stderr);
      await this.change();
    }
  }

  /** Ends the agent; all of its output has to be lines of the protocol. */
  async end(): Promise<void> {
    this.child.stdin.end();
    assert.deepEqual(await this.exited, { code: 0, signal: null }, this.stderr);
    assert.equal(this.rest + this.decoder.decode(), '', 'TR-3 the last line is whole');
    assert.ok(this.lines.every((line) => line.startsWith('{') && line.endsWith('}')));
    assert.deepEqual(wireProblemsOf('agent', this.lines, this.sent), []);
  }

  private take(data: Buffer): void {
    const lines = (this.rest + this.decoder.decode(data, { stream: true })).split('\n');
    this.rest = lines.pop() ?? '';
    this.lines.push(...lines);
    this.messages.push(...lines.map((line) => asObject(JSON.parse(line))));
    this.wake();
  }

  private change(): Promise<void> {
    return new Promise((woken) => this.waiting.add(woken));
  }

  private wake(): void {
    const all = [...this.waiting];
    this.waiting.clear();
    for (const woken of all) woken();
  }
}
