import type { Logger, MessageReader, MessageWriter } from 'vscode-jsonrpc/node';
import {
  AgentMethod,
  ClientMethod,
  LoopMethod,
  type ClientCapabilities,
  type ContentBlock,
  type Implementation,
} from '../core/acp';
import { WireError } from '../core/errors';
import { asObject, type JsonObject } from '../core/json';
import type { Disposable } from '../core/lifecycle';
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

/** What happens during a session, told in wire order. Both must not wait. */
export interface SessionPort {
  update(sessionId: string, update: unknown): void;
  /** A loop notification of the built-in agent, or of any agent that speaks the extension. */
  loopEvent(method: string, params: JsonObject): void;
}

/** Asks the person. Rejections and cancels are outcomes, not errors (PE-5). */
export interface PermissionPort {
  request(params: JsonObject, signal: AbortSignal): Promise<object>;
}

/** The client's side of a connection, as ports. A missing port is a capability that is not announced and not served. */
export interface ClientHandlers {
  session: SessionPort;
  permission: PermissionPort;
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
}

/** Typed calls to an agent. Answers are unknown until read: agents leave out and null what they like. */
export class AgentClient implements Disposable {
  private readonly connection: AcpConnection;
  /** Resolves when the agent closed its side. */
  readonly closed: Promise<void>;

  constructor(options: AgentClientOptions) {
    const { reader, writer, logger, trace, handlers } = options;
    this.connection = createAcpConnection({
      reader,
      writer,
      logger,
      ...(trace ? { trace } : {}),
      requests: requestHandlers(handlers),
      notifications: notificationHandlers(handlers.session),
      onUnknownNotification: (method) => handlers.onUnknownNotification(method),
    });
    this.closed = this.connection.closed;
  }

  initialize(request: {
    protocolVersion: number;
    clientCapabilities: ClientCapabilities;
    clientInfo: Implementation;
  }): Promise<unknown> {
    return this.connection.request(AgentMethod.initialize, request);
  }

  authenticate(methodId: string): Promise<unknown> {
    return this.connection.request(AgentMethod.authenticate, { methodId });
  }

  newSession(cwd: string): Promise<unknown> {
    return this.connection.request(AgentMethod.newSession, { cwd, mcpServers: [] });
  }

  loadSession(sessionId: string, cwd: string): Promise<unknown> {
    return this.connection.request(AgentMethod.loadSession, { sessionId, cwd, mcpServers: [] });
  }

  setMode(sessionId: string, modeId: string): Promise<unknown> {
    return this.connection.request(AgentMethod.setMode, { sessionId, modeId });
  }

  setConfigOption(sessionId: string, configId: string, value: string | boolean): Promise<unknown> {
    const type = typeof value === 'boolean' ? { type: 'boolean' } : {};
    return this.connection.request(AgentMethod.setConfigOption, { sessionId, configId, value, ...type });
  }

  /** Resolves when the turn ends; there is no time limit (PT-2). */
  prompt(sessionId: string, prompt: ContentBlock[]): Promise<unknown> {
    return this.connection.request(AgentMethod.prompt, { sessionId, prompt });
  }

  cancel(sessionId: string): void {
    this.connection.notify(AgentMethod.cancel, { sessionId });
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

function requestHandlers({ permission, files, terminals }: ClientHandlers): Record<string, RequestHandler> {
  const requests: Record<string, RequestHandler> = {
    [ClientMethod.requestPermission]: (params, signal) => permission.request(sessionParams(params), signal),
  };
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

function notificationHandlers(session: SessionPort): Record<string, (params: unknown) => void> {
  const loop = (method: string) => (params: unknown) => session.loopEvent(method, asObject(params));
  return {
    [ClientMethod.update]: (params) => {
      const { sessionId, update } = asObject(params);
      if (typeof sessionId === 'string') session.update(sessionId, update);
    },
    [LoopMethod.turnStart]: loop(LoopMethod.turnStart),
    [LoopMethod.turnEnd]: loop(LoopMethod.turnEnd),
  };
}
