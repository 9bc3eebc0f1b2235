import { PassThrough } from 'node:stream';
import { NdjsonMessageReader, NdjsonMessageWriter } from '../../src/acp/ndjsonTransport';
import { createAcpConnection, type AcpConnection, type ConnectionOptions } from '../../src/acp/connection';

export const silent = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  log: () => undefined,
};

/** A connection under test, with the raw lines of its other end. */
export class WirePair {
  readonly input = new PassThrough();
  readonly output = new PassThrough();
  readonly skipped: string[] = [];
  readonly connection: AcpConnection;
  private readonly lines: unknown[] = [];
  private wake: () => void = () => undefined;

  constructor(options: Partial<ConnectionOptions> = {}) {
    let rest = '';
    this.output.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      this.lines.push(...parts.map((line): unknown => JSON.parse(line)));
      this.wake();
    });
    this.connection = createAcpConnection({
      reader: new NdjsonMessageReader(this.input, { skippedLine: (line) => this.skipped.push(line) }),
      writer: new NdjsonMessageWriter(this.output),
      requests: {},
      notifications: {},
      logger: silent,
      ...options,
    });
  }

  /** Writes a message, or a raw line, to the connection. */
  send(...messages: unknown[]): void {
    this.input.write(
      messages.map((item) => `${typeof item === 'string' ? item : JSON.stringify(item)}\n`).join(''),
    );
  }

  /** The next message that the connection wrote. */
  async next(): Promise<Record<string, unknown>> {
    while (this.lines.length === 0) await new Promise<void>((resolve) => (this.wake = resolve));
    return this.lines.shift() as Record<string, unknown>;
  }
}
