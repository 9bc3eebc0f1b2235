import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A program on this machine that answers as Ollama does: it lists its models, and one of them says the same to any prompt. */
export class ModelHost {
  /** Method, path and key of each request. */
  readonly asked: { line: string; key: string | undefined }[] = [];
  models = ['llama-test:1b', 'other-test'];
  private readonly server = createServer((request, response) => void this.serve(request, response));

  static async start(): Promise<ModelHost> {
    const host = new ModelHost();
    await new Promise<void>((resolve) => host.server.listen(0, '127.0.0.1', resolve));
    return host;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '', method = '', headers } = request;
    this.asked.push({ line: `${method} ${url}`, key: headers.authorization });
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
    if (url === '/api/tags') json(response, { models: this.models.map((name) => ({ name })) });
    else if (url === '/v1/models') json(response, { data: this.models.map((id) => ({ id })) });
    else if (url === '/v1/chat/completions') stream(response, (JSON.parse(body) as { model: string }).model);
    else response.writeHead(404).end();
  }
}

function json(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function stream(response: ServerResponse, model: string): void {
  const chunk = (delta: object, reason: string | null): string =>
    `data: ${JSON.stringify({
      id: 'c',
      object: 'chat.completion.chunk',
      created: 1,
      model,
      choices: [{ index: 0, delta, finish_reason: reason }],
    })}\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const said = chunk({ role: 'assistant', content: `I am ${model}.` }, null);
  response.end(`${said}${chunk({}, 'stop')}data: [DONE]\n\n`);
}
