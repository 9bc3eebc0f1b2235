import { ResponseError, type Logger } from 'vscode-jsonrpc/node';
import { ErrorCode } from '../core/acp';
import { WireError } from '../core/errors';

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
