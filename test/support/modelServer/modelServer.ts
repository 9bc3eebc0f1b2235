import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { asObject, type JsonObject } from '../../../src/core/json';
import { anthropic } from './anthropic';
import { google } from './google';
import { openai } from './openai';
import type { ScriptedAnswer, StreamEvent, WireFormat } from './script';

/** What was asked of the server. */
export interface RecordedRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: JsonObject;
}

/** Each wire format by the provider that speaks it, and how its requests are known. */
const FORMATS = {
  'openai-compatible': { format: openai, path: /\/chat\/completions$/, base: '/v1' },
  anthropic: { format: anthropic, path: /\/messages$/, base: '/v1' },
  google: { format: google, path: /:streamGenerateContent\?alt=sse$/, base: '/v1beta' },
} as const satisfies Record<string, { format: WireFormat; path: RegExp; base: string }>;

/** A provider whose wire format the server speaks. */
export type ScriptedProvider = keyof typeof FORMATS;

/**
 * A server of language models on this machine that answers as a script says: each request takes the next answer of the script. A
 * request when the script is at its end is answered 500, which no test expects.
 */
export class ModelServer {
  readonly requests: RecordedRequest[] = [];
  /** Requests whose client went away before the answer ended. */
  aborted = 0;
  private readonly server = createServer((request, response) => void this.serve(request, response));
  private readonly script: ScriptedAnswer[] = [];
  private readonly watchers = new Set<() => void>();

  static async start(): Promise<ModelServer> {
    const one = new ModelServer();
    await new Promise<void>((resolve) => one.server.listen(0, '127.0.0.1', resolve));
    return one;
  }

  /** The base URL for a provider. */
  endpoint(provider: ScriptedProvider): string {
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}${FORMATS[provider].base}`;
  }

  /** Adds answers to the script. */
  answer(...answers: readonly ScriptedAnswer[]): void {
    this.script.push(...answers);
  }

  /** Forgets what was asked, and what is left of the script. */
  reset(): void {
    this.requests.length = 0;
    this.script.length = 0;
    this.aborted = 0;
  }

  /** Waits until a condition holds, which is looked at with each request and each connection that ends. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.watchers.add(resolve));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private wake(): void {
    for (const watcher of this.watchers) watcher();
    this.watchers.clear();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    const found = Object.values(FORMATS).find((one) => one.path.test(path));
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
    const body = asObject(JSON.parse(text));
    this.requests.push({ path, headers: request.headers, body });
    response.on('close', () => {
      if (!response.writableFinished) this.aborted++;
      this.wake();
    });
    this.wake();
    const answer = this.script.shift();
    if (!found) {
      send(response, { status: 404, body: { error: { message: 'No such path' } } }, openai);
      return;
    }
    if (!answer) {
      send(response, { status: 400, body: 'The script has no more answers' }, found.format);
      return;
    }
    if (answer.until?.point === 'start') await answer.until.done;
    if (answer.http) send(response, answer.http, found.format);
    else await stream(response, answer, found.format);
  }
}

function send(
  response: ServerResponse,
  { status, headers, body = `Status ${status}` }: NonNullable<ScriptedAnswer['http']>,
  format: WireFormat,
): void {
  const isText = typeof body === 'string';
  const content = isText ? format.errorBody(status, body) : body;
  const type = headers?.['content-type'] ?? 'application/json';
  response.writeHead(status, { ...headers, 'content-type': type });
  response.end(isText && type !== 'application/json' ? body : JSON.stringify(content));
}

async function stream(response: ServerResponse, answer: ScriptedAnswer, format: WireFormat): Promise<void> {
  const { text, rest, end } = format.events(answer, 'scripted');
  const { trouble, until } = answer;
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.flushHeaders();
  await write(response, text);
  if (until?.point === 'afterText') await until.done;
  await write(response, rest);
  if (trouble === 'hang') return;
  if (trouble === 'cut') {
    response.destroy();
    return;
  }
  if (trouble === 'malformed') response.write('data: {"this is no JSON\n\n');
  if (trouble === 'overloaded') await write(response, [format.overloaded]);
  if (trouble === undefined) await write(response, end);
  response.end();
}

/** Each event goes out by itself, in two parts, so that readers see them cut anywhere. */
async function write(response: ServerResponse, events: readonly StreamEvent[]): Promise<void> {
  for (const { event, data } of events) {
    const name = event === undefined ? '' : `event: ${event}\n`;
    const line = `${name}data: ${data === '[DONE]' ? data : JSON.stringify(data)}\n\n`;
    const half = Math.floor(line.length / 2);
    for (const part of [line.slice(0, half), line.slice(half)]) {
      response.write(part);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
