import assert from 'node:assert/strict';
import { userConfigFile } from '../../../../src/host/mcp/configSources';
import type { OfferedServers } from '../../../../src/host/mcp/mcpServers';
import { ALL, FOLDER, Machine } from './harness';

const web = (...inputs: string[]): object => ({
  url: 'https://x.example',
  headers: Object.fromEntries(inputs.map((id) => [id, `\${input:${id}}`])),
});
const text = (id: string): object => ({ type: 'promptString', id });

const headersOf = ({ servers }: OfferedServers): string[] =>
  servers.flatMap((server) => ('headers' in server ? server.headers.map(({ value }) => value) : []));

describe('the inputs of MCP servers', () => {
  it('MC-6: are asked for once, also by two sessions at the same time and after a restart', async () => {
    const machine = new Machine().inFolder({
      servers: { a: web('key'), b: web('key') },
      inputs: [text('key')],
    });
    const window = machine.window();
    const both = await Promise.all([
      window.serversFor('A', FOLDER, ALL),
      window.serversFor('B', FOLDER, ALL),
    ]);
    for (const offered of both) assert.deepEqual(headersOf(offered), ['answer-key', 'answer-key']);
    assert.deepEqual(headersOf(await machine.window().serversFor('A', FOLDER, ALL)), [
      'answer-key',
      'answer-key',
    ]);
    assert.deepEqual(machine.asked, ['key']);
  });

  it('MC-6: are asked one after the other', async () => {
    const machine = new Machine().inFolder({
      servers: { a: web('x'), b: web('y') },
      inputs: [text('x'), text('y')],
    });
    machine.folders.push({ name: 'lib', path: '/proj/lib' });
    machine.inFolder({ servers: { c: web('z') }, inputs: [text('z')] }, '/proj/lib');
    let open = 0;
    machine.answer = async ({ id }) => {
      assert.equal(++open, 1, 'two questions at the same time');
      await new Promise((resolve) => setImmediate(resolve));
      open--;
      return id;
    };
    const window = machine.window();
    const offered = await Promise.all([
      window.serversFor('A', FOLDER, ALL),
      window.serversFor('B', '/proj/lib', ALL),
    ]);
    assert.deepEqual(offered.map(headersOf), [['x', 'y'], ['z']]);
  });

  it('MC-6: drop the server when cancelled, without another question until a person chooses servers', async () => {
    const machine = new Machine().inFolder({
      servers: { a: web('key'), b: { command: 'npx' } },
      inputs: [text('key')],
    });
    machine.answer = () => Promise.resolve(undefined);
    const window = machine.window();
    for (let round = 0; round < 2; round++) {
      const { servers, dropped } = await window.serversFor('A', FOLDER, ALL);
      assert.deepEqual(
        servers.map(({ name }) => name),
        ['b'],
      );
      assert.deepEqual(dropped, [{ name: 'a', reason: 'inputCancelled key' }]);
    }
    assert.deepEqual(machine.asked, ['key']);
    machine.answer = () => Promise.resolve('now');
    machine.pick = (choices) => [...choices];
    await window.choose('A');
    assert.deepEqual(headersOf(await window.serversFor('A', FOLDER, ALL)), ['now']);
  });

  it('MC-6: are kept per file: another workspace with the same id gets no answer', async () => {
    const content = { servers: { a: web('key') }, inputs: [text('key')] };
    const machine = new Machine().inFolder(content).inFolder(content, '/proj/evil');
    machine.folders.push({ name: 'evil', path: '/proj/evil' });
    machine.answer = (_input, source) => Promise.resolve(source.folder?.name);
    const window = machine.window();
    assert.deepEqual(headersOf(await window.serversFor('A', FOLDER, ALL)), ['shop']);
    assert.deepEqual(headersOf(await window.serversFor('A', '/proj/evil', ALL)), ['evil']);
  });

  it('MC-6: are forgotten on demand, the secrets of others not', async () => {
    const machine = new Machine().inFolder({ servers: { a: web('key') }, inputs: [text('key')] });
    machine.secrets.values.set('other', 'stays');
    const window = machine.window();
    await window.serversFor('A', FOLDER, ALL);
    machine.pick = () => 'forget';
    await window.choose('A');
    assert.deepEqual([...machine.secrets.values], [['other', 'stays']]);
    await window.serversFor('A', FOLDER, ALL);
    assert.deepEqual(machine.asked, ['key', 'key']);
  });

  it('MC-6: are asked for again where a kept choice is no longer offered', async () => {
    const pick = (...options: string[]): object => ({
      servers: { a: web('level') },
      inputs: [{ type: 'pickString', id: 'level', options }],
    });
    const machine = new Machine().inFolder(pick('low', 'high'));
    machine.answer = () => Promise.resolve('low');
    const window = machine.window();
    assert.deepEqual(headersOf(await window.serversFor('A', FOLDER, ALL)), ['low']);
    machine.inFolder(pick('mid'));
    machine.answer = () => Promise.resolve('mid');
    assert.deepEqual(headersOf(await window.serversFor('A', FOLDER, ALL)), ['mid']);
  });

  it('MC-6: work for the window where the secret storage does not, and the log holds no answer', async () => {
    const machine = new Machine().inFolder({ servers: { a: web('key') }, inputs: [text('key')] });
    machine.secrets.broken = true;
    const window = machine.window();
    await window.serversFor('A', FOLDER, ALL);
    assert.deepEqual(headersOf(await window.serversFor('A', FOLDER, ALL)), ['answer-key']);
    assert.deepEqual(machine.asked, ['key']);
    assert.ok(machine.lines.some((line) => line.includes('secret storage')));
    assert.ok(!machine.lines.join('\n').includes('answer-key'));
  });
});

describe('the choice of MCP servers', () => {
  const chosen = async (machine: Machine, agentId: string): Promise<string[]> =>
    (await machine.window().serversFor(agentId, FOLDER, ALL)).servers.map(({ name }) => name);

  it('MC-1: is remembered per agent, across windows; a new server is on', async () => {
    const machine = new Machine()
      .inFolder({ servers: { a: { command: 'npx' }, b: { command: 'npx' } } })
      .forUser({ servers: { c: { command: 'npx' }, d: { command: 'npx' } } });
    machine.pick = (choices) => choices.filter(({ name }) => name === 'b' || name === 'c');
    await machine.window().choose('A');
    assert.deepEqual(await chosen(machine, 'A'), ['b', 'c']);
    assert.deepEqual(await chosen(machine, 'B'), ['a', 'b', 'c', 'd']);
    machine.inFolder({ servers: { a: { command: 'npx' }, e: { command: 'npx' } } });
    assert.deepEqual(await chosen(machine, 'A'), ['e', 'c']);
    await machine.window().choose('A');
    assert.deepEqual(
      machine.choices.map(({ name, from, on }) => [name, from, on]),
      [
        ['a', 'shop', false],
        ['e', 'shop', true],
        ['c', 'user', true],
        ['d', 'user', false],
      ],
    );
    machine.pick = (choices) => [...choices];
    await machine.window().choose('A');
    assert.deepEqual(await chosen(machine, 'A'), ['a', 'e', 'c', 'd']);
  });

  it('MC-1: changes nothing when it is left', async () => {
    const machine = new Machine().inFolder({ servers: { a: { command: 'npx' } } });
    await machine.window().choose('A');
    assert.equal(machine.choices.length, 1);
    assert.deepEqual(await chosen(machine, 'A'), ['a']);
    assert.equal(machine.workspace.values.size, 0);
  });

  it('MC-1: keeps servers of a workspace in its own memory', async () => {
    const machine = new Machine()
      .inFolder({ servers: { a: { command: 'npx' } } })
      .forUser({ servers: { a: { command: 'npx', args: ['user'] } } });
    machine.pick = (choices) => choices.filter(({ from }) => from === 'user');
    await machine.window().choose('A');
    assert.equal(machine.user.values.size, 1);
    const { servers } = await machine.window().serversFor('A', FOLDER, ALL);
    assert.deepEqual(servers, [{ name: 'a', command: '/usr/bin/npx', args: ['user'], env: [] }]);
    machine.workspace.values.clear();
    assert.deepEqual((await machine.window().serversFor('A', FOLDER, ALL)).servers, [
      { name: 'a', command: '/usr/bin/npx', args: [], env: [] },
    ]);
  });

  it('MC-6: does not show servers of a workspace that is not trusted', async () => {
    const machine = new Machine().inFolder({ servers: { a: { command: 'npx' } } });
    machine.trusted = false;
    await machine.window().choose('A');
    assert.deepEqual(machine.said, [{ what: 'noServers' }]);
    machine.forUser({ servers: { c: { command: 'npx' } } });
    await machine.window().choose('A');
    assert.deepEqual(
      machine.choices.map(({ name }) => name),
      ['c'],
    );
  });

  it('MC-1: shows what is wrong with a server', async () => {
    const machine = new Machine().inFolder({ servers: { a: {} } });
    await machine.window().choose('A');
    assert.deepEqual(machine.choices, [{ name: 'a', from: 'shop', on: true, problem: 'noCommand' }]);
  });
});

describe("the person's own mcp.json", () => {
  it('MC-1: lies next to the storage of extensions, by profile', () => {
    assert.equal(userConfigFile('/d/User/globalStorage/parley.parley'), '/d/User/mcp.json');
    assert.equal(
      userConfigFile('/d/User/profiles/5f/globalStorage/parley.parley'),
      '/d/User/profiles/5f/mcp.json',
    );
    assert.equal(userConfigFile('/d/elsewhere/parley.parley'), undefined);
  });
});
