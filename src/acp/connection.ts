import {
  createMessageConnection,
  ResponseError,
  type CancellationToken,
  type DataCallback,
  type Logger,
  type Message,
  type MessageConnection,
  type MessageReader,
  type MessageWriter,
} from 'vscode-jsonrpc/node';
import { ErrorCode } from '../core/acp';
import { asObject, type JsonObject } from '../core/json';
import type { Disposable } from '../core/lifecycle';
import { toResponseError } from './responseErrors';
import { ConnectionClosed, isLocalFailure } from './wireErrors';
import { WireGate } from './wireGate';

/** ms that a handler has to end by itself, with a partial answer, after its request was cancelled (CA-8). */
const CANCEL_GRACE = 500;

/** Answers one request; what it throws is answered as an error. `signal` aborts when the request is cancelled or the connection ends. */
export type RequestHandler = (params: unknown, signal: AbortSignal) => unknown;

/** Takes one notification. Runs to its end before the next message is handled, so it must not wait (SU-7). */
export type NotificationHandler = (params: unknown) => void;

/** Every message as it stood on the wire, in its order. */
export type TraceHook = (direction: 'in' | 'out', message: Message) => void;

/** A reader that can be told that its messages wait: so a fast agent waits in its pipe and not in our memory. */
export interface PausableReader extends MessageReader {
  pause?(): void;
  resume?(): void;
}

export interface ConnectionOptions {
  reader: PausableReader;
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
  /** Rejects with `ConnectionClosed` if the connection is or becomes closed, with a `ResponseError` if that was the answer. */
  request(method: string, params: object, token?: CancellationToken): Promise<unknown>;
  notify(method: string, params: object): void;
  /** May be set and taken away while the connection is open. */
  trace: TraceHook | undefined;
  /** Resolves when the other side closed the stream, and all that it sent before was handled, or when `dispose` was called. */
  readonly closed: Promise<void>;
}

/**
 * Opens a connection. Messages are handled in the order of the wire; `maxParallelism` is not set, since it would let a response
 * overtake the updates before it. When the stream ends, what had arrived is handled first; then all pending requests fail, which
 * vscode-jsonrpc does only on dispose, where it forgets its queue as well.
 */
export function createAcpConnection(options: ConnectionOptions): AcpConnection {
  return new Connection(options);
}

class Connection implements AcpConnection {
  private readonly inner: MessageConnection;
  private readonly gate: WireGate;
  /** Aborts when the connection ended, for handlers that still work. */
  private readonly end = new AbortController();
  /** Messages that vscode-jsonrpc was given and has not yet handed over. */
  private waiting = 0;
  private inputEnded = false;
  private writeFailed = false;
  trace: TraceHook | undefined;
  readonly closed: Promise<void>;

  constructor(private readonly options: ConnectionOptions) {
    const { logger } = options;
    this.trace = options.trace;
    this.gate = new WireGate(logger);
    this.inner = createMessageConnection(this.gatedReader(), this.gatedWriter(), logger, {
      messageStrategy: { handleMessage: (message, next) => this.handle(message, next) },
    });
    this.closed = new Promise((resolve) => this.inner.onDispose(() => resolve()));
    this.inner.onClose(() => {
      this.inputEnded = true;
      this.disposeWhenHandled();
    });
    this.inner.onError(([error]) => logger.error(error.message));
    this.register();
    this.inner.listen();
  }

  async request(method: string, params: object, token?: CancellationToken): Promise<unknown> {
    if (this.inputEnded || this.end.signal.aborted) throw new ConnectionClosed(method);
    try {
      return await this.inner.sendRequest(method, params, ...(token ? [token] : []));
    } catch (error) {
      const local = this.writeFailed || this.end.signal.aborted;
      throw local && isLocalFailure(error) ? new ConnectionClosed(method) : error;
    }
  }

  notify(method: string, params: object): void {
    // A closed connection is told by `closed`; a notification has nobody to tell. Sending on it throws at once.
    const send = async (): Promise<void> => this.inner.sendNotification(method, params);
    send().catch((error: unknown) => this.options.logger.warn(String(error)));
  }

  dispose(): void {
    this.end.abort();
    this.inner.dispose();
    this.options.reader.resume?.();
  }

  /** vscode-jsonrpc hands over each message by its turn; handlers of notifications run to their ends in `next`. */
  private handle(message: Message, next: (message: Message) => unknown): void {
    // It gives a promise although its type does not say so.
    const handled = Promise.resolve(next(message));
    handled.catch((error: unknown) => this.options.logger.error(String(error)));
    if (isCancel(message)) return;
    // In a later task: what waits for this message, by promises, goes on before the next one is read.
    if (--this.waiting === 0) setImmediate(() => this.waiting === 0 && this.options.reader.resume?.());
    this.disposeWhenHandled();
  }

  /**
   * Handles a notification in place where nothing waits before it, which keeps the order of the wire (SU-7). vscode-jsonrpc gives each
   * message a turn of the event loop, and an agent that replays a long conversation writes far faster than that.
   */
  private takeAtOnce({ id, method, params }: JsonObject): boolean {
    const { notifications, logger } = this.options;
    if (this.waiting > 0 || id !== undefined || typeof method !== 'string') return false;
    if (!Object.hasOwn(notifications, method)) return false;
    try {
      notifications[method]?.(params);
    } catch (error) {
      logger.error(`The notification ${method} could not be handled: ${String(error)}`);
    }
    return true;
  }

  private enqueue(message: Message, callback: DataCallback): void {
    // A cancel is carried out at once or stands for itself: it is not always handed over.
    if (!isCancel(message)) {
      this.waiting++;
      this.options.reader.pause?.();
    }
    callback(message);
  }

  private disposeWhenHandled(): void {
    // In a later task: an answer that came last settles its request before the others fail.
    if (this.inputEnded && this.waiting === 0) setImmediate(() => this.dispose());
  }

  private gatedReader(): MessageReader {
    const { reader } = this.options;
    return {
      onError: reader.onError,
      onClose: reader.onClose,
      onPartialMessage: reader.onPartialMessage,
      listen: (callback) =>
        reader.listen((message) => {
          // It may have been disposed of by a message before, in the same piece.
          if (this.end.signal.aborted) return;
          this.trace?.('in', message);
          const taken = this.gate.fromWire(asObject(message));
          if (taken && !this.takeAtOnce(taken)) this.enqueue(taken as unknown as Message, callback);
        }),
      dispose: () => reader.dispose(),
    };
  }

  private gatedWriter(): MessageWriter {
    const { writer } = this.options;
    return {
      onError: writer.onError,
      onClose: writer.onClose,
      write: async (message) => {
        const line = this.gate.toWire(message) as Message | undefined;
        // An answer that is late for a connection that ended.
        if (!line || this.end.signal.aborted) return;
        this.trace?.('out', line);
        try {
          await writer.write(line);
        } catch (error) {
          this.writeFailed = true;
          throw error;
        }
      },
      end: () => writer.end(),
      dispose: () => writer.dispose(),
    };
  }

  /** Only the general handlers get the parameters as they are; a named one takes an array, or none at all, apart. */
  private register(): void {
    const { notifications, onUnknownNotification } = this.options;
    this.inner.onRequest((method, params, token) => this.serve(method, params, token));
    const unknown = new Set<string>();
    this.inner.onNotification((method, params) => {
      if (Object.hasOwn(notifications, method)) return notifications[method]?.(params);
      if (unknown.has(method)) return;
      unknown.add(method);
      onUnknownNotification?.(method);
    });
  }

  private async serve(method: string, params: unknown, token: CancellationToken): Promise<unknown> {
    const { requests, logger } = this.options;
    const handle = Object.hasOwn(requests, method) ? requests[method] : undefined;
    if (!handle) throw new ResponseError(ErrorCode.methodNotFound, `Method not found: ${method}`, { method });
    const cancelled = toSignal(token);
    try {
      // In a function that is async, so that it throws into its promise.
      const work = async (): Promise<unknown> =>
        await handle(params, AbortSignal.any([cancelled, this.end.signal]));
      return (await Promise.race([work(), overdue(cancelled)])) ?? {};
    } catch (error) {
      throw toResponseError(error, cancelled.aborted, logger);
    }
  }
}

const isCancel = (message: Message): boolean =>
  (message as { method?: unknown }).method === '$/cancelRequest';

/** Rejects some time after a cancel: the other side gets its answer also where a handler does not listen to the signal. */
function overdue(cancelled: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const arm = (): void => void setTimeout(() => reject(new Error('cancelled')), CANCEL_GRACE).unref();
    if (cancelled.aborted) arm();
    else cancelled.addEventListener('abort', arm, { once: true });
  });
}

/** A token that is cancelled from the start tells no listener, so its state is looked at as well. */
function toSignal(token: CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  else token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}
