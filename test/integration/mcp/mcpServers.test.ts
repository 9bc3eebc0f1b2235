import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readTextFile } from '../../../src/host/mcp/configSources';
import { InputAnswers } from '../../../src/host/mcp/inputAnswers';
import { McpServers } from '../../../src/host/mcp/mcpServers';
import { ServerSwitches } from '../../../src/host/mcp/serverSwitches';
import { thisPlatform } from '../../../src/host/terminal/createRequest';
import { wireProblemsOf } from '../../support/wireSchema';
import { TestMemory, TestSecrets } from '../../unit/host/mcp/harness';

describe('MCP servers on disk', () => {
  let root: string;
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };

  beforeEach(() => (root = realpathSync(mkdtempSync(join(tmpdir(), 'parley-mcp-')))));
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const build = (): McpServers => {
    const inputs = new InputAnswers(
      new TestSecrets(),
      ({ id }) => Promise.resolve(id),
      (line) => assert.fail(line),
    );
    return new McpServers({
      isTrusted: () => true,
      folders: () => [{ name: 'shop', path: join(root, 'shop') }],
      userFile: join(root, 'User', 'mcp.json'),
      userHome: root,
      platform: thisPlatform,
      readText: readTextFile,
      environment: () => Promise.resolve({ ...process.env, PATH: dirname(process.execPath) }),
      inputs,
      switches: new ServerSwitches(new TestMemory(), new TestMemory()),
      picker: { pick: () => Promise.resolve(undefined), say: ({ what }) => assert.fail(what) },
      texts: { reason: ({ cause }) => cause, from: ({ file }) => file },
      log: () => undefined,
    });
  };

  it('MC-2, MC-3, MC-6: become parameters of session/new that the schema takes', async () => {
    const cwd = join(root, 'shop');
    write('shop/.env', 'FROM_FILE=1\n');
    write(
      'shop/.vscode/mcp.json',
      `{ "servers": {
        "node": { "command": "node", "args": ["-v"], "envFile": "\${workspaceFolder}/.env" }, // a program
        "web": { "url": "https://x.example/mcp", "headers": { "Auth": "\${input:key}" } },
      }, "inputs": [{ "type": "promptString", "id": "key", "password": true }] }`,
    );
    write('User/mcp.json', '{ "servers": { "old": { "type": "sse", "url": "http://y.example" } } }');
    const { servers, dropped } = await build().serversFor('A', cwd, { http: true, sse: true });
    assert.deepEqual(dropped, []);
    assert.deepEqual(servers, [
      {
        name: 'node',
        command: process.execPath,
        args: ['-v'],
        env: [{ name: 'FROM_FILE', value: '1' }],
      },
      { type: 'http', name: 'web', url: 'https://x.example/mcp', headers: [{ name: 'Auth', value: 'key' }] },
      { type: 'sse', name: 'old', url: 'http://y.example', headers: [] },
    ]);
    const line = { jsonrpc: '2.0', id: 1, method: 'session/new', params: { cwd, mcpServers: servers } };
    assert.deepEqual(wireProblemsOf('client', [JSON.stringify(line)], []), []);
  });

  it('MC-1: say that a file can not be read, and take a missing one as empty', async () => {
    mkdirSync(join(root, 'shop', '.vscode', 'mcp.json'), { recursive: true });
    const { servers, dropped } = await build().serversFor('A', join(root, 'shop'), { http: true, sse: true });
    assert.deepEqual(
      { servers, dropped },
      { servers: [], dropped: [{ name: '.vscode/mcp.json', reason: 'unreadable' }] },
    );
  });
});
