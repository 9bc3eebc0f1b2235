import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type jsonSchemaValidator,
  type JsonSchemaValidator,
  type Tool,
  type Transport,
} from '@modelcontextprotocol/client';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { untilAborted } from '../abort';
import { ProgramTransport } from './programTransport';
import type { CallEnd, ListedTool, OpenOptions, ServerClient, ToolCallRequest } from './serverClient';
import type { RemoteServer } from './serverConfig';

/** ms that a server with progress may take for one call in all. */
const LONGEST_CALL_MS = 60 * 60_000;

/** ms that a remote server gets to end its session. */
const GOODBYE_MS = 1_000;

/** The revision of MCP that has no `initialize`. */
const WITHOUT_INITIALIZE = '2026-07-28';

const CLOSED: ReadonlySet<SdkErrorCode> = new Set([SdkErrorCode.ConnectionClosed, SdkErrorCode.NotConnected]);

/** Outputs are not held against their schemas: a result that deviates is still of use to the model. */
const anyOutput: jsonSchemaValidator = {
  getValidator: <T>() => takeAny as JsonSchemaValidator<T>,
};

const takeAny: JsonSchemaValidator<unknown> = (data) => ({ valid: true, data, errorMessage: undefined });

/**
 * Connects to an MCP server and lists its tools. This is the only importer of the client library; it is built into a file of its own that
 * is loaded with the first server of a session.
 */
export async function openClient(options: OpenOptions): Promise<ServerClient> {
  const limit = AbortSignal.timeout(options.timeLimitMs);
  const signal = AbortSignal.any([options.signal, limit]);
  try {
    return await open(options, signal).catch((error: unknown) => {
      // It answers, but does not know how older servers are greeted.
      if (!(error instanceof ProtocolError) || signal.aborted) throw error;
      return open(options, signal, WITHOUT_INITIALIZE).catch(() => {
        throw error;
      });
    });
  } catch (error) {
    if (limit.aborted) throw new Error(`it did not answer within ${options.timeLimitMs / 1000} s`);
    throw new Error(reasonOf(error, options));
  }
}

async function open(options: OpenOptions, signal: AbortSignal, revision?: string): Promise<ServerClient> {
  const { cwd, roots, timeLimitMs, version } = options;
  const { server, onPrinted } = options;
  const transport =
    server.type === 'stdio' ? new ProgramTransport(server, cwd, onPrinted) : remoteTransport(server);
  let isClosed = false;
  const client = new Client(
    { name: 'parley-builtin', title: 'Parley built-in', version },
    {
      capabilities: { roots: {} },
      jsonSchemaValidator: anyOutput,
      listChanged: {
        tools: {
          onChanged: (_error, tools) => {
            if (tools && !isClosed) options.onTools(tools.map(listed));
          },
        },
      },
      ...(revision === undefined ? {} : { versionNegotiation: { mode: { pin: revision } } }),
    },
  );
  client.setRequestHandler('roots/list', () => ({
    roots: [cwd, ...roots].map((folder) => ({
      uri: pathToFileURL(folder).href,
      name: basename(folder) || folder,
    })),
  }));
  const close = async (): Promise<void> => {
    isClosed = true;
    if (transport instanceof StreamableHTTPClientTransport) await sayGoodbye(transport);
    await client.close().catch(() => undefined);
    // The client keeps no transport that it could not connect.
    await transport.close().catch(() => undefined);
  };
  const request = { signal, timeout: timeLimitMs };
  try {
    await untilAborted(client.connect(transport as Transport, request), signal);
    const { tools } = await untilAborted(client.listTools(undefined, request), signal);
    client.onclose = () => {
      if (isClosed) return;
      options.onGone();
      void close();
    };
    return { tools: tools.map(listed), call: (call) => callTool(client, call), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function remoteTransport({ type, url, headers }: RemoteServer): Transport {
  const requestInit = { headers: { ...headers } };
  return type === 'sse'
    ? // eslint-disable-next-line @typescript-eslint/no-deprecated -- servers still speak it, and the protocol has it (MC-3)
      new SSEClientTransport(new URL(url), { requestInit })
    : new StreamableHTTPClientTransport(new URL(url), { requestInit });
}

async function sayGoodbye(transport: StreamableHTTPClientTransport): Promise<void> {
  const goodbye = transport.terminateSession().catch(() => undefined);
  await untilAborted(goodbye, AbortSignal.timeout(GOODBYE_MS)).catch(() => undefined);
}

function listed({ name, title, description, inputSchema }: Tool): ListedTool {
  return {
    name,
    inputSchema,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
  };
}

async function callTool(client: Client, request: ToolCallRequest): Promise<CallEnd> {
  const { tool, input, signal, timeLimitMs, onProgress } = request;
  try {
    const result = await client.callTool(
      { name: tool, arguments: { ...input } },
      {
        signal,
        timeout: timeLimitMs,
        resetTimeoutOnProgress: true,
        maxTotalTimeout: Math.max(LONGEST_CALL_MS, timeLimitMs),
        onprogress: ({ message, progress, total }) =>
          onProgress(message ?? (total === undefined ? String(progress) : `${progress} of ${total}`)),
      },
    );
    const { content, structuredContent, isError } = result;
    return { end: 'answered', content, structured: structuredContent, isError: isError === true };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProtocolError) return { end: 'refused', message: error.message };
    if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) return { end: 'late' };
    if (error instanceof SdkError && !isLost(error)) return { end: 'refused', message: error.message };
    return { end: 'gone', message: shortReason(error) };
  }
}

function reasonOf(error: unknown, { server }: OpenOptions): string {
  const code = systemCode(error);
  if (server.type === 'stdio') {
    if (code === 'ENOENT') return `its command was not found: ${server.command}`;
    if (code === 'EACCES' || code === 'EPERM') return `its command may not be run: ${server.command}`;
    if (isClosedError(error)) return 'its process ended before it was ready';
  }
  return shortReason(error);
}

function shortReason(error: unknown): string {
  const status = statusOf(error);
  if (error instanceof UnauthorizedError || status === 401)
    return 'it asks for a sign-in (HTTP 401), which takes a header with a token in its configuration';
  if (status !== undefined) return `it answered with HTTP status ${status}`;
  const code = systemCode(error);
  if (code !== undefined) return `it can't be reached (${code})`;
  if (isClosedError(error)) return 'the connection was closed';
  if (!(error instanceof Error)) return 'the connection failed';
  return /fetch failed/.test(error.message) ? "it can't be reached" : error.message;
}

/** The HTTP status that an error tells of: the form with a stream of events has it as its code. */
function statusOf(error: unknown): number | undefined {
  if (error instanceof SdkHttpError) return error.status;
  const { code } = error instanceof Error ? (error as { code?: unknown }) : {};
  return typeof code === 'number' && code >= 400 && code < 600 ? code : undefined;
}

function isClosedError(error: unknown): boolean {
  return error instanceof SdkError && CLOSED.has(error.code);
}

/** True where the next call needs another connection. */
function isLost(error: SdkError): boolean {
  return isClosedError(error) || error.code === SdkErrorCode.SendFailed || error instanceof SdkHttpError;
}

/** The system's code of an error, or of what caused it: `fetch` tells it there. */
function systemCode(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    const { code } = at as { code?: unknown };
    if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) return code;
  }
  return undefined;
}
