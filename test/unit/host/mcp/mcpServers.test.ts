import assert from 'node:assert/strict';
import type { McpServer } from '../../../../src/core/acp';
import type { OfferedServers } from '../../../../src/host/mcp/mcpServers';
import { ALL, FOLDER, Machine, USER_FILE } from './harness';

const NPX = { command: 'npx' };
const INPUT = { type: 'promptString', id: 'key', password: true };
const WITH_INPUT = {
  servers: { web: { url: 'https://x.example', headers: { Auth: '${input:key}' } } },
  inputs: [INPUT],
};

const offer = (machine: Machine, cwd = FOLDER, transports = ALL): Promise<OfferedServers> =>
  machine.window().serversFor('Gem', cwd, transports);

const names = ({ servers }: OfferedServers): string[] => servers.map(({ name }) => name);

async function only(machine: Machine): Promise<McpServer> {
  const { servers, dropped } = await offer(machine);
  assert.deepEqual(dropped, []);
  assert.equal(servers.length, 1);
  return servers[0] ?? assert.fail();
}

describe('the MCP servers for a session', () => {
  it('MC-1, MC-2, MC-3: come from the folder and from the person, with every list there', async () => {
    const machine = new Machine()
      .inFolder({ servers: { files: NPX, web: { type: 'http', url: 'https://x.example/mcp' } } })
      .forUser({ servers: { old: { type: 'sse', url: 'http://y.example', headers: { A: 'b' } } } });
    assert.deepEqual(await offer(machine), {
      servers: [
        { name: 'files', command: '/usr/bin/npx', args: [], env: [] },
        { type: 'http', name: 'web', url: 'https://x.example/mcp', headers: [] },
        { type: 'sse', name: 'old', url: 'http://y.example', headers: [{ name: 'A', value: 'b' }] },
      ],
      dropped: [],
    });
  });

  it('MC-1: are those of the innermost folder that holds the session', async () => {
    const machine = new Machine()
      .inFolder({ servers: { outer: NPX } })
      .inFolder({ servers: { inner: NPX } }, '/proj/shop/lib');
    machine.folders.push({ name: 'lib', path: '/proj/shop/lib' });
    assert.deepEqual(names(await offer(machine, '/proj/shop/src')), ['outer']);
    assert.deepEqual(names(await offer(machine, '/proj/shop/lib/src')), ['inner']);
    assert.deepEqual(names(await offer(machine, '/proj/shopping')), []);
  });

  it('MC-1: prefer the workspace where both use a name', async () => {
    const machine = new Machine()
      .inFolder({ servers: { a: { ...NPX, args: ['ours'] } } })
      .forUser({ servers: { a: { ...NPX, args: ['theirs'] } } });
    assert.deepEqual(await only(machine), { name: 'a', command: '/usr/bin/npx', args: ['ours'], env: [] });
  });

  it('MC-4: are left out, with a reason, where the agent lacks their transport, and nobody is asked for them', async () => {
    const machine = new Machine().inFolder({
      servers: { ...WITH_INPUT.servers, old: { type: 'sse', url: 'https://x.example' }, files: NPX },
      inputs: [INPUT],
    });
    const result = await offer(machine, FOLDER, { http: false, sse: false });
    assert.deepEqual(names(result), ['files']);
    assert.deepEqual(result.dropped, [
      { name: 'web', reason: 'transportUnsupported http' },
      { name: 'old', reason: 'transportUnsupported sse' },
    ]);
    assert.deepEqual(machine.asked, []);
    assert.deepEqual(names(await offer(machine, FOLDER, { http: false, sse: true })), ['old', 'files']);
  });

  it('MC-6: are none in a workspace that is not trusted, and nothing is asked', async () => {
    const machine = new Machine().inFolder(WITH_INPUT).forUser({ servers: { mine: NPX } });
    machine.trusted = false;
    assert.deepEqual(await offer(machine), { servers: [], dropped: [] });
    assert.deepEqual(machine.asked, []);
    machine.trusted = true;
    assert.deepEqual(names(await offer(machine)), ['web', 'mine']);
  });

  it('MC-1: are none for the built-in agent, which uses none', async () => {
    const machine = new Machine().inFolder(WITH_INPUT);
    assert.deepEqual(await machine.window().serversFor('Built-in', FOLDER, ALL), {
      servers: [],
      dropped: [],
    });
    await machine.window().choose('Built-in');
    assert.deepEqual(machine.said, [{ what: 'usesNone', agentId: 'Built-in' }]);
    assert.deepEqual(machine.asked, []);
  });

  it('MC-6: are left out with the cause where something is wrong, and the others stay', async () => {
    const machine = new Machine().inFolder({
      servers: {
        row: 1,
        missing: { command: 'no-such' },
        variable: { command: 'npx', args: ['${file}', '${input:key}'] },
        noInput: { command: 'npx', args: ['${input:none}'] },
        commandInput: { command: 'npx', args: ['${input:run}'] },
        badInput: { command: 'npx', args: ['${input:bad}'] },
        url: { url: 'unix:///tmp/x.sock' },
        envFile: { command: 'npx', envFile: '${workspaceFolder}/none.env' },
        good: NPX,
      },
      inputs: [INPUT, { type: 'command', id: 'run', command: 'x' }, { type: 'pickString', id: 'bad' }],
    });
    const result = await offer(machine);
    assert.deepEqual(names(result), ['good']);
    assert.deepEqual(Object.fromEntries(result.dropped.map(({ name, reason }) => [name, reason])), {
      row: 'notObject',
      missing: 'commandNotFound no-such',
      variable: 'unknownVariable ${file}',
      noInput: 'noInput none',
      commandInput: 'commandInput run',
      badInput: 'badInput bad',
      url: 'badUrl',
      envFile: 'envFileUnreadable ${workspaceFolder}/none.env',
    });
    assert.deepEqual(machine.asked, [], 'asked for a server that can not be used');
  });

  it('MC-1: say which file is broken', async () => {
    const machine = new Machine().forUser({ servers: { mine: NPX } });
    machine.files.set(`${FOLDER}/.vscode/mcp.json`, '{\n"servers": [}');
    const result = await offer(machine);
    assert.deepEqual(names(result), ['mine']);
    assert.deepEqual(result.dropped, [{ name: '.vscode/mcp.json', reason: 'syntaxError 2' }]);
    machine.files.set(USER_FILE, '{');
    await machine.window().choose('Gem');
    assert.deepEqual(machine.said, [{ what: 'noServers', reason: '.vscode/mcp.json: syntaxError 2' }]);
  });

  it('MC-6: leave no secret in the log', async () => {
    const secret = 'answer-key';
    const machine = new Machine().inFolder({
      servers: {
        web: { url: 'https://x.example/${input:key}', headers: { Auth: '${input:key}' } },
        files: { command: 'npx', args: ['${input:key}'], env: { K: '${input:key}' }, cwd: '/${input:key}' },
        missing: { command: '${input:key}' },
        file: { command: 'npx', envFile: '/${input:key}' },
        badUrl: { url: '${input:key}' },
      },
      inputs: [INPUT],
    });
    const result = await offer(machine);
    assert.ok(JSON.stringify(result.servers).includes(secret));
    assert.equal(result.dropped.length, 3);
    assert.ok(!JSON.stringify(result.dropped).includes(secret));
    assert.ok(
      machine.lines.some((line) => line.includes('"web" (http), "files" (stdio); left out: "missing"')),
    );
    assert.deepEqual(
      machine.lines.filter((line) => line.includes(secret) || line.includes('example')),
      [],
    );
  });
});

describe('the program of an MCP server', () => {
  it('MC-6: is looked up on the PATH of the login shell, the folder of the session left out', async () => {
    const machine = new Machine().inFolder({ servers: { a: { command: 'tool' } } });
    machine.env['PATH'] = `.:/opt/bin:/usr/bin`;
    machine.programs.add(`${FOLDER}/tool`);
    assert.deepEqual((await offer(machine)).dropped, [{ name: 'a', reason: 'commandNotFound tool' }]);
    machine.programs.add('/opt/bin/tool').add('/usr/bin/tool');
    assert.deepEqual(await only(machine), { name: 'a', command: '/opt/bin/tool', args: [], env: [] });
  });

  it('MC-6: is found as a path from its folder or from home', async () => {
    const machine = new Machine();
    machine.programs.add(`${FOLDER}/bin/tool`).add('/home/ann/tool').add('/srv/tool');
    const cases: [server: object, command: string][] = [
      [{ command: './bin/tool' }, `${FOLDER}/bin/tool`],
      [{ command: '~/tool' }, '/home/ann/tool'],
      [{ command: './tool', cwd: '~' }, '/home/ann/tool'],
      [{ command: './tool', cwd: '/srv' }, '/srv/tool'],
    ];
    for (const [server, command] of cases) {
      const found = await only(machine.inFolder({ servers: { a: server } }));
      assert.equal('command' in found && found.command, command, JSON.stringify(server));
    }
    assert.equal(machine.lines.filter((line) => line.includes('folder of its own')).length, 2);
  });

  it('MC-6: is the .cmd file on Windows', async () => {
    const machine = new Machine();
    machine.windows = true;
    machine.userHome = 'C:\\Users\\ann';
    machine.folders = [];
    machine.env['PATH'] = '';
    delete machine.env['PATH'];
    machine.env['Path'] = 'C:\\node';
    machine.programs.add('C:\\node\\npx').add('C:\\node\\npx.cmd');
    machine.forUser({ servers: { a: { command: 'npx', args: ['~\\x'], env: { PATH: 'C:\\more' } } } });
    assert.deepEqual(await only(machine), {
      name: 'a',
      command: 'C:\\node\\npx.cmd',
      args: ['C:\\Users\\ann\\x'],
      env: [{ name: 'PATH', value: 'C:\\node;C:\\more' }],
    });
  });

  it('MC-2: gets the variables of its envFile below its own', async () => {
    const machine = new Machine().inFolder({
      servers: { a: { command: 'npx', envFile: '.env', env: { B: 'own', C: null, E: 5 } } },
    });
    machine.files.set(`${FOLDER}/.env`, 'A=file\nB=file\nC=file');
    const server = await only(machine);
    assert.deepEqual('env' in server && server.env, [
      { name: 'A', value: 'file' },
      { name: 'B', value: 'own' },
      { name: 'E', value: '5' },
    ]);
  });

  it('MC-2: has its PATH added to the one of the login shell', async () => {
    const machine = new Machine().inFolder({ servers: { a: { command: 'tool', env: { PATH: '/more' } } } });
    machine.programs.add('/more/tool');
    assert.deepEqual(await only(machine), {
      name: 'a',
      command: '/more/tool',
      args: [],
      env: [{ name: 'PATH', value: '/usr/local/bin:/usr/bin:/more' }],
    });
  });
});
