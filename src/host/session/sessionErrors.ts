import { errorCode, isConnectionClosed } from '../../acp/wireErrors';
import { ErrorCode } from '../../core/acp';
import { asObject } from '../../core/json';
import { AgentError, errorSentence, toErrorView, type AgentFailure } from '../../core/errors';

/** An error that says no more than that our cancel worked, or that the agent was ended to make it stop (CA-6). */
export function isAbort(error: unknown): boolean {
  if (error instanceof Error && isConnectionClosed(error.cause)) return true;
  if (isConnectionClosed(error)) return true;
  const { message, detail, code } = toErrorView(error);
  return code === ErrorCode.cancelled || /abort|cancel/i.test(`${message} ${detail ?? ''}`);
}

/** True where the agent says that it has the session no more (RP-8); -32002 may also be about a file. */
export function isSessionLost(error: unknown): boolean {
  if (errorCode(error) !== ErrorCode.notFound) return false;
  const { message, data } = asObject(error);
  return 'sessionId' in asObject(data) || /session/i.test(String(message));
}

/** What a step of the start threw, as the failure that the banner tells. */
export function toFailure(error: unknown): AgentFailure {
  if (error instanceof AgentError) return error.failure;
  return { reason: 'requestFailed', method: 'session/new', error: toErrorView(error) };
}

/** The error as one sentence. */
export function toSentence(error: unknown): Error {
  return new Error(errorSentence(toErrorView(error)), { cause: error });
}
