import { compact } from '../../../core/json';
import { ModelFailure } from '../model';
import { messageIn, type Failures, type ServerTrouble } from './failures';

/** Most bytes that are read of an answer that tells of trouble. */
const TROUBLE_BYTES = 16_384;

/**
 * The one HTTP request of a model call: there is no second one, whatever a library would like, and none to another address than the one
 * that was set, since it would get the key. It ends when the prompt turn is cancelled, or when the server is quiet for too long.
 */
export class OneRequest {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private isSent = false;
  /** True after the server was quiet for too long. */
  wasQuiet = false;

  /** @param idleMs how long the server may be quiet. */
  constructor(
    private readonly failures: Failures,
    private readonly idleMs: number,
    private readonly turn: AbortSignal,
  ) {}

  get signal(): AbortSignal {
    return AbortSignal.any([this.turn, this.controller.signal]);
  }

  /** Takes the place of the global function. Throws a ModelFailure for an answer that is no stream. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    if (this.isSent)
      throw new ModelFailure('request', 'The model wants more than one request for an answer.');
    this.isSent = true;
    this.hear();
    const response = await globalThis.fetch(input, { ...init, redirect: 'manual', signal: this.signal });
    this.hear();
    if (!response.ok) throw this.failures.server(await troubleOf(response));
    const type = response.headers.get('content-type')?.split(';')[0] ?? '';
    const { body } = response;
    if (!body || /html|json$/.test(type))
      throw this.failures.noStream(type || 'nothing', messageOf(await readSome(response)));
    const { status, headers } = response;
    return new Response(body.pipeThrough(this.ear()), { status, headers });
  };

  /** Ends the request, if it goes on, and the watch over it. */
  end(): void {
    clearTimeout(this.timer);
    this.controller.abort();
  }

  private hear(): void {
    clearTimeout(this.timer);
    // Bytes may still be on their way when it ended.
    if (this.controller.signal.aborted) return;
    this.timer = setTimeout(() => {
      this.wasQuiet = true;
      this.controller.abort();
    }, this.idleMs);
  }

  /** Lets the bytes of the answer through; also those of comments, by which a server tells that it is at work. */
  private ear(): TransformStream<Uint8Array, Uint8Array> {
    return new TransformStream({
      transform: (bytes, controller) => {
        this.hear();
        controller.enqueue(bytes);
      },
    });
  }
}

async function troubleOf(response: Response): Promise<ServerTrouble> {
  const message = messageOf(await readSome(response));
  const { status, headers } = response;
  return { status, ...compact({ message, retryAfterMs: retryAfterOf(headers, Date.now()) }) };
}

function messageOf(text: string): string | undefined {
  try {
    return messageIn(JSON.parse(text));
  } catch {
    return messageIn(text); // No JSON, or only the beginning of it.
  }
}

async function readSome({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  if (!body) return text;
  for await (const bytes of body as ReadableStream<Uint8Array>) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length >= TROUBLE_BYTES) break;
  }
  return text.slice(0, TROUBLE_BYTES);
}

/**
 * When a server wants to be asked again, in ms from now, by its header in milliseconds, in seconds or as a date.
 *
 * @param now ms since the epoch.
 */
export function retryAfterOf(headers: Headers, now: number): number | undefined {
  const milliseconds = headers.get('retry-after-ms');
  if (milliseconds !== null && /^\d+(\.\d+)?$/.test(milliseconds)) return Number(milliseconds);
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = /[a-z]/i.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
