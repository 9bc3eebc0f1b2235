import { ErrorCode } from './acp';
import { asObject, isObject } from './json';

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
  | { reason: 'commandNotFound'; command: string }
  | { reason: 'notExecutable'; command: string }
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

const GENERIC = /^(internal error|server error|error|unknown error)\.?$/i;

function textOf(data: unknown): string | undefined {
  if (data === undefined || data === null) return undefined;
  if (typeof data === 'string') return data.trim() || undefined;
  if (!isObject(data)) return JSON.stringify(data);
  const inner = ['details', 'detail', 'message', 'error', 'reason'].map((key) => data[key]);
  const text = inner
    .map((value) => (isObject(value) || typeof value === 'string' ? textOf(value) : undefined))
    .find(Boolean);
  if (text) return text;
  const json = JSON.stringify(data);
  return json === '{}' ? undefined : json;
}

/** Agents put the real reason into the message, into `data`, or into JSON inside the message: this finds the best sentence. */
export function toErrorView(error: unknown): ErrorView {
  const { message: raw, code, data } = asObject(error);
  const message = typeof raw === 'string' && raw.trim() ? raw.trim() : String(error);
  const inner = /^\s*[[{]/.test(message) ? textOf(parseJson(message)) : undefined;
  const detail = textOf(data) ?? inner;
  const numbered = typeof code === 'number' ? { code } : {};
  if (!detail || detail === message) return { message, ...numbered };
  const saysNothing = inner !== undefined || GENERIC.test(message);
  return saysNothing ? { message: detail, ...numbered } : { message, detail, ...numbered };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not JSON after all: the text is shown as it is.
  }
}
