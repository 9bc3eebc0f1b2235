import {
  createMessageConnection,
  ResponseError,
  type CancellationToken,
  type Logger,
  type Message,
  type MessageConnection,
  type MessageReader,
  type MessageWriter,
} from 'vscode-jsonrpc/node';
import { ErrorCode } from '../core/acp';
import type { Disposable } from '../core/lifecycle';
import { toResponseError } from './wireErrors';

/** Answers one request; what it throws is answered as an error. `signal` aborts when the other side cancels the request. */
export type RequestHandler = (params: unknown, signal: AbortSignal) => unknown;

/** Takes one notification. Runs to its end before the next message is handled, so it must not wait (SU-7). */
export type NotificationHandler = (params: unknown) => void;

/** A message as it passed, for the traffic log. */
export type TraceHook = (direction: 'in' | 'out', message: Message) => void;

export interface ConnectionOptions {
  reader: MessageReader;
  writer: MessageWriter;
  requests: Record<string, RequestHandler>;
  notifications: Record<string, NotificationHandler>;
  /** Told once for each kind of notification that nobody handles (EX-5). */
  onUnknownNotification?: (method: string) => void;
  logger: Logger;
  trace?: TraceHook;
}

/** One side of an ACP connection: used by the client and by the built-in agent. */
export interface AcpConnection extends Disposable {
  request(method: string, params: object, token?: CancellationToken): Promise<unknown>;
  notify(method: string, params: object): void;
  /** Resolves when the other side closed the stream or `dispose` was called. */
  readonly closed: Promise<void>;
}

/**
 * Opens a connection. Messages are handled in the order of the wire; `maxParallelism` is not set, since it would let a response
 * overtake the updates before it. When the stream ends, all pending requests fail, which vscode-jsonrpc does only on dispose.
 */
export function createAcpConnection(options: ConnectionOptions): AcpConnection {
  const reader = options.trace ? traced(options.reader, options.trace) : options.reader;
  const connection = createMessageConnection(reader, options.writer, options.logger);
  const closed = new Promise<void>((resolve) => {
    connection.onClose(() => {
      connection.dispose();
      resolve();
    });
    connection.onDispose(() => resolve());
  });
  connection.onError(([error]) => options.logger.error(error.message));
  register(connection, options);
  connection.listen();
  return {
    closed,
    request: (method, params, token) => {
      options.trace?.('out', { jsonrpc: '2.0', method, params } as unknown as Message);
      return connection.sendRequest(method, params, ...(token ? [token] : []));
    },
    notify: (method, params) => {
      options.trace?.('out', { jsonrpc: '2.0', method, params } as unknown as Message);
      // A closed connection is told by `closed`; a notification has nobody to tell. Sending on it throws at once.
      const send = async (): Promise<void> => connection.sendNotification(method, params);
      send().catch((error: unknown) => options.logger.warn(String(error)));
    },
    dispose: () => connection.dispose(),
  };
}

function register(connection: MessageConnection, options: ConnectionOptions): void {
  for (const [method, handle] of Object.entries(options.requests)) {
    connection.onRequest(method, async (params: unknown, token: CancellationToken) => {
      const signal = toSignal(token);
      try {
        return (await handle(params, signal)) ?? {};
      } catch (error) {
        throw toResponseError(error, signal.aborted, options.logger);
      }
    });
  }
  connection.onRequest((method: string) => {
    throw new ResponseError(ErrorCode.methodNotFound, `Method not found: ${method}`, { method });
  });
  for (const [method, handle] of Object.entries(options.notifications))
    connection.onNotification(method, handle);
  const unknown = new Set<string>();
  connection.onNotification((method: string) => {
    if (unknown.has(method)) return;
    unknown.add(method);
    options.onUnknownNotification?.(method);
  });
}

/** A token that is cancelled from the start tells no listener, so its state is looked at as well. */
function toSignal(token: CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  else token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}

function traced(reader: MessageReader, trace: TraceHook): MessageReader {
  return {
    onError: reader.onError,
    onClose: reader.onClose,
    onPartialMessage: reader.onPartialMessage,
    listen: (callback) =>
      reader.listen((message) => {
        trace('in', message);
        callback(message);
      }),
    dispose: () => reader.dispose(),
  };
}
