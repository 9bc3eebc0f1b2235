import assert from 'node:assert/strict';
import { readServers, secretsOf } from '../../../../src/agent/mcp/serverConfig';
import { WireError } from '../../../../src/core/errors';

const program = {
  name: 'db',
  command: process.execPath,
  args: ['-v'],
  env: [{ name: 'KEY', value: 'hush-hush' }],
};
const remote = {
  type: 'http',
  name: 'web',
  url: 'https://x.example/mcp',
  headers: [{ name: 'A', value: 'b' }],
};

describe('MCP servers of a session', () => {
  it('MC-2 MC-3 reads a program and an address', () => {
    assert.deepEqual(readServers([program, remote]), [
      { type: 'stdio', name: 'db', command: process.execPath, args: ['-v'], env: { KEY: 'hush-hush' } },
      { type: 'http', name: 'web', url: 'https://x.example/mcp', headers: { A: 'b' } },
    ]);
  });

  it('takes absent lists for empty ones', () => {
    assert.deepEqual(readServers(undefined), []);
    assert.deepEqual(readServers(null), []);
    assert.deepEqual(readServers([{ name: 'db', command: process.execPath }]), [
      { type: 'stdio', name: 'db', command: process.execPath, args: [], env: {} },
    ]);
  });

  it('MC-2 takes the name of a program on the PATH as well, as clients send it', () => {
    assert.deepEqual(readServers([{ name: 'db', command: 'npx' }]), [
      { type: 'stdio', name: 'db', command: 'npx', args: [], env: {} },
    ]);
  });

  for (const [what, servers, message] of [
    ['no list', {}, /must be a list/],
    ['an item that is no object', ['db'], /must be an object/],
    ['no name', [{ ...program, name: '' }], /no "name"/],
    ['a relative command', [{ ...program, command: './node' }], /absolute path/],
    ['args of another type', [{ ...program, args: [1] }], /"args"/],
    ['env as an object', [{ ...program, env: { KEY: 'hush-hush' } }], /"env"/],
    ['a variable without a value', [{ ...program, env: [{ name: 'KEY' }] }], /"env"/],
    ['a variable with an odd name', [{ ...program, env: [{ name: 'A=B', value: 'hush-hush' }] }], /"env"/],
    ['a zero byte', [{ ...program, args: ['a\0b'] }], /character/],
    ['a transport that was not announced', [{ ...remote, type: 'acp' }], /transport/],
    ['an address of another kind', [{ ...remote, url: 'file:///etc/passwd' }], /"url"/],
    ['no address', [{ ...remote, url: undefined }], /"url"/],
    [
      'headers that can not be',
      [{ ...remote, headers: [{ name: 'A', value: 'hush-hush\nB: c' }] }],
      /"headers"/,
    ],
  ] as const) {
    it(`MC-1 refuses ${what} as -32602, in one sentence without a secret`, () => {
      assert.throws(
        () => readServers(servers),
        (error: unknown) => {
          assert.ok(error instanceof WireError);
          assert.equal(error.code, -32602);
          assert.match(error.message, message);
          assert.doesNotMatch(error.message, /hush-hush|\n/);
          return true;
        },
      );
    });
  }

  it('MC-6 knows the secrets of a server, and a token without its scheme', () => {
    const [server] = readServers([
      {
        ...remote,
        url: 'https://user:word-of-pass@x.example/?key=in-the-query',
        headers: [{ name: 'Authorization', value: 'Bearer to-ken' }],
      },
    ]);
    assert.ok(server);
    const secrets = secretsOf(server);
    for (const secret of ['word-of-pass', 'in-the-query', 'Bearer to-ken', 'to-ken'])
      assert.ok(secrets.includes(secret), secret);
  });

  it('MC-6 takes short values for no secrets', () => {
    const [server] = readServers([{ ...program, env: [{ name: 'DEBUG', value: 'true' }] }]);
    assert.ok(server);
    assert.deepEqual(secretsOf(server), []);
  });
});
