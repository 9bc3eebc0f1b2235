import {
  CancellationTokenSource,
  type Logger,
  type MessageReader,
  type MessageWriter,
} from 'vscode-jsonrpc/node';
import {
  AgentMethod,
  ClientMethod,
  type ClientCapabilities,
  type ContentBlock,
  type Implementation,
  type McpServer,
} from '../core/acp';
import { RequestTimeout, WireError } from '../core/errors';
import { asObject, type JsonObject } from '../core/json';
import type { Disposable } from '../core/lifecycle';
import type { ModelCallEvent } from '../core/session/turn';
import { createAcpConnection, type AcpConnection, type RequestHandler, type TraceHook } from './connection';

/** Serves `fs/*`; paths are checked by the implementation. */
export interface FileSystemPort {
  readTextFile(params: JsonObject): Promise<{ content: string }>;
  writeTextFile(params: JsonObject): Promise<object>;
}

/** Serves `terminal/*` (TE-1: all five). */
export interface TerminalPort {
  create(params: JsonObject): Promise<{ terminalId: string }>;
  output(params: JsonObject): Promise<object> | object;
  waitForExit(params: JsonObject): Promise<object>;
  kill(params: JsonObject): Promise<object> | object;
  release(params: JsonObject): Promise<object> | object;
}

/** What happens during a session, told in wire order; must not wait. */
export interface SessionPort {
  update(sessionId: string, update: unknown): void;
  /** What the agent tells of a model call, where it does. */
  modelCall?(sessionId: string, event: ModelCallEvent): void;
}

/** Asks the person by a form or a web page (EL-1). `sessionId` or `requestId` in the parameters tells what it belongs to. */
export interface ElicitationPort {
  create(params: JsonObject, signal: AbortSignal): Promise<object>;
  complete(elicitationId: string): void;
}

/** The agent, as an extension sees it. */
export interface ExtensionPeer {
  /** Tells the agent something by a method of the extension. */
  notify(method: string, params: object): void;
}

/**
 * A feature outside the protocol: methods that begin with `_`, and what announces them (EX-4, EX-6). One file per extension claims
 * its methods; nothing else names them.
 */
export interface ClientExtension {
  /** Key in `_meta` of the client capabilities; `{}`-like data tells what is understood. */
  announce?: Readonly<Record<string, unknown>>;
  /** `signal` aborts when the request is cancelled, or when the connection ends, also after the answer. `peer` is the same in all of them. */
  requests?: Readonly<
    Record<string, (params: JsonObject, signal: AbortSignal, peer: ExtensionPeer) => unknown>
  >;
  /** `session`: where that goes which belongs to a session. */
  notifications?: Readonly<Record<string, (params: JsonObject, session: SessionPort) => void>>;
}

/** Asks the person. Rejections and cancels are outcomes, not errors (PE-5). */
export interface PermissionPort {
  request(params: JsonObject, signal: AbortSignal): Promise<object>;
}

/** The client's side of a connection, as ports. A missing port is a capability that is not announced and not served. */
export interface ClientHandlers {
  session: SessionPort;
  permission: PermissionPort;
  elicitation?: ElicitationPort;
  extensions?: readonly ClientExtension[];
  files?: FileSystemPort;
  terminals?: TerminalPort;
  onUnknownNotification(method: string): void;
}

export interface AgentClientOptions {
  reader: MessageReader;
  writer: MessageWriter;
  handlers: ClientHandlers;
  logger: Logger;
  trace?: TraceHook;
  /** ms that an agent has for the requests that need no person and no model; 30,000 unless said. */
  timeLimit?: number;
}

/** Where a session works and with which MCP servers; sent whole each time (SE-2, SE-23). */
export interface SessionPlace {
  cwd: string;
  mcpServers: McpServer[];
  /** Only for agents that announced it (SE-21). */
  additionalDirectories?: string[];
}

const TIME_LIMIT = 30_000;

/** Typed calls to an agent. Answers are unknown until read: agents leave out and null what they like. */
export class AgentClient implements Disposable {
  private readonly connection: AcpConnection;
  private readonly timeLimit: number;
  /** Resolves when the agent closed its side. */
  readonly closed: Promise<void>;

  constructor(options: AgentClientOptions) {
    const { reader, writer, logger, trace, handlers } = options;
    this.timeLimit = options.timeLimit ?? TIME_LIMIT;
    this.connection = createAcpConnection({
      reader,
      writer,
      logger,
      ...(trace ? { trace } : {}),
      requests: requestHandlers(handlers, {
        notify: (method, params) => this.connection.notify(method, params),
      }),
      notifications: notificationHandlers(handlers),
      onUnknownNotification: (method) => handlers.onUnknownNotification(method),
    });
    this.closed = this.connection.closed;
  }

  /** Listens to the wire from now on, or no more. */
  set trace(hook: TraceHook | undefined) {
    this.connection.trace = hook;
  }

  initialize(request: {
    protocolVersion: number;
    clientCapabilities: ClientCapabilities;
    clientInfo: Implementation;
  }): Promise<unknown> {
    return this.connection.request(AgentMethod.initialize, request);
  }

  /** Only for methods of the type `agent` (AU-3). Has no time limit: a person is at work. */
  authenticate(methodId: string): Promise<unknown> {
    return this.connection.request(AgentMethod.authenticate, { methodId });
  }

  logout(): Promise<unknown> {
    return this.timed(AgentMethod.logout, {});
  }

  newSession(place: SessionPlace): Promise<unknown> {
    return this.connection.request(AgentMethod.newSession, place);
  }

  /** The agent replays the conversation as updates before it answers (SE-8). */
  loadSession(sessionId: string, place: SessionPlace): Promise<unknown> {
    return this.connection.request(AgentMethod.loadSession, { sessionId, ...place });
  }

  /** As `loadSession`, without the replay (SE-11). */
  resumeSession(sessionId: string, place: SessionPlace): Promise<unknown> {
    return this.connection.request(AgentMethod.resumeSession, { sessionId, ...place });
  }

  /** One page; `cursor` is what the page before said (SE-15, SE-17). */
  listSessions(cwd: string, cursor?: string): Promise<unknown> {
    return this.timed(AgentMethod.listSessions, { cwd, ...(cursor === undefined ? {} : { cursor }) });
  }

  closeSession(sessionId: string): Promise<unknown> {
    return this.timed(AgentMethod.closeSession, { sessionId });
  }

  deleteSession(sessionId: string): Promise<unknown> {
    return this.timed(AgentMethod.deleteSession, { sessionId });
  }

  setMode(sessionId: string, modeId: string): Promise<unknown> {
    return this.timed(AgentMethod.setMode, { sessionId, modeId });
  }

  setConfigOption(sessionId: string, configId: string, value: string | boolean): Promise<unknown> {
    const type = typeof value === 'boolean' ? { type: 'boolean' } : {};
    return this.timed(AgentMethod.setConfigOption, { sessionId, configId, value, ...type });
  }

  /** Resolves when the turn ends; there is no time limit (PT-2). */
  prompt(sessionId: string, prompt: ContentBlock[]): Promise<unknown> {
    return this.connection.request(AgentMethod.prompt, { sessionId, prompt });
  }

  cancel(sessionId: string): void {
    this.connection.notify(AgentMethod.cancel, { sessionId });
  }

  /** A request that an agent answers by itself at once; one that does not is told to stop (CA-12). */
  private async timed(method: string, params: object): Promise<unknown> {
    const limit = new CancellationTokenSource();
    const late = new Promise<never>((_, reject) => {
      limit.token.onCancellationRequested(() => reject(new RequestTimeout(method)));
    });
    const timer = setTimeout(() => limit.cancel(), this.timeLimit);
    try {
      return await Promise.race([this.connection.request(method, params, limit.token), late]);
    } finally {
      clearTimeout(timer);
      limit.dispose();
    }
  }

  dispose(): void {
    this.connection.dispose();
  }
}

/** The parameters as an object that names its session. */
function sessionParams(params: unknown): JsonObject {
  const object = asObject(params);
  if (typeof object['sessionId'] !== 'string') throw WireError.invalidParams('"sessionId" is missing.');
  return object;
}

const withSession =
  (serve: (params: JsonObject) => unknown): RequestHandler =>
  (params) =>
    serve(sessionParams(params));

/** What an extension may serve: names of the protocol are not its own, also where Parley does not serve them (EX-4). */
const ownMethods = <T>(methods: Readonly<Record<string, T>> = {}): [string, T][] =>
  Object.entries(methods).filter(([method]) => method.startsWith('_'));

function requestHandlers(handlers: ClientHandlers, peer: ExtensionPeer): Record<string, RequestHandler> {
  const { permission, elicitation, files, terminals } = handlers;
  const requests: Record<string, RequestHandler> = {};
  for (const extension of handlers.extensions ?? []) {
    for (const [method, serve] of ownMethods(extension.requests))
      requests[method] = (params, signal) => serve(asObject(params), signal, peer);
  }
  requests[ClientMethod.requestPermission] = (params, signal) =>
    permission.request(sessionParams(params), signal);
  if (elicitation) {
    // It may belong to a request instead of a session (EL-6).
    requests[ClientMethod.createElicitation] = (params, signal) =>
      elicitation.create(asObject(params), signal);
  }
  if (files) {
    requests[ClientMethod.readTextFile] = withSession((params) => files.readTextFile(params));
    requests[ClientMethod.writeTextFile] = withSession((params) => files.writeTextFile(params));
  }
  if (terminals) {
    requests[ClientMethod.createTerminal] = withSession((params) => terminals.create(params));
    requests[ClientMethod.terminalOutput] = withSession((params) => terminals.output(params));
    requests[ClientMethod.waitForTerminalExit] = withSession((params) => terminals.waitForExit(params));
    requests[ClientMethod.killTerminal] = withSession((params) => terminals.kill(params));
    requests[ClientMethod.releaseTerminal] = withSession((params) => terminals.release(params));
  }
  return requests;
}

function notificationHandlers(handlers: ClientHandlers): Record<string, (params: unknown) => void> {
  const { session, elicitation } = handlers;
  const notifications: Record<string, (params: unknown) => void> = {};
  for (const extension of handlers.extensions ?? []) {
    for (const [method, take] of ownMethods(extension.notifications))
      notifications[method] = (params) => take(asObject(params), session);
  }
  notifications[ClientMethod.update] = (params) => {
    const { sessionId, update } = asObject(params);
    if (typeof sessionId === 'string') session.update(sessionId, update);
  };
  if (elicitation) {
    notifications[ClientMethod.completeElicitation] = (params) => {
      const { elicitationId } = asObject(params);
      if (typeof elicitationId === 'string') elicitation.complete(elicitationId);
    };
  }
  return notifications;
}
