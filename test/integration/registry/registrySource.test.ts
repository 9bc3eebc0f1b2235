import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InstallFailure } from '../../../src/host/registry/installFailure';
import { RegistrySource } from '../../../src/host/registry/registrySource';
import { RegistryServer } from '../../support/registryServer';

const MINUTE = 60_000;

const registryOf = (version: string): object => ({
  version: '1.0.0',
  agents: [
    {
      id: 'tiny',
      name: 'Tiny',
      version,
      description: '',
      distribution: { npx: { package: `tiny@${version}` } },
    },
    { id: 'broken' },
  ],
});

describe('the registry on the network', () => {
  let server: RegistryServer;
  let folder = '';
  let now = 1_000 * MINUTE;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-registry-'));
    server = await RegistryServer.start();
    now = 1_000 * MINUTE;
  });
  afterEach(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const file = (): string => join(folder, 'agents', 'registry.json');
  const source = (address = `${server.address}/registry.json`): RegistrySource =>
    new RegistrySource({ address: () => address, file: file(), now: () => now });
  const read = (anew = false, of = source()) => of.read(anew, new AbortController().signal);
  const versions = async (anew = false) => (await read(anew)).agents.map(({ version }) => version);
  const serve = (version: string, etag?: string): void =>
    void server.serve('/registry.json', {
      body: JSON.stringify(registryOf(version)),
      ...(etag === undefined ? {} : { headers: { etag } }),
    });

  it('is asked for at most once an hour, unless the person asks', async () => {
    serve('1.0.0');
    const first = await read();
    assert.deepEqual([first.agents.length, first.leftOut, first.checkedAt], [1, 1, now]);
    serve('2.0.0');
    now += 59 * MINUTE;
    assert.deepEqual(await versions(), ['1.0.0']);
    assert.equal(server.requests.length, 1);
    assert.deepEqual(await versions(true), ['2.0.0']);
    now += 61 * MINUTE;
    serve('3.0.0');
    assert.deepEqual(await versions(), ['3.0.0']);
    assert.deepEqual(readdirSync(join(folder, 'agents')), ['registry.json']);
  });

  it('is not sent again where it has not changed', async () => {
    serve('1.0.0', '"one"');
    await read();
    now += 2 * 60 * MINUTE;
    const again = await read();
    assert.deepEqual([again.checkedAt, again.agents.length, again.problem], [now, 1, undefined]);
    assert.equal(server.requests.at(-1)?.headers['if-none-match'], '"one"');
    now += 2 * 60 * MINUTE;
    await read();
    assert.equal(server.requests.at(-1)?.headers['if-none-match'], '"one"');
  });

  it('is shown from its last answer where the network does not answer, with the reason', async () => {
    serve('1.0.0');
    const at = now;
    await read();
    now += 30 * 60 * MINUTE;
    server.serve('/registry.json', { status: 503 });
    const busy = await read();
    assert.deepEqual([busy.agents.length, busy.checkedAt], [1, at]);
    assert.match(busy.problem ?? '', /503/);
    server.serve('/registry.json', { body: '<html>sign in</html>' });
    assert.match((await read()).problem ?? '', /not a registry/);
    const address = `${server.address}/registry.json`;
    await server.stop();
    assert.match((await read(false, source(address))).problem ?? '', /ECONNREFUSED/);
  });

  it('says why where there is nothing to show', async () => {
    const failure = async (of: RegistrySource): Promise<unknown> =>
      read(false, of).then(
        () => undefined,
        (error: unknown) => (error instanceof InstallFailure ? error.failure : error),
      );
    const missing = (await failure(source())) as { reason: string; message: string };
    assert.equal(missing.reason, 'noRegistry');
    assert.match(missing.message, /404/);
    server.serve('/huge.json', { body: Buffer.alloc(9 * 1024 * 1024, ' ') });
    assert.match(((await failure(source(`${server.address}/huge.json`))) as Error).message, /8 MB/);
    server.serve('/away.json', { status: 302, headers: { location: 'http://example.com/registry.json' } });
    assert.match(((await failure(source(`${server.address}/away.json`))) as Error).message, /not an https/);
    server.serve('/loop.json', { status: 302, headers: { location: '/loop.json' } });
    assert.match(((await failure(source(`${server.address}/loop.json`))) as Error).message, /redirects/);
    const stopped = new AbortController();
    stopped.abort();
    await assert.rejects(source().read(false, stopped.signal), { message: 'cancelled' });
  });

  it('follows a redirect, and takes nothing from the answer of another registry or a broken file', async () => {
    serve('1.0.0');
    server.serve('/moved.json', { status: 301, headers: { location: '/registry.json' } });
    assert.equal((await read(false, source(`${server.address}/moved.json`))).agents.length, 1);
    assert.equal((await read()).agents.length, 1);
    assert.equal(server.requests.length, 3);
    writeFileSync(file(), '{"address":');
    assert.equal((await read()).agents.length, 1);
  });
});
