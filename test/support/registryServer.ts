import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What is answered for a path. */
export interface Served {
  body?: string | Buffer;
  status?: number;
  headers?: Record<string, string>;
  /** Closes the connection after so many bytes of the body. */
  breakAfter?: number;
}

/** Serves a registry of agents and their archives on this machine. */
export class RegistryServer {
  readonly files = new Map<string, Served>();
  /** Path and headers of each request. */
  readonly requests: { path: string; headers: IncomingMessage['headers'] }[] = [];
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => this.answer(request, response));
  }

  static async start(port = 0): Promise<RegistryServer> {
    const it = new RegistryServer();
    await new Promise<void>((resolve) => it.server.listen(port, '127.0.0.1', resolve));
    return it;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  serve(path: string, served: Served | object): string {
    const isServed = 'body' in served || 'status' in served;
    this.files.set(path, isServed ? served : { body: JSON.stringify(served) });
    return `${this.address}${path}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const path = decodeURIComponent(request.url ?? '');
    this.requests.push({ path, headers: request.headers });
    const { body = '', status = 200, headers = {}, breakAfter } = this.files.get(path) ?? { status: 404 };
    const etag = headers['etag'];
    if (etag !== undefined && request.headers['if-none-match'] === etag) {
      response.writeHead(304).end();
      return;
    }
    response.writeHead(status, { 'content-length': String(Buffer.byteLength(body)), ...headers });
    if (breakAfter === undefined) response.end(body);
    else response.write(body.slice(0, breakAfter), () => request.socket.destroy());
  }
}
