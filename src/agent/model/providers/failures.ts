import { asNumber, asObject, asString, compact, isObject, type JsonObject } from '../../../core/json';
import { visibleText } from '../../../core/visibleText';
import { ModelFailure, type ModelFailureKind } from '../model';
import type { ModelSettings } from './settings';

/** The connection ended before the answer did. */
export class AnswerCut extends Error {}

/** The model ended its answer in a way that is of no use. */
export class AnswerSpoiled extends Error {
  constructor(readonly reason: string) {
    super(reason);
  }
}

/** When a call that a server's trouble ended is tried again, in ms. */
const RETRY_MS = 1000;

/** The same for a server that wants fewer calls, where it does not say when. */
const RATE_LIMIT_RETRY_MS = 2000;

/** Most characters of a server's own message in a sentence. */
const EXCERPT = 300;

/** What a server answered in the place of a model's answer. */
export interface ServerTrouble {
  status: number;
  /** What it says of it; of any length and form. */
  message?: string;
  retryAfterMs?: number;
}

/** How a status is told: its kind, what the server did, and what the person can do. */
interface Told {
  kind: ModelFailureKind;
  did: string;
  next: string;
  retryAfterMs?: number;
}

/** Network trouble that may be over in a moment. */
const PASSING =
  /^(ECONNRESET|EPIPE|ETIMEDOUT|EAI_AGAIN|UND_ERR_(SOCKET|CONNECT_TIMEOUT|BODY_TIMEOUT|HEADERS_TIMEOUT))$/;

/** Errors of the libraries for answers that are none of the wire format. */
const UNREADABLE =
  /^AI_(JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody|NoContentGenerated)Error$/;

/** Turns what went wrong with one server into sentences, without its key. */
export class Failures {
  constructor(private readonly settings: Pick<ModelSettings, 'endpoint' | 'model' | 'key' | 'idleMs'>) {}

  /** The failure for an error of a model call. */
  of(error: unknown): ModelFailure {
    if (error instanceof ModelFailure) return error;
    if (error instanceof AnswerCut) return this.cut();
    if (error instanceof AnswerSpoiled) {
      const sentence = `The model did not end its answer (${this.excerpt(error.reason)}). Try again.`;
      return new ModelFailure('server', sentence, RETRY_MS);
    }
    const code = codeOf(error);
    return code === undefined ? this.ofLibrary(asObject(error)) : this.network(code);
  }

  /** For an error that a library made, or one that a server sent in the middle of its answer. */
  private ofLibrary(error: JsonObject): ModelFailure {
    const { name, value, data } = error;
    // The library's word for a stream without its last part.
    if (name === 'AI_InvalidResponseDataError' && data === undefined) return this.cut();
    if (typeof name === 'string' && UNREADABLE.test(name)) return this.unreadable(value);
    const status = statusOf(error);
    const message = messageIn(error);
    if (status !== undefined && status >= 400) return this.server({ status, ...compact({ message }) });
    const isCut = error instanceof TypeError && /terminated|fetch failed/i.test(error.message);
    if (isCut || status !== undefined) return this.cut();
    return new ModelFailure('request', `The model can't be called: ${this.excerpt(message ?? 'unknown')}.`);
  }

  server(trouble: ServerTrouble): ModelFailure {
    const { kind, did, next, retryAfterMs } = toldOf(trouble, this.settings);
    const said = trouble.message === undefined ? '' : this.excerpt(trouble.message);
    const sentence = `${this.host} ${did} (HTTP ${trouble.status}${said === '' ? '' : `: ${said}`}). ${next}`;
    return new ModelFailure(kind, sentence, retryAfterMs);
  }

  quiet(): ModelFailure {
    const seconds = Math.round(this.settings.idleMs / 1000);
    return new ModelFailure(
      'timeout',
      `${this.host} sent nothing for ${seconds} s. Try again, or choose another model.`,
    );
  }

  /** @param value what can't be read, where the library tells. */
  unreadable(value?: unknown): ModelFailure {
    const said = messageIn(value);
    const sentence = `${this.host} sent an answer that is not understood${said === undefined ? '' : ` (${this.excerpt(said)})`}.`;
    return new ModelFailure(
      'server',
      `${sentence} Check that the provider and the endpoint belong together.`,
      RETRY_MS,
    );
  }

  /**
   * An answer that is no stream, such as a page for people.
   *
   * @param message what the server says in it.
   */
  noStream(type: string, message?: string): ModelFailure {
    const said = message === undefined ? '' : ` (${this.excerpt(message)})`;
    return new ModelFailure(
      'request',
      `${this.host} answered with ${this.excerpt(type)} in the place of a stream${said}. Check the endpoint ${this.address}.`,
    );
  }

  private cut(): ModelFailure {
    const sentence = `The connection to ${this.host} was cut before the answer ended. Try again.`;
    return new ModelFailure('connection', sentence, RETRY_MS);
  }

  private network(code: string): ModelFailure {
    if (code === 'ECONNREFUSED') {
      const sentence = `Nothing answers at ${this.address}. Is the server running there?`;
      return new ModelFailure('connection', sentence);
    }
    if (code === 'ENOTFOUND') {
      const sentence = `${this.host} was not found in the network. Check the endpoint ${this.address} and the network.`;
      return new ModelFailure('connection', sentence);
    }
    if (/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(code)) return this.cut();
    const sentence = `The connection to ${this.host} failed (${this.excerpt(code)}). Check the endpoint ${this.address} and the network.`;
    return new ModelFailure('connection', sentence, PASSING.test(code) ? RETRY_MS : undefined);
  }

  private get host(): string {
    return new URL(this.settings.endpoint).host;
  }

  private get address(): string {
    return this.settings.endpoint;
  }

  /** A piece of foreign text: one line of visible characters, without the key. */
  private excerpt(text: string): string {
    const { key } = this.settings;
    const forms = key === undefined ? [] : [key, encodeURIComponent(key), key.replaceAll('/', '\\/')];
    const clean = forms.reduce((all, form) => all.replaceAll(form, '[key]'), text);
    const line = visibleText(clean.replace(/\s+/g, ' ').trim()).replace(/[.\s]+$/, '');
    return line.length > EXCERPT ? `${line.slice(0, EXCERPT)}…` : line;
  }
}

function toldOf(
  { status, retryAfterMs }: ServerTrouble,
  { model, key }: Pick<ModelSettings, 'model' | 'key'>,
): Told {
  if (status === 401 || status === 403) {
    const did = key === undefined ? 'wants an API key' : 'refused the API key';
    return { kind: 'auth', did, next: 'Set a key that is valid there.' };
  }
  if (status === 429) {
    const wait = retryAfterMs ?? RATE_LIMIT_RETRY_MS;
    const next = `Try again in ${Math.max(1, Math.ceil(wait / 1000))} s.`;
    return { kind: 'rate_limit', did: 'wants fewer requests', next, retryAfterMs: wait };
  }
  if (status === 404)
    return {
      kind: 'request',
      did: `has no model "${model}" there`,
      next: 'Check its name and the endpoint.',
    };
  if (status >= 300 && status < 400)
    return {
      kind: 'request',
      did: 'sends to another address, which would get the key',
      next: 'Set the endpoint to the address that it means.',
    };
  if (status === 408 || status >= 500)
    return {
      kind: 'server',
      did: 'has trouble',
      next: 'Try again later.',
      retryAfterMs: retryAfterMs ?? RETRY_MS,
    };
  return { kind: 'request', did: 'refused the request', next: 'Check the model, or begin a new session.' };
}

/** The system's code of an error, or of what caused it. */
function codeOf(error: unknown): string | undefined {
  let current = asObject(error);
  for (let depth = 0; depth < 5; depth++) {
    const { code, errors, cause } = current;
    if (typeof code === 'string' && (error instanceof Error || depth > 0)) return code;
    // Several addresses of a host were tried.
    const [first] = Array.isArray(errors) ? (errors as unknown[]) : [];
    current = asObject(cause ?? first);
  }
  return undefined;
}

/** The status of an error, where it is told in numbers or in words that servers use in the middle of a stream. */
function statusOf({ statusCode, status, code, type, name }: JsonObject): number | undefined {
  const number = asNumber(statusCode) ?? asNumber(code) ?? asNumber(status);
  if (number !== undefined) return number;
  if (typeof name === 'string') return undefined;
  const words = [type, code, status].filter((word) => typeof word === 'string').join(' ');
  if (/rate_?limit|quota|exhausted/i.test(words)) return 429;
  if (/auth|permission/i.test(words)) return 401;
  if (/invalid|not_?found|context_length/i.test(words)) return 400;
  return 500;
}

/** What a server says in a body or an error: in the member that all of them have for it, or as it is. */
export function messageIn(value: unknown): string | undefined {
  if (typeof value === 'string')
    return value.trim() === '' || value.trimStart().startsWith('<') ? undefined : value;
  if (Array.isArray(value)) return messageIn(value[0] as unknown);
  if (!isObject(value) && !(value instanceof Error)) return undefined;
  const { error, message, detail } = asObject(value);
  return asString(message) ?? messageIn(isObject(error) || typeof error === 'string' ? error : detail);
}
