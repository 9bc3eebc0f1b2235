import { ErrorCode } from './acp';
import { asObject, isObject } from './json';
import type { EnvironmentOrigin } from './launch/environment';

/** An error that is answered over the wire with a code of the protocol; the message goes to the agent as it is (RP-4). */
export class WireError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: Record<string, unknown>,
  ) {
    super(message);
    this.name = 'WireError';
  }

  static notFound(what: string, data?: Record<string, unknown>): WireError {
    return new WireError(ErrorCode.notFound, `${what} was not found.`, data);
  }

  static invalidParams(message: string, data?: Record<string, unknown>): WireError {
    return new WireError(ErrorCode.invalidParams, message, data);
  }
}

/** An agent did not answer a request within its time limit. */
export class RequestTimeout extends Error {
  constructor(method: string) {
    super(`The agent did not answer ${method} in time.`);
    this.name = 'RequestTimeout';
  }
}

/** Why an agent could not be reached or left. Each reason has its own sentence and next step (host/userErrors.ts). */
export type AgentFailure =
  /** `origin`: whose PATH was searched, where that is known. */
  | { reason: 'commandNotFound'; command: string; origin?: EnvironmentOrigin }
  | { reason: 'notExecutable'; command: string }
  /** The file is there, but not what it runs on: `interpreter` by its first line, else of another system. */
  | { reason: 'cannotRun'; command: string; interpreter?: string }
  /** cmd.exe would act on the argument of a batch file. */
  | { reason: 'unsafeArgument'; command: string; argument: string }
  | { reason: 'noFolder'; folder: string }
  | { reason: 'spawnFailed'; command: string; message: string }
  | { reason: 'exited'; code: number | null; signal: string | null; stderr: string }
  | { reason: 'initializeTimeout'; seconds: number; stderr: string }
  | { reason: 'unsupportedVersion'; version: unknown }
  | { reason: 'badInitializeAnswer' }
  | { reason: 'aborted' }
  | { reason: 'unknownAgent' }
  | { reason: 'sessionLost' }
  | { reason: 'requestFailed'; method: string; error: ErrorView };

/** A failure of the agent, as an exception. */
export class AgentError extends Error {
  constructor(readonly failure: AgentFailure) {
    super(`agent failure: ${failure.reason}`);
    this.name = 'AgentError';
  }
}

/** What a person is shown of a JSON-RPC error: one sentence first, details apart (RP-9). */
export interface ErrorView {
  message: string;
  /** Readable form of `error.data`, where it says more than the message. */
  detail?: string;
  code?: number;
}

/** Says no more than the code does. */
const GENERIC = /^(internal error|server error|error|unknown error|invalid params|invalid request)\.?$/i;
/** Stands before the reason and adds nothing to it. */
const PREFIX = /^(internal error|server error):\s+/i;

const REASONS = ['details', 'detail', 'message', 'error', 'reason', '_errors'] as const;

/** The reason that somebody wrote into a value; undefined where it holds none. */
function reasonIn(data: unknown): string | undefined {
  if (typeof data === 'string') return innermost(data.trim()) || undefined;
  if (Array.isArray(data)) return data.map(reasonIn).filter(Boolean).join('; ') || undefined;
  if (!isObject(data)) return undefined;
  return REASONS.map((key) => reasonIn(data[key])).find(Boolean);
}

/** Puts the reason in the place of JSON that a text is, or ends with. */
function innermost(text: string): string {
  const start = text.search(/[[{]\s*["{[]/);
  const reason = start < 0 ? undefined : reasonIn(parseJson(text.slice(start)));
  return reason ? `${text.slice(0, start)}${reason}` : text;
}

function asJson(data: unknown): string | undefined {
  if (data === undefined || data === null || data === '') return undefined;
  const json = JSON.stringify(data);
  return json === '{}' ? undefined : json;
}

/** Agents put the real reason into the message, into `data`, or into JSON inside of either: this finds the best sentence. */
export function toErrorView(error: unknown): ErrorView {
  const { message: raw, code, data } = asObject(error);
  const text = typeof raw === 'string' && raw.trim() ? raw.trim() : String(error);
  const message = innermost(text.replace(PREFIX, ''));
  const detail = reasonIn(data) ?? asJson(data);
  const numbered = typeof code === 'number' ? { code } : {};
  if (!detail || message.includes(detail)) return { message, ...numbered };
  return GENERIC.test(message) ? { message: detail, ...numbered } : { message, detail, ...numbered };
}

/** The view as one sentence, for places that have no room for details. */
export function errorSentence({ message, detail }: ErrorView): string {
  // What an agent put there for programs says nothing to a person.
  return detail && !/^[[{]/.test(detail) ? `${message}: ${detail}` : message;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not JSON after all: the text is shown as it is.
  }
}
