import type { JsonObject } from '../../core/json';
import type { McpServerConfig } from './serverConfig';

/** A tool as a server lists it. */
export interface ListedTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema: JsonObject;
}

/** One call of a tool. */
export interface ToolCallRequest {
  tool: string;
  input: JsonObject;
  signal: AbortSignal;
  /** ms without an answer or a word of progress. */
  timeLimitMs: number;
  onProgress: (message: string) => void;
}

/**
 * How a call of a tool ended. Plain data: the client comes in a file of its own, whose classes of errors are not those of the agent.
 *
 * - `answered`: by the tool, which may tell of an error of its own.
 * - `refused`: the server answered with an error of the protocol.
 * - `late`: no answer within the time limit.
 * - `gone`: the connection was lost.
 */
export type CallEnd =
  | { end: 'answered'; content: readonly unknown[]; structured?: unknown; isError: boolean }
  | { end: 'refused'; message: string }
  | { end: 'late' }
  | { end: 'gone'; message: string };

/** A connection to an MCP server. */
export interface ServerClient {
  /** The tools as they were listed at the start. */
  readonly tools: readonly ListedTool[];
  /** Never rejects but for an abort. */
  call(request: ToolCallRequest): Promise<CallEnd>;
  /** Resolves when the server's process is gone too. */
  close(): Promise<void>;
}

export interface OpenOptions {
  server: McpServerConfig;
  /** Where a program is started. */
  cwd: string;
  /** The folders of the session, which a server may ask for. */
  roots: readonly string[];
  version: string;
  signal: AbortSignal;
  /** ms for connecting and listing the tools. */
  timeLimitMs: number;
  /** What the program prints on its standard error. */
  onPrinted: (text: string) => void;
  /** The server has other tools now. */
  onTools: (tools: readonly ListedTool[]) => void;
  /** The connection was lost, not closed here. */
  onGone: () => void;
}

/** Connects to a server; rejects with a reason that completes "The MCP server can't be used: …". */
export type OpenClient = (options: OpenOptions) => Promise<ServerClient>;
