import { firstOf } from '../cutText';
import { visibleText } from '../../core/visibleText';
import { cutMiddle } from '../../core/session/limits';
import { untilAborted } from '../abort';
import { ToolFailure } from '../tools/tool';
import type { CallEnd, ListedTool, OpenClient, ServerClient, ToolCallRequest } from './serverClient';
import { secretsOf, type McpServerConfig } from './serverConfig';

/** Most UTF-16 units of one line, and of all that a connection's program prints, that come into the log. */
const MAX_LINE = 500;
const MAX_PRINTED = 64 * 1024;

/** Longest name of a server that is shown. */
const MAX_SERVER_NAME = 60;

export interface LinkOptions {
  open: OpenClient;
  cwd: string;
  roots: readonly string[];
  version: string;
  /** ms for one attempt to connect. */
  connectLimitMs: number;
  log: (line: string) => void;
  onTools: (tools: readonly ListedTool[]) => void;
}

/** One MCP server of a session: connected at the start, and again with the next call after the connection was lost. */
export class ServerLink {
  /** As it is shown. */
  readonly name: string;
  private readonly secrets: readonly string[];
  private client: ServerClient | undefined;
  private connecting: Promise<ServerClient> | undefined;
  private readonly end = new AbortController();
  private readonly output = new PrintedLines((line) => this.logLine(line));
  private printed = 0;
  private lastLine = '';

  constructor(
    private readonly server: McpServerConfig,
    private readonly options: LinkOptions,
  ) {
    this.name = shortName(server.name, MAX_SERVER_NAME);
    this.secrets = secretsOf(server);
  }

  /** Connects and gives the tools to `onTools`. Throws an error whose message is a sentence without secrets. */
  async connect(): Promise<void> {
    this.connecting ??= this.openClient().finally(() => (this.connecting = undefined));
    await this.connecting;
  }

  /** Calls a tool; a lost connection is made again first, once. Throws a ToolFailure where that fails. */
  async call(request: ToolCallRequest): Promise<CallEnd> {
    try {
      if (!this.client) await untilAborted(this.connect(), request.signal);
    } catch (error) {
      request.signal.throwIfAborted();
      throw new ToolFailure(error instanceof Error ? error.message : `${this.title} is not available.`);
    }
    if (!this.client) throw new ToolFailure(`${this.title} is not available.`);
    const { client } = this;
    const end = await client.call(request);
    if (end.end === 'gone') this.lose(client);
    return 'message' in end ? { ...end, message: this.withoutSecrets(end.message) } : end;
  }

  /** Resolves when the server's process is gone, after some seconds at most. */
  async dispose(): Promise<void> {
    this.end.abort();
    const { client, connecting } = this;
    this.client = undefined;
    await client?.close();
    await connecting?.catch(() => undefined);
  }

  get title(): string {
    return `The MCP server "${this.name}"`;
  }

  /** A text for the log or a person, in which no value of the server's environment or headers is left. */
  withoutSecrets(text: string): string {
    return this.secrets.reduce((safe, secret) => safe.replaceAll(secret, '•••'), text);
  }

  private async openClient(): Promise<ServerClient> {
    const { open, cwd, roots, version, connectLimitMs, onTools, log } = this.options;
    this.lastLine = '';
    this.printed = 0;
    const { signal } = this.end;
    let opened: ServerClient | undefined;
    try {
      signal.throwIfAborted();
      opened = await open({
        server: this.server,
        cwd,
        roots,
        version,
        signal,
        timeLimitMs: connectLimitMs,
        onPrinted: (text) => this.output.add(text),
        onTools,
        onGone: () => opened && this.lose(opened),
      });
    } catch (error) {
      this.output.end();
      const reason = error instanceof Error ? error.message : 'it failed';
      const said = this.lastLine === '' ? '' : ` (its last words: ${this.lastLine})`;
      const sentence = `${this.title} can't be used: ${shortName(this.withoutSecrets(reason), 300)}${said}.`;
      if (!signal.aborted) log(sentence);
      throw new Error(sentence);
    }
    if (signal.aborted) {
      await opened.close();
      throw new Error(`${this.title} is not used any more.`);
    }
    this.client = opened;
    onTools(opened.tools);
    return opened;
  }

  private lose(client: ServerClient): void {
    if (this.client !== client) return;
    this.client = undefined;
    this.output.end();
    this.options.log(`${this.title} has ended or can't be reached any more.`);
    void client.close();
  }

  private logLine(line: string): void {
    const safe = visibleText(this.withoutSecrets(line));
    this.lastLine = cutMiddle(safe, 200);
    if (this.printed > MAX_PRINTED) return;
    this.printed += safe.length;
    this.options.log(`[${this.name}] ${cutMiddle(safe, MAX_LINE)}`);
    if (this.printed > MAX_PRINTED)
      this.options.log(`[${this.name}] What it prints from now on is left out.`);
  }
}

/** Whole lines of what is printed in pieces: in half a line a secret would not be found. */
class PrintedLines {
  private rest = '';

  constructor(private readonly onLine: (line: string) => void) {}

  add(text: string): void {
    const lines = (this.rest + text).split(/\r?\n/);
    this.rest = lines.pop() ?? '';
    lines.forEach((line) => this.tell(line));
    if (this.rest.length > MAX_PRINTED) this.end();
  }

  /** Takes what came without the end of a line. */
  end(): void {
    this.tell(this.rest);
    this.rest = '';
  }

  private tell(line: string): void {
    if (line.trim() !== '') this.onLine(line);
  }
}

/** A name of a server or tool for one line. */
export function shortName(name: string, max: number): string {
  const line = visibleText(name).replace(/\s+/g, ' ').trim();
  return line.length > max ? `${firstOf(line, max - 1)}…` : line;
}
