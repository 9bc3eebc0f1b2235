import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { AgentClient, type ClientHandlers } from '../../../src/acp/agentClient';
import type { AgentProcess } from '../../../src/acp/agentProcess';
import type { ConnectedAgent } from '../../../src/acp/connectAgent';
import { NdjsonMessageReader, NdjsonMessageWriter } from '../../../src/acp/ndjsonTransport';
import { readIntroduction } from '../../../src/core/agents/introduction';
import { emptySession, type SessionState } from '../../../src/core/session/state';
import { AgentLink, type AgentLinkOptions } from '../../../src/host/session/agentLink';
import { SessionController, type Place } from '../../../src/host/session/sessionController';
import { SessionStore } from '../../../src/host/session/sessionStore';
import type { SessionTexts } from '../../../src/host/session/sessionTexts';
import { asObject, type JsonObject } from '../../../src/core/json';
import { silent } from '../../support/memoryTransport';
import { keepDiff } from '../../support/session';
import { wireProblemsOf } from '../../support/wireSchema';

type Answers = Readonly<Record<string, (params: JsonObject) => unknown>>;

const ANSWERS: Answers = {
  'session/new': () => ({ sessionId: 'new-1' }),
  'session/list': () => ({ sessions: [] }),
  'session/prompt': () => ({ stopReason: 'end_turn' }),
};

/** For a call that is answered later, by `settle`. */
export const LATER = Symbol('later');

/** An agent in memory, without a process: it answers every call and keeps what the client wrote. */
export class MemoryAgent {
  private readonly lines: string[] = [];
  private readonly sent: JsonObject[] = [];
  private readonly toClient = new PassThrough();
  private wake: () => void = () => undefined;

  /** @param says What it says of itself in `initialize`. */
  constructor(
    private readonly says: JsonObject,
    private readonly answers: Answers = {},
  ) {}

  connect(handlers: ClientHandlers): ConnectedAgent {
    const fromClient = new PassThrough();
    let rest = '';
    fromClient.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      for (const line of parts) this.take(line);
    });
    const client = new AgentClient({
      reader: new NdjsonMessageReader(this.toClient, { skippedLine: (line) => assert.fail(line) }),
      writer: new NdjsonMessageWriter(fromClient),
      handlers,
      logger: silent,
    });
    const introduction = readIntroduction({ protocolVersion: 1, ...this.says }, 1);
    assert.ok(!('problem' in introduction));
    const process = { pid: 0, kill: () => undefined } as unknown as AgentProcess;
    const stop = (): Promise<void> => {
      client.dispose();
      return Promise.resolve();
    };
    return { client, introduction, process, stop, lost: new Promise(() => undefined) };
  }

  /** The methods that the client called, in order. */
  get calls(): string[] {
    return this.messages.map(({ method }) => String(method));
  }

  /** The parameters of the calls of a method. */
  paramsOf(method: string): JsonObject[] {
    return this.messages
      .filter((message) => message['method'] === method)
      .map(({ params }) => asObject(params));
  }

  /** What is wrong with the lines of the client by the schema. */
  get problems(): string[] {
    return wireProblemsOf('client', this.lines, this.sent);
  }

  /** What the client wrote by name, in order: the method, or `answer ID`. */
  get written(): string[] {
    return this.messages.map(({ method, id }) =>
      typeof method === 'string' ? method : `answer ${JSON.stringify(id)}`,
    );
  }

  /** The results of the client's answers to a request. */
  resultsOf(id: string): unknown[] {
    return this.messages
      .filter((message) => message['id'] === id && !('method' in message))
      .map(({ result }) => result);
  }

  /** Resolves when the client has written something, by its name. */
  async until(name: string): Promise<void> {
    while (!this.written.includes(name)) await new Promise<void>((resolve) => (this.wake = resolve));
  }

  /** Sends a request to the client. */
  ask(id: string, method: string, params: JsonObject): void {
    this.send({ id, method, params });
  }

  /** Sends an update of a session to the client. */
  tell(sessionId: string, update: JsonObject): void {
    this.send({ method: 'session/update', params: { sessionId, update } });
  }

  /** Answers the last call of a method that was left for later. */
  settle(method: string, result: JsonObject): void {
    this.send({ id: this.messages.findLast((message) => message['method'] === method)?.['id'], result });
  }

  private get messages(): JsonObject[] {
    return this.lines.map((line) => asObject(JSON.parse(line)));
  }

  private send(message: JsonObject): void {
    this.sent.push({ jsonrpc: '2.0', ...message });
    this.toClient.write(`${JSON.stringify(this.sent.at(-1))}\n`);
  }

  private take(line: string): void {
    this.lines.push(line);
    const { id, method, params } = asObject(JSON.parse(line));
    if (id !== undefined && typeof method === 'string') {
      const result = (this.answers[method] ?? ANSWERS[method])?.(asObject(params)) ?? {};
      if (result !== LATER) this.send({ id, result });
    }
    this.wake();
  }
}

const texts: SessionTexts = {
  failureBanner: (_agent, { reason }) => ({ severity: 'error', message: reason, actions: [] }),
  failureError: (_agent, { reason }) => ({ message: reason }),
  signInFirst: () => 'sign in',
  notConnected: () => 'not connected',
  startsWithoutMemory: () => 'no memory',
  removedFromQueue: () => 'removed',
  signInFailed: (_agent, code) => `sign-in ended with ${code}`,
  toBlocks: (make) => make(),
};

/** The state of a session that the agent had before; with a transcript, unless that is lost. */
export function keptSession(sessionId: string, transcript = true): SessionState {
  const store = new SessionStore({ ...emptySession('memory'), sessionId, cwd: PLACE.cwd });
  if (transcript) {
    store.dispatch({ type: 'promptSubmitted', blocks: [{ type: 'text', text: 'before' }], at: 1 });
    store.dispatch({ type: 'turnEnded', turn: 1, stopReason: 'end_turn', at: 2 });
  }
  return store.state;
}

export const PLACE: Place = { cwd: '/proj', others: ['/lib', '/docs'] };

export function linkTo(agent: MemoryAgent, options: Partial<AgentLinkOptions> = {}): AgentLink {
  const plan = { command: 'agent', args: ['--acp'], env: {}, cwd: '/', shell: false, startTimeout: 1_000 };
  return new AgentLink({
    agentId: 'memory',
    launchPlan: () => Promise.resolve(plan),
    connect: (_plan, _id, handlers) => Promise.resolve(agent.connect(handlers)),
    ports: () => ({ permission: { request: () => Promise.reject(new Error('not expected')) } }),
    signInInTerminal: () => Promise.reject(new Error('not expected')),
    log: () => undefined,
    ...options,
  });
}

/** A session as it is put together in the extension, with nothing around it. */
export function buildSession(
  key: string,
  start: string | SessionState,
  link: AgentLink,
  cancelQuestions: () => void = () => undefined,
): { key: string; store: SessionStore; controller: SessionController; stopRecording(): Promise<void> } {
  const store = new SessionStore(start);
  const controller = new SessionController({
    key,
    store,
    link,
    texts,
    choosePlace: (cwd) => Promise.resolve({ ...PLACE, ...(cwd === null ? {} : { cwd }) }),
    mcpServers: () => Promise.resolve([]),
    cancelQuestions,
    releaseTerminals: () => undefined,
    recorded: () => Promise.resolve(),
    keepDiff,
    changes: { begin: () => Promise.resolve(), end: () => Promise.resolve() },
    log: () => undefined,
    newId: () => 'id',
    now: () => 1_000,
  });
  return { key, store, controller, stopRecording: () => Promise.resolve() };
}
