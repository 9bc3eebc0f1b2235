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

/** An agent in memory, without a process: it answers every call and keeps what the client wrote. */
export class MemoryAgent {
  private readonly lines: string[] = [];
  private readonly sent: JsonObject[] = [];

  /** @param says What it says of itself in `initialize`. */
  constructor(
    private readonly says: JsonObject,
    private readonly answers: Answers = {},
  ) {}

  connect(handlers: ClientHandlers): ConnectedAgent {
    const [toClient, fromClient] = [new PassThrough(), new PassThrough()];
    let rest = '';
    fromClient.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      for (const line of parts) this.take(line, toClient);
    });
    const client = new AgentClient({
      reader: new NdjsonMessageReader(toClient, { skippedLine: (line) => assert.fail(line) }),
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

  private get messages(): JsonObject[] {
    return this.lines.map((line) => asObject(JSON.parse(line)));
  }

  private take(line: string, toClient: PassThrough): void {
    this.lines.push(line);
    const { id, method, params } = asObject(JSON.parse(line));
    if (id === undefined || typeof method !== 'string') return;
    const answer = this.answers[method] ?? ANSWERS[method];
    const message = { jsonrpc: '2.0', id, result: answer?.(asObject(params)) ?? {} };
    this.sent.push(message);
    toClient.write(`${JSON.stringify(message)}\n`);
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

export const PLACE: Place = { cwd: '/work', others: ['/lib', '/docs'] };

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
): { key: string; store: SessionStore; controller: SessionController; stopRecording(): Promise<void> } {
  const store = new SessionStore(start);
  const controller = new SessionController({
    key,
    store,
    link,
    texts,
    choosePlace: (cwd) => Promise.resolve({ ...PLACE, ...(cwd === null ? {} : { cwd }) }),
    mcpServers: () => Promise.resolve([]),
    cancelQuestions: () => undefined,
    releaseTerminals: () => undefined,
    keepDiff,
    log: () => undefined,
    newId: () => 'id',
    now: () => 1_000,
  });
  return { key, store, controller, stopRecording: () => Promise.resolve() };
}
