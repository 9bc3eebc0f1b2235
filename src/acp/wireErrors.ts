import { ResponseError, type Logger } from 'vscode-jsonrpc/node';
import { ErrorCode } from '../core/acp';
import { WireError } from '../core/errors';

/**
 * The answer for an error of a handler: a `WireError` keeps its code and data, a cancelled request gets -32800 (CA-8), anything else
 * is logged and answered with a neutral sentence, so that no path or secret of ours leaves.
 */
export function toResponseError(error: unknown, cancelled: boolean, logger: Logger): ResponseError<unknown> {
  if (error instanceof WireError) return new ResponseError(error.code, error.message, error.data);
  if (error instanceof ResponseError) return error;
  if (cancelled) return new ResponseError(ErrorCode.cancelled, 'The request was cancelled.');
  logger.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return new ResponseError(ErrorCode.internal, 'The request failed; the log has the details.');
}

/** The code of a JSON-RPC error answer; undefined for any other error. */
export function errorCode(error: unknown): number | undefined {
  return error instanceof ResponseError ? error.code : undefined;
}

/** Codes that vscode-jsonrpc gives to requests that were open when the connection closed; none of them came off the wire. */
const CONNECTION_CODES: ReadonlySet<number> = new Set([-32096, -32097, -32099]);

/** True for the failure of a request because the connection ended. */
export function isConnectionClosed(error: unknown): boolean {
  const code = errorCode(error) ?? (error as { code?: unknown } | null)?.code;
  return typeof code === 'number' && CONNECTION_CODES.has(code);
}
