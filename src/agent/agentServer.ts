import { statSync } from 'node:fs';
import type { Logger, MessageReader, MessageWriter } from 'vscode-jsonrpc/node';
import { createAcpConnection, type AcpConnection, type RequestHandler } from '../acp/connection';
import {
  AgentMethod,
  ErrorCode,
  LOOP_META,
  PROTOCOL_VERSION,
  type AuthMethod,
  type InitializeResponse,
  type ListSessionsResponse,
} from '../core/acp';
import { WireError } from '../core/errors';
import { asObject, asString, compact, isObject, type JsonObject } from '../core/json';
import { LmMethod } from '../core/languageModels';
import type { Disposable } from '../core/lifecycle';
import { createClientRequest, type ClientRequest } from './access/clientRequest';
import { isAbsoluteHere } from './access/paths';
import type { AgentSession } from './agentSession';
import { MCP_CAPABILITIES, readServers } from './mcp/serverConfig';
import { ClientModels, hasClientModels } from './model/clientModels';
import type { Models } from './model/models';
import { OpenSessions, type ClientAbilities, type SessionSetup } from './openSessions';
import { asMode, MODE_OPTION, MODEL_OPTION } from './sessionModes';
import type { ListedSession, SessionStore } from './sessionStore';
import { AGENT_VERSION } from './version';

export interface ServerOptions {
  reader: MessageReader;
  writer: MessageWriter;
  logger: Logger;
  models: Models;
  store: SessionStore;
  maxModelCalls?: number;
  /** Given where the person can set a model up while the agent runs. */
  setup?: ModelSetup;
}

/** What the person set up as models. */
export interface ModelSetup {
  /** Undefined where a model can be used; else what is to do. */
  readonly problem: string | undefined;
  /** Reads it again. */
  refresh(): void;
}

/** The way to set up a model in a terminal (AU-12). */
const MODEL_SETUP: AuthMethod = {
  type: 'terminal',
  id: 'model',
  name: 'Set up a model',
  description: 'Asks for a provider, its address, a model and a key',
  args: ['login'],
};

/** The agent's side of a connection: methods of the protocol to sessions. */
export class AgentServer implements Disposable {
  private readonly connection: AcpConnection;
  private open: OpenSessions | undefined;
  private clientModels: ClientModels | undefined;
  private authMethods: AuthMethod[] = [];
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
          if (typeof sessionId === 'string') this.open?.find(sessionId)?.cancel();
        },
        [LmMethod.part]: (params) => this.clientModels?.takePart(asObject(params)),
        [LmMethod.changed]: () => void this.clientModels?.refresh(),
      },
    });
    this.closed = this.connection.closed;
  }

  /** Stops all sessions with what they run. */
  dispose(): void {
    this.open?.dispose();
    this.connection.dispose();
  }

  /** Resolves when what the sessions had started is gone. */
  async freed(): Promise<void> {
    await this.open?.freed();
  }

  private requests(): Record<string, RequestHandler> {
    return {
      [AgentMethod.initialize]: (params) => this.initialize(asObject(params)),
      [AgentMethod.authenticate]: this.initialized((params) => this.authenticate(params)),
      [AgentMethod.newSession]: this.initialized((params, sessions) => {
        const { sessionId, session } = sessions.create(readSetup(params));
        return { sessionId, ...begun(session) };
      }),
      [AgentMethod.loadSession]: this.initialized(async (params, sessions) => {
        const { session, replay } = await sessions.goOn(idOf(params), readSetup(params));
        replay();
        return begun(session);
      }),
      [AgentMethod.resumeSession]: this.initialized(async (params, sessions) => {
        const { session } = await sessions.goOn(idOf(params), readSetup(params));
        return begun(session);
      }),
      [AgentMethod.listSessions]: this.initialized((params) => this.list(params)),
      [AgentMethod.closeSession]: this.initialized((params, sessions) => {
        sessions.close(idOf(params));
        return {};
      }),
      [AgentMethod.deleteSession]: this.initialized((params, sessions) => {
        sessions.remove(idOf(params));
        return {};
      }),
      [AgentMethod.prompt]: this.initialized((params, sessions, signal) =>
        this.prompt(sessions.get(idOf(params)), params['prompt'], signal),
      ),
      [AgentMethod.setMode]: this.initialized((params, sessions) => {
        setMode(sessions.get(idOf(params)), params['modeId']);
        return {};
      }),
      [AgentMethod.setConfigOption]: this.initialized((params, sessions) => {
        const session = sessions.get(idOf(params));
        setOption(session, params['configId'], params['value']);
        return { configOptions: session.settings.configOptions };
      }),
    };
  }

  /** Where the client itself sets models up there is no sign-in: one that waited for it would keep the turn open, and not show why. */
  private async prompt(session: AgentSession, blocks: unknown, signal: AbortSignal): Promise<object> {
    try {
      return await session.prompt(blocks, signal);
    } catch (error) {
      const isRefused = error instanceof WireError && error.code === ErrorCode.authRequired;
      if (this.options.setup || !isRefused) throw error;
      throw new WireError(ErrorCode.internal, error.message, error.data);
    }
  }

  private initialized(
    handle: (params: JsonObject, sessions: OpenSessions, signal: AbortSignal) => unknown,
  ): RequestHandler {
    return (params, signal) => {
      if (!this.open)
        throw new WireError(ErrorCode.invalidRequest, 'The first request must be "initialize".');
      // A sign-in in a terminal tells nobody that it is done (AU-3).
      this.options.setup?.refresh();
      return handle(asObject(params), this.open, signal);
    };
  }

  private initialize(params: JsonObject): InitializeResponse {
    if (this.open) throw new WireError(ErrorCode.invalidRequest, 'The connection is initialized already.');
    if (typeof params['protocolVersion'] !== 'number')
      throw WireError.invalidParams('"protocolVersion" must be a number.');
    const { connection } = this;
    const { store, maxModelCalls } = this.options;
    const capabilities = asObject(params['clientCapabilities']);
    const request = createClientRequest(connection);
    const hasTerminal = asObject(capabilities['auth'])['terminal'] === true;
    this.authMethods = this.options.setup && hasTerminal ? [MODEL_SETUP] : [];
    this.open = new OpenSessions({
      ...compact({ maxModelCalls }),
      models: this.modelsFor(capabilities, request),
      store,
      client: readClient(capabilities),
      request,
      notify: (method, notified) => connection.notify(method, notified),
      log: (line) => this.options.logger.info(line),
    });
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: 'parley-builtin', title: 'Parley built-in', version: AGENT_VERSION },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: false, audio: false, embeddedContext: false },
        mcpCapabilities: MCP_CAPABILITIES,
        sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, additionalDirectories: {} },
        _meta: { [LOOP_META]: { version: 1, turnEvents: true, taskComplete: true } },
      },
      authMethods: this.authMethods,
    };
  }

  /** A client that signs in by a terminal need not call this (AU-3); one that does learns whether it worked. */
  private authenticate({ methodId }: JsonObject): object {
    if (!this.authMethods.some(({ id }) => id === methodId))
      throw WireError.invalidParams('This agent offers no such way to sign in.');
    const problem = this.options.setup?.problem;
    if (problem !== undefined) throw new WireError(ErrorCode.authRequired, problem);
    return {};
  }

  /** The models of the agent, with those of a client that has some; it is asked for them after its own first request is answered. */
  private modelsFor(capabilities: JsonObject, request: ClientRequest): Models {
    const { models, logger } = this.options;
    if (!hasClientModels(capabilities)) return models;
    const all = new ClientModels(models, { request, warn: (line) => logger.warn(line) });
    this.clientModels = all;
    setImmediate(() => void all.refresh());
    return all;
  }

  private list({ cwd, cursor }: JsonObject): ListSessionsResponse {
    if (cwd !== undefined && cwd !== null && !isAbsoluteHere(cwd))
      throw WireError.invalidParams('"cwd" must be an absolute path.');
    const { sessions, ...more } = this.options.store.list(asString(cwd), asString(cursor));
    return {
      ...more,
      sessions: sessions.map(listedSession),
    };
  }
}

/**
 * What a session is to work with (SE-21, MC-1).
 *
 * Throws -32602 for folders that are not absolute or not there, and for servers that can't be: nothing that was asked for is left out
 * in silence.
 */
function readSetup({ cwd, additionalDirectories, mcpServers }: JsonObject): SessionSetup {
  if (!isAbsoluteHere(cwd)) throw WireError.invalidParams('"cwd" must be an absolute path.');
  const folders: unknown = additionalDirectories ?? [];
  if (!Array.isArray(folders) || !folders.every(isAbsoluteHere))
    throw WireError.invalidParams('"additionalDirectories" must be a list of absolute paths.');
  const missing = folders.find((folder) => !isFolder(folder));
  if (missing !== undefined)
    throw WireError.invalidParams(`This additional directory is no folder: ${missing}`);
  return { cwd, additionalDirectories: folders, mcpServers: readServers(mcpServers) };
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function listedSession(session: ListedSession): ListSessionsResponse['sessions'][number] {
  const { sessionId, cwd, additionalDirectories, title, updatedAt, modelCalls, taskComplete } = session;
  return {
    sessionId,
    cwd,
    ...(additionalDirectories.length > 0 ? { additionalDirectories: [...additionalDirectories] } : {}),
    updatedAt: new Date(updatedAt).toISOString(),
    ...compact({ title }),
    _meta: { [LOOP_META]: compact({ modelCalls, taskComplete }) },
  };
}

/** What a client is told of a session that begins or goes on; its commands come after the answer, as it did not know the session before. */
function begun(session: AgentSession): AgentSession['settings'] {
  setImmediate(() => session.announceCommands());
  return session.settings;
}

function setOption(session: AgentSession, id: unknown, value: unknown): void {
  if (id === MODE_OPTION) setMode(session, value);
  else if (id === MODEL_OPTION) session.setModel(asString(value) ?? '');
  else throw WireError.invalidParams('There is no such configuration option.');
}

function setMode(session: AgentSession, value: unknown): void {
  const mode = asMode(value);
  if (!mode) throw WireError.invalidParams('There is no such mode.');
  session.setMode(mode);
}

function idOf({ sessionId }: JsonObject): string {
  if (typeof sessionId !== 'string') throw WireError.invalidParams('"sessionId" is missing.');
  return sessionId;
}

function readClient(capabilities: JsonObject): ClientAbilities {
  const files = asObject(capabilities['fs']);
  const loop = asObject(asObject(capabilities['_meta'])[LOOP_META]);
  return {
    files: { readTextFile: files['readTextFile'] === true, writeTextFile: files['writeTextFile'] === true },
    terminal: capabilities['terminal'] === true,
    turnEvents: loop['turnEvents'] === true,
    forms: isObject(asObject(capabilities['elicitation'])['form']),
    notices: isObject(asObject(capabilities['session'])['notices']),
    syntheticMessages: loop['syntheticMessages'] === true,
    compaction: isObject(asObject(capabilities['session'])['compaction']),
  };
}
