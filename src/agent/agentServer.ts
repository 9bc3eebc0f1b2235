import { randomUUID } from 'node:crypto';
import type { Logger, MessageReader, MessageWriter } from 'vscode-jsonrpc/node';
import { createAcpConnection, type AcpConnection, type RequestHandler } from '../acp/connection';
import {
  AgentMethod,
  ErrorCode,
  LOOP_META,
  PROTOCOL_VERSION,
  type InitializeResponse,
  type NewSessionResponse,
} from '../core/acp';
import { WireError } from '../core/errors';
import { asList, asObject, compact, type JsonObject } from '../core/json';
import type { Disposable } from '../core/lifecycle';
import { clientCommands } from './access/clientCommands';
import { createClientRequest } from './access/clientRequest';
import { createFileAccess } from './access/files';
import { ownCommands } from './access/ownCommands';
import { isAbsoluteHere } from './access/paths';
import { AgentSession } from './agentSession';
import type { Model } from './model/model';
import { SessionReport } from './report';
import { asMode, MODE_OPTION } from './sessionModes';
import { PermissionDesk } from './tools/permissions';

/** The version that the agent gives of itself. */
export const AGENT_VERSION = '0.1.0';

export interface ServerOptions {
  reader: MessageReader;
  writer: MessageWriter;
  logger: Logger;
  model: Model;
  maxModelCalls?: number;
}

/** The agent's side of a connection: methods of the protocol to sessions. */
export class AgentServer implements Disposable {
  private readonly connection: AcpConnection;
  private readonly sessions = new Map<string, AgentSession>();
  /** What the client can do; undefined until `initialize`. */
  private client: JsonObject | undefined;
  /** Resolves when the client closed its side. */
  readonly closed: Promise<void>;

  constructor(private readonly options: ServerOptions) {
    const { reader, writer, logger } = options;
    this.connection = createAcpConnection({
      reader,
      writer,
      logger,
      requests: this.requests(),
      notifications: {
        [AgentMethod.cancel]: (params) => {
          const { sessionId } = asObject(params);
          if (typeof sessionId === 'string') this.sessions.get(sessionId)?.cancel();
        },
      },
    });
    this.closed = this.connection.closed;
  }

  /** Stops all sessions with what they run. */
  dispose(): void {
    for (const session of this.sessions.values()) session.dispose();
    this.sessions.clear();
    this.connection.dispose();
  }

  private requests(): Record<string, RequestHandler> {
    return {
      [AgentMethod.initialize]: (params) => this.initialize(asObject(params)),
      [AgentMethod.authenticate]: this.initialized(() => {
        throw WireError.invalidParams('This agent needs no sign-in.');
      }),
      [AgentMethod.newSession]: this.initialized((params) => this.newSession(params)),
      [AgentMethod.prompt]: this.initialized((params, signal) =>
        this.session(params).prompt(params['prompt'], signal),
      ),
      [AgentMethod.setMode]: this.initialized((params) => {
        this.setMode(params, params['modeId']);
        return {};
      }),
      [AgentMethod.setConfigOption]: this.initialized((params) => {
        if (params['configId'] !== MODE_OPTION)
          throw WireError.invalidParams('There is no such configuration option.');
        const { configOptions } = this.setMode(params, params['value']).settings;
        return { configOptions };
      }),
    };
  }

  private initialized(handle: (params: JsonObject, signal: AbortSignal) => unknown): RequestHandler {
    return (params, signal) => {
      if (!this.client)
        throw new WireError(ErrorCode.invalidRequest, 'The first request must be "initialize".');
      return handle(asObject(params), signal);
    };
  }

  private initialize(params: JsonObject): InitializeResponse {
    if (this.client) throw new WireError(ErrorCode.invalidRequest, 'The connection is initialized already.');
    if (typeof params['protocolVersion'] !== 'number')
      throw WireError.invalidParams('"protocolVersion" must be a number.');
    this.client = asObject(params['clientCapabilities']);
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: 'parley-builtin', title: 'Parley built-in', version: AGENT_VERSION },
      agentCapabilities: {
        loadSession: false,
        promptCapabilities: { image: false, audio: false, embeddedContext: false },
        _meta: { [LOOP_META]: { version: 1, turnEvents: true, taskComplete: true } },
      },
      authMethods: [],
    };
  }

  private newSession(params: JsonObject): NewSessionResponse {
    const { cwd, additionalDirectories } = params;
    if (!isAbsoluteHere(cwd)) throw WireError.invalidParams('"cwd" must be an absolute path.');
    if (asList(additionalDirectories).length > 0)
      throw WireError.invalidParams('Additional directories are not supported.');
    if (asList(params['mcpServers']).length > 0)
      this.options.logger.warn('The built-in agent uses no MCP servers; those of the session are left out.');
    const sessionId = randomUUID();
    const session = this.createSession(sessionId, cwd);
    this.sessions.set(sessionId, session);
    // After the answer, as a client does not know the session before.
    setImmediate(() => session.announceCommands());
    return { sessionId, ...session.settings };
  }

  private createSession(sessionId: string, cwd: string): AgentSession {
    const { model, maxModelCalls } = this.options;
    const client = this.client ?? {};
    const files = asObject(client['fs']);
    const capabilities = {
      readTextFile: files['readTextFile'] === true,
      writeTextFile: files['writeTextFile'] === true,
    };
    const turnEvents = asObject(asObject(client['_meta'])[LOOP_META])['turnEvents'] === true;
    const request = createClientRequest(this.connection);
    return new AgentSession({
      ...compact({ maxModelCalls }),
      model,
      environment: {
        cwd,
        files: createFileAccess({ sessionId, cwd, request, capabilities }),
        commands: client['terminal'] === true ? clientCommands(sessionId, request) : ownCommands(),
      },
      permissions: new PermissionDesk(sessionId, request),
      report: new SessionReport({
        sessionId,
        turnEvents,
        notify: (method, notified) => this.connection.notify(method, notified),
      }),
    });
  }

  private setMode(params: JsonObject, value: unknown): AgentSession {
    const session = this.session(params);
    const mode = asMode(value);
    if (!mode) throw WireError.invalidParams('There is no such mode.');
    session.setMode(mode);
    return session;
  }

  private session({ sessionId }: JsonObject): AgentSession {
    if (typeof sessionId !== 'string') throw WireError.invalidParams('"sessionId" is missing.');
    const session = this.sessions.get(sessionId);
    if (!session) throw WireError.notFound('The session', { sessionId });
    return session;
  }
}
