/** A request that can't be answered since the connection ended, before it was made or while it was open. */
export class ConnectionClosed extends Error {
  constructor(method: string) {
    super(`The connection to the agent is closed (${method}).`);
    this.name = 'ConnectionClosed';
  }
}

/**
 * The code of a JSON-RPC error answer; undefined for any other error. Known by the kind of its code, since Node's errors have words:
 * naming the class would load the library before there is a connection.
 */
export function errorCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'number' ? error.code : undefined;
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
