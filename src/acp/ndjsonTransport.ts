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
import { toDisposable } from '../core/lifecycle';
import { LineSplitter, type SplitLine } from '../core/ndjson';
import { parseMessageLine } from './messageLine';

/** Longest line that is parsed, in bytes; a longer one is dropped and logged, the connection lives (architecture, section 7). */
export const MAX_LINE_BYTES = 256 * 1024 * 1024;
/** UTF-16 units of a skipped line that are logged. */
const MAX_LOGGED = 4_000;
/** Bytes that wait for the other side to read them: from the first on it is logged, at the second the stream is given up. */
const BACKLOG_LOGGED = 8 * 1024 * 1024;
const BACKLOG_LIMIT = 512 * 1024 * 1024;

/** What the reader leaves out, for the log. */
export interface ReaderLog {
  /** A line that is not a JSON-RPC message: a banner, a warning, a batch (TR-5, TR-12). Long ones are cut. */
  skippedLine(line: string): void;
}

/** Reads newline-delimited JSON-RPC from a stream (TR-2, TR-3). Lines that are not messages are logged and skipped. */
export class NdjsonMessageReader extends AbstractMessageReader implements MessageReader {
  private readonly splitter: LineSplitter;
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  private finish: () => void = () => undefined;

  /** @param maxBytes longest line that is parsed. */
  constructor(
    private readonly stream: Readable,
    private readonly log: ReaderLog,
    maxBytes = MAX_LINE_BYTES,
  ) {
    super();
    this.splitter = new LineSplitter(maxBytes);
  }

  listen(callback: DataCallback): Disposable {
    const onData = (chunk: Buffer): void => {
      for (const found of this.splitter.push(chunk)) this.read(found, callback);
    };
    this.finish = () => {
      stop.dispose();
      for (const found of this.splitter.end()) this.read(found, callback);
      this.fireClose();
    };
    const onEnd = (): void => this.finish();
    const onError = (error: Error): void => this.fireError(error);
    const stop = toDisposable(() => {
      this.finish = () => undefined;
      this.stream.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onError);
      // Read on without a reader: a full pipe would block the other side.
      this.stream.on('error', () => undefined).resume();
    });
    this.stream.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onError);
    return stop;
  }

  /** Stops reading for a while. */
  pause(): void {
    this.stream.pause();
  }

  resume(): void {
    this.stream.resume();
  }

  /** Takes what was read so far for all: a process that ended may have left its pipe to another one. */
  end(): void {
    this.finish();
  }

  private read(found: SplitLine, callback: DataCallback): void {
    if ('droppedBytes' in found) {
      this.log.skippedLine(`(a line of ${found.droppedBytes} bytes, which is over the limit)`);
      return;
    }
    const line = this.decoder.decode(found.line);
    const message = parseMessageLine(line);
    if (message) callback(message);
    else if (line.trim() !== '') this.log.skippedLine(shorten(line));
  }
}

function shorten(line: string): string {
  if (line.length <= MAX_LOGGED) return line;
  return `${line.slice(0, MAX_LOGGED)}… (${line.length - MAX_LOGGED} more)`;
}

/** What the writer notices, for the log. */
export interface WriterLog {
  /** The other side does not read: so many bytes wait. Told once until all of them are out. */
  backlog(bytes: number): void;
}

/**
 * Writes newline-delimited JSON-RPC to a stream. `write` resolves when the bytes are out of our hands and rejects if the stream is
 * closed. That the stream closed does not end the connection: the last words of the other side may still wait to be read.
 */
export class NdjsonMessageWriter extends AbstractMessageWriter implements MessageWriter {
  private stalled = false;

  constructor(
    private readonly stream: Writable,
    private readonly log: WriterLog = { backlog: () => undefined },
  ) {
    super();
    stream.on('error', (error: Error) => this.fireError(error));
    stream.on('drain', () => (this.stalled = false));
  }

  write(message: Message): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!this.stream.writable) {
        reject(new Error('The other side does not read any more.'));
        return;
      }
      this.stream.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
      this.watchBacklog();
    });
  }

  private watchBacklog(): void {
    const bytes = this.stream.writableLength;
    if (bytes > BACKLOG_LOGGED && !this.stalled) {
      this.stalled = true;
      this.log.backlog(bytes);
    }
    if (bytes > BACKLOG_LIMIT) this.stream.destroy(new Error(`${bytes} bytes were not read`));
  }

  end(): void {
    this.stream.end();
  }
}
