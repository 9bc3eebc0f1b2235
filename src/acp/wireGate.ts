import type { Logger, Message } from 'vscode-jsonrpc/node';
import { ErrorCode } from '../core/acp';
import { asObject, asString, isObject, type JsonObject } from '../core/json';

type Id = string | number | null;

const isId = (id: unknown): id is Id => id === null || typeof id === 'string' || typeof id === 'number';

/**
 * Stands between the wire and vscode-jsonrpc, which knows neither an id that is null nor that 1 and "1" are two ids, loses a request
 * whose id is used twice, and calls a cancel `$/cancelRequest`:
 * requests of the other side get ids of our own, and their answers the original ones (RP-2); `$/cancel_request {requestId}` becomes
 * vscode-jsonrpc's form and back (CA-7); what belongs to no open request is logged and dropped (RP-10, CA-9).
 */
export class WireGate {
  /** Requests of the other side that are not answered: our id → theirs. */
  private readonly received = new Map<number, Id>();
  private last = 0;
  /** Ids of our own requests that are not answered. */
  private readonly sent = new Set<number>();

  constructor(private readonly logger: Logger) {}

  /** What is handled of a message that came in; undefined for one that is dropped. */
  fromWire(message: JsonObject): JsonObject | undefined {
    const { id, method } = message;
    if (typeof method !== 'string') return this.answerFromWire(message);
    if (method === '$/cancel_request' && id === undefined) return this.cancelFromWire(message);
    // vscode-jsonrpc's own name for it would reach its insides unchecked.
    if (method === '$/cancelRequest') return this.drop(`a notification ${method}`);
    if (id === undefined) return message;
    if (!isId(id)) return this.drop(`a request ${method} with the id ${JSON.stringify(id)}`);
    this.received.set(++this.last, id);
    return { ...message, id: this.last };
  }

  /** What is written of a message of ours; undefined for one that has no meaning any more. */
  toWire(message: Message): object | undefined {
    const { id, method, params } = message as Partial<Record<string, unknown>>;
    if (method === '$/cancelRequest') {
      const requestId = asObject(params)['id'];
      const open = typeof requestId === 'number' && this.sent.has(requestId);
      return open ? { jsonrpc: '2.0', method: '$/cancel_request', params: { requestId } } : undefined;
    }
    if (typeof id !== 'number') return message;
    if (method !== undefined) {
      this.sent.add(id);
      return message;
    }
    const original = this.received.get(id);
    this.received.delete(id);
    return original === undefined ? undefined : { ...message, id: original };
  }

  private cancelFromWire(message: JsonObject): JsonObject | undefined {
    const { requestId } = asObject(message['params']);
    const own = [...this.received].find(([, id]) => id === requestId)?.[0];
    // Finished or never made: the answer that raced wins (CA-9).
    return own === undefined ? undefined : { ...message, method: '$/cancelRequest', params: { id: own } };
  }

  private answerFromWire(message: JsonObject): JsonObject | undefined {
    const { id } = message;
    // Some agents give a number back as text.
    const own = typeof id === 'string' && id.trim() !== '' ? Number(id) : id;
    if (typeof own !== 'number' || !this.sent.delete(own))
      return this.drop(`an answer to the request ${JSON.stringify(id)}, which is not open`);
    const { error, result = null } = message;
    if (error === undefined || error === null) return { jsonrpc: '2.0', id: own, result };
    return { jsonrpc: '2.0', id: own, error: readError(error) };
  }

  private drop(what: string): JsonObject | undefined {
    this.logger.warn(`Ignored ${what}.`);
    return undefined;
  }
}

/** An error answer with a code and a message, whatever the other side made of it. */
function readError(error: unknown): JsonObject {
  const { code, message, ...rest } = isObject(error) ? error : { message: error };
  return {
    ...rest,
    code: Number.isInteger(code) ? code : ErrorCode.internal,
    message: asString(message) ?? 'The request failed.',
  };
}
