import { ResponseError, type Logger } from 'vscode-jsonrpc/node';
import { ErrorCode } from '../core/acp';
import { WireError } from '../core/errors';

/** A request that can't be answered since the connection ended, before it was made or while it was open. */
export class ConnectionClosed extends Error {
  constructor(method: string) {
    super(`The connection to the agent is closed (${method}).`);
    this.name = 'ConnectionClosed';
  }
}

/** Names of the errors by which work of our own is called off: by an AbortSignal, and VS Code's CancellationError. */
const CANCEL_NAMES: ReadonlySet<string> = new Set(['AbortError', 'Canceled']);

/**
 * The answer for an error of a handler: a `WireError` keeps its code and data, a request that was cancelled by the other side or by
 * us gets -32800 (CA-8, CA-10), anything else is logged and answered with a neutral sentence, so that no path or secret of ours leaves.
 */
export function toResponseError(error: unknown, cancelled: boolean, logger: Logger): ResponseError<unknown> {
  if (error instanceof WireError) return new ResponseError(error.code, error.message, error.data);
  if (error instanceof ResponseError) return error;
  if (cancelled || (error instanceof Error && CANCEL_NAMES.has(error.name)))
    return new ResponseError(ErrorCode.cancelled, 'The request was cancelled.');
  logger.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return new ResponseError(ErrorCode.internal, 'The request failed; the log has the details.');
}

/** The code of a JSON-RPC error answer; undefined for any other error. */
export function errorCode(error: unknown): number | undefined {
  return error instanceof ResponseError ? error.code : undefined;
}

/** Codes that vscode-jsonrpc gives to requests that it could not write, or that were open when it was disposed of. */
const LOCAL_CODES: ReadonlySet<number> = new Set([-32097, -32099]);

/** True for an error that vscode-jsonrpc makes itself where there is no answer; an agent could use the same codes. */
export function isLocalFailure(error: unknown): boolean {
  const code = errorCode(error);
  return code === undefined || LOCAL_CODES.has(code);
}

/** True for the failure of a request because the connection ended. */
export function isConnectionClosed(error: unknown): boolean {
  return error instanceof ConnectionClosed;
}
