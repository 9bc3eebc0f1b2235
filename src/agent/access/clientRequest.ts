import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import type { AcpConnection } from '../../acp/connection';
import { untilAborted } from '../abort';

/** Asks the client something; with a signal the answer is not waited for longer than that. */
export type ClientRequest = (method: string, params: object, signal?: AbortSignal) => Promise<unknown>;

/** Requests over a connection. An abort also tells the client that nobody waits any more (`$/cancel_request`, CA-7). */
export function createClientRequest(connection: AcpConnection): ClientRequest {
  return async (method, params, signal) => {
    if (!signal) return connection.request(method, params);
    signal.throwIfAborted();
    const source = new CancellationTokenSource();
    const cancel = (): void => source.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await untilAborted(connection.request(method, params, source.token), signal);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
}
