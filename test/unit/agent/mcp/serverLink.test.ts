import assert from 'node:assert/strict';
import type { OpenOptions, ServerClient } from '../../../../src/agent/mcp/serverClient';
import { ServerLink } from '../../../../src/agent/mcp/serverLink';

const SECRET = 'hush-hush';

/** A link to a server that is only its options. */
async function linked(more: (options: OpenOptions) => void = () => undefined): Promise<{
  log: string[];
  link: ServerLink;
  given: OpenOptions;
}> {
  const log: string[] = [];
  let given: OpenOptions | undefined;
  const client: ServerClient = {
    tools: [],
    call: () => Promise.resolve({ end: 'gone', message: `lost ${SECRET}` }),
    close: () => Promise.resolve(),
  };
  const link = new ServerLink(
    { type: 'stdio', name: 'my\nserver', command: '/bin/x', args: [], env: { KEY: SECRET } },
    {
      open: (options) => {
        given = options;
        more(options);
        return Promise.resolve(client);
      },
      cwd: '/',
      roots: [],
      version: '1',
      connectLimitMs: 1000,
      log: (line) => log.push(line),
      onTools: () => undefined,
    },
  );
  await link.connect();
  assert.ok(given);
  return { log, link, given };
}

describe('link to an MCP server', () => {
  it('MC-6 finds a secret in what is printed in pieces', async () => {
    const { log, given } = await linked();
    given.onPrinted('the key is hush');
    given.onPrinted('-hush\nnext');
    assert.deepEqual(log, ['[my server] the key is •••']);
  });

  it('shows what could hide in a line, and bounds it', async () => {
    const { log, given } = await linked();
    given.onPrinted(`a\u001b[2Jb\n${'x'.repeat(10_000)}\n`);
    assert.equal(log[0], '[my server] a\\u{1B}[2Jb');
    assert.ok((log[1]?.length ?? Infinity) < 600);
  });

  it('leaves the rest of a flood out, and says so once', async () => {
    const { log, given } = await linked();
    for (let n = 0; n < 5000; n++) given.onPrinted(`line ${n} ${'x'.repeat(80)}\n`);
    assert.ok(log.join('').length < 200_000);
    assert.equal(log.filter((line) => line.includes('is left out')).length, 1);
  });

  it('MC-6 tells no secret of a call that was lost', async () => {
    const { link } = await linked();
    const request = { tool: 't', input: {}, timeLimitMs: 1, onProgress: () => undefined };
    const end = await link.call({ ...request, signal: new AbortController().signal });
    assert.deepEqual(end, { end: 'gone', message: 'lost •••' });
  });

  it('fails in one line, without a secret, also where the server has much to say', async () => {
    const failing = linked(() => {
      throw new Error(`no\n${SECRET} ${'x'.repeat(1000)}`);
    });
    await assert.rejects(failing, (error: unknown) => {
      assert.ok(error instanceof Error);
      assert.match(error.message, /^The MCP server "my server" can't be used: no ••• x+…\.$/);
      assert.ok(error.message.length < 400);
      return true;
    });
  });
});
