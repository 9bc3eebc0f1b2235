import type {
  ClientExtension,
  ClientHandlers,
  FileSystemPort,
  PermissionPort,
  SessionPort,
  TerminalPort,
} from '../../acp/agentClient';
import type { ElicitationOwner } from '../bridges/elicitationBridge';
import { WireError } from '../../core/errors';
import type { JsonObject } from '../../core/json';

/** As `ElicitationPort`, with the owner found. */
export interface OwnedElicitationPort {
  create(owner: ElicitationOwner, params: JsonObject, signal: AbortSignal): Promise<object>;
  complete(connection: string, elicitationId: string): void;
  /** The connection ended: nothing of it is waited for any more (EL-7). */
  cancelConnection(connection: string): void;
}

/** What serves the requests of any agent. `sessionId` in their parameters is Parley's own key, so that ids of agents can't clash. */
export interface SharedPorts {
  permission: PermissionPort;
  elicitation?: OwnedElicitationPort;
  files?: FileSystemPort;
  terminals?: TerminalPort;
  extensions?: readonly ClientExtension[];
}

/** What a connection knows of its sessions. */
export interface Scope {
  readonly connection: string;
  /** Parley's key for a session id of the agent; waits while a session is being opened (SE-5), else throws -32002. */
  keyOf(sessionId: string, signal?: AbortSignal): Promise<string>;
  /** The session that shows what belongs to none (EL-6); undefined where there is none. */
  frontKey(): string | undefined;
}

/** Parameters with Parley's key for the session id. */
type AtKey = (params: JsonObject, signal?: AbortSignal) => Promise<JsonObject>;

/** The handlers of one connection: each request goes to the shared port under the key of its session. */
export function scopedHandlers(
  ports: SharedPorts,
  scope: Scope,
  session: SessionPort,
): Omit<ClientHandlers, 'onUnknownNotification'> {
  const { permission, elicitation, files, terminals, extensions } = ports;
  const at: AtKey = async (params, signal) => ({
    ...params,
    sessionId: await scope.keyOf(String(params['sessionId']), signal),
  });
  return {
    session,
    permission: {
      request: async (params, signal) => permission.request(await at(params, signal), signal),
    },
    ...(elicitation ? { elicitation: scopedElicitation(elicitation, scope, at) } : {}),
    ...(extensions ? { extensions } : {}),
    ...(files
      ? {
          files: {
            readTextFile: async (params) => files.readTextFile(await at(params)),
            writeTextFile: async (params) => files.writeTextFile(await at(params)),
          },
        }
      : {}),
    ...(terminals
      ? {
          terminals: {
            create: async (params) => terminals.create(await at(params)),
            output: async (params) => terminals.output(await at(params)),
            waitForExit: async (params) => terminals.waitForExit(await at(params)),
            kill: async (params) => terminals.kill(await at(params)),
            release: async (params) => terminals.release(await at(params)),
          },
        }
      : {}),
  };
}

function scopedElicitation(
  port: OwnedElicitationPort,
  scope: Scope,
  at: AtKey,
): NonNullable<ClientHandlers['elicitation']> {
  const { connection } = scope;
  return {
    create: async (params, signal) => {
      const { sessionId, requestId } = params;
      // Where both are given the session counts (client-duties, section e, 27).
      if (typeof sessionId === 'string') {
        // By the same steps as the others, so that requests which waited for a session keep their order (SE-5).
        const owner = await at(params, signal);
        return port.create({ key: String(owner['sessionId']), connection }, params, signal);
      }
      const key = scope.frontKey();
      if (requestId === undefined || requestId === null || key === undefined)
        throw WireError.invalidParams('"sessionId" or "requestId" is missing.');
      return port.create({ key, connection }, params, signal);
    },
    complete: (elicitationId) => port.complete(connection, elicitationId),
  };
}
