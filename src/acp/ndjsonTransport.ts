import type { Readable, Writable } from 'node:stream';
import {
  AbstractMessageReader,
  AbstractMessageWriter,
  type DataCallback,
  type Disposable,
  type Message,
  type MessageReader,
  type MessageWriter,
} from 'vscode-jsonrpc/node';
import { isObject } from '../core/json';
import { toDisposable } from '../core/lifecycle';
import { LineSplitter, type SplitLine } from '../core/ndjson';

/** Longest line that is parsed, in bytes; a longer one is dropped and logged, the connection lives (architecture, section 7). */
export const MAX_LINE_BYTES = 256 * 1024 * 1024;

/** What the reader leaves out, for the log. */
export interface ReaderLog {
  /** A line that is not a JSON-RPC message: a banner, a warning, a batch (TR-5, TR-12). */
  skippedLine(line: string): void;
}

/**
 * Reads newline-delimited JSON-RPC from a stream (TR-2, TR-3). Lines that are not messages are logged and skipped.
 *
 * ACP's `$/cancel_request {requestId}` is vscode-jsonrpc's `$/cancelRequest {id}`: reader and writer translate between the two,
 * so that cancellation tokens work in both directions (CA-7).
 */
export class NdjsonMessageReader extends AbstractMessageReader implements MessageReader {
  private readonly splitter = new LineSplitter(MAX_LINE_BYTES);
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  constructor(
    private readonly stream: Readable,
    private readonly log: ReaderLog,
  ) {
    super();
  }

  listen(callback: DataCallback): Disposable {
    const onData = (chunk: Buffer): void =>
      this.splitter.push(chunk).forEach((found) => this.read(found, callback));
    const onEnd = (): void => {
      this.splitter.end().forEach((found) => this.read(found, callback));
      this.fireClose();
    };
    const onError = (error: Error): void => this.fireError(error);
    this.stream.on('data', onData).on('end', onEnd).on('error', onError);
    return toDisposable(() => this.stream.off('data', onData).off('end', onEnd).off('error', onError));
  }

  private read(found: SplitLine, callback: DataCallback): void {
    if ('droppedBytes' in found) {
      this.log.skippedLine(`(a line of ${found.droppedBytes} bytes, which is over the limit)`);
      return;
    }
    const line = this.decoder.decode(found.line).replace(/^\uFEFF/, '');
    if (line.trim() === '') return;
    const message = parseMessage(line);
    if (message) callback(message);
    else this.log.skippedLine(line);
  }
}

function parseMessage(line: string): Message | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined; // Not JSON: the caller logs the line.
  }
  if (!isObject(value) || !('method' in value || 'result' in value || 'error' in value)) return undefined;
  return fromWire(value) as unknown as Message;
}

function fromWire(message: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (message['method'] !== '$/cancel_request' || !isObject(message['params'])) return message;
  return { ...message, method: '$/cancelRequest', params: { id: message['params']['requestId'] } };
}

function toWire(message: Message): unknown {
  const { method, params } = message as { method?: unknown; params?: { id?: unknown } };
  if (method !== '$/cancelRequest') return message;
  return { ...message, method: '$/cancel_request', params: { requestId: params?.id } };
}

/** Writes newline-delimited JSON-RPC to a stream. A stream that closed swallows what comes after, as its reader tells the end. */
export class NdjsonMessageWriter extends AbstractMessageWriter implements MessageWriter {
  constructor(private readonly stream: Writable) {
    super();
    stream.on('error', (error: Error) => this.fireError(error));
    stream.on('close', () => this.fireClose());
  }

  write(message: Message): Promise<void> {
    if (this.stream.destroyed || this.stream.writableEnded) return Promise.resolve();
    return new Promise((resolve) => {
      // An error is told by the stream's event; the promise only says that the bytes are out of our hands.
      this.stream.write(`${JSON.stringify(toWire(message))}\n`, () => resolve());
    });
  }

  end(): void {
    this.stream.end();
  }
}
