import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ollamaModels } from '../../../../src/host/lm/modelServers';

/** What Ollama lists. */
const TAGS = {
  models: [
    { name: 'gpt-oss:120b-cloud', remote_host: 'https://ollama.example:443', remote_model: 'gpt-oss:120b' },
    { name: 'far:1b', remote_model: 'far' },
    { name: 'bge-m3:latest', details: { family: 'bert' } },
    { name: 'nomic-embed-text:latest', details: { family: 'nomic-bert' } },
    { name: 'llama3.2:3b', details: { family: 'llama' } },
  ],
};

describe('the models of the Ollama on this machine', () => {
  const server = createServer((_request, response) => response.end(JSON.stringify(TAGS)));
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => server.close());

  it('are those that run there and answer prompts', async () => {
    const { port } = server.address() as AddressInfo;
    assert.deepEqual(await ollamaModels(`http://127.0.0.1:${port}`), ['llama3.2:3b']);
  });
});
