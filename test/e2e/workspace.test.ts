import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { agentFile } from '../support/fakeAgents';
import { asList, asObject, type JsonObject } from '../../src/core/json';
import { until } from '../vscode/until';
import { Caller } from './support/caller';
import { useChat } from './support/chatDriver';
import { staysSo } from './support/staysSo';
import { lastSent, openFile, pickRow, sent } from './support/workbench';

const agent = (...args: string[]): object => ({
  command: process.execPath,
  args: [agentFile('sessions'), ...args],
});

const secret = 'hush-4711-hush';
const mcpJson = `{
  // What the team uses.
  "inputs": [{ "type": "promptString", "id": "token", "description": "Token of the tracker", "password": true }],
  "servers": {
    "local": { "type": "stdio", "command": "node", "args": ["\${workspaceFolder}/server.js", "--quiet"], "env": { "MODE": "test" } },
    "remote": { "type": "http", "url": "https://mcp.example.com/mcp", "headers": { "X-Team": "blue" } },
    "tracker": { "command": "node", "env": { "TOKEN": "\${input:token}" } }, /* the last one */
  },
}`;

/** The files below a folder that hold a text. */
function filesWith(text: string, folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter(
      (file) => statSync(file, { throwIfNoEntry: false })?.isFile() && readFileSync(file).includes(text),
    );
}

describe('MCP servers of the workspace', function () {
  this.timeout(120_000);
  let caller: Caller;
  const chat = useChat(() => ({
    files: { '.vscode/mcp.json': mcpJson },
    calls: (caller = new Caller()).folder,
    agents: { Plain: agent('--without', 'load,resume'), Linked: agent('--without', 'load,resume', '--http') },
    workspaceTrust: true,
  }));
  afterEach(() => caller.dispose());

  it('MC-2 MC-3 MC-4 MC-6 sends none before the workspace is trusted, then those that the agent can use; asks once', async () => {
    const { page, window, folder } = chat();
    const password = page.locator('.quick-input-widget:visible input[type="password"]');
    const started = ({ mcpServers }: JsonObject): JsonObject[] => asList(mcpServers).map(asObject);
    assert.deepEqual(started(await lastSent(chat(), 'session/new')), []);

    await window.runCommand('Workspaces: Manage Workspace Trust');
    await page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).click();
    await password.fill(secret);
    await page.keyboard.press('Enter');
    const [local, tracker, ...more] = started(await lastSent(chat(), 'session/new', 2));
    assert.deepEqual(more, [], 'no http for an agent that did not announce it');
    const { command, ...rest } = local ?? {};
    assert.ok(isAbsolute(String(command)) && basename(String(command)) === 'node', String(command));
    const env = [{ name: 'MODE', value: 'test' }];
    assert.deepEqual(rest, { name: 'local', args: [join(folder, 'server.js'), '--quiet'], env });
    const token = [{ name: 'TOKEN', value: secret }];
    assert.deepEqual(tracker, { name: 'tracker', command, args: [], env: token });
    await page.locator('.notification-list-item', { hasText: 'remote' }).first().waitFor();

    // The newest VS Code shows the page of the trust above all else, where it takes the keys.
    const close = page.locator('.monaco-modal-editor-block .codicon-close');
    if ((await close.count()) > 0) await close.last().click();
    await window.runCommand('Parley: Select Agent');
    await pickRow(chat(), 'Linked');
    const all = started(await lastSent(chat(), 'session/new', 3));
    const headers = [{ name: 'X-Team', value: 'blue' }];
    const remote = { type: 'http', name: 'remote', url: 'https://mcp.example.com/mcp', headers };
    assert.deepEqual(all, [local, remote, tracker]);
    await chat().waitConnection('ready');

    // The VS Code in a browser forgets its secrets with the page, so it is the extension host that starts anew.
    caller.crashHost();
    assert.deepEqual(started(await lastSent(chat(), 'session/new', 4)), all);
    assert.equal(await password.count(), 0);
    assert.notDeepEqual(filesWith('MCP servers for Linked', window.dataFolder), [], 'the log is there');
    assert.deepEqual(filesWith(secret, window.dataFolder), []);
  });
});

describe('a workspace with two folders', function () {
  this.timeout(120_000);
  const chat = useChat(() => ({
    files: {
      'north/one.txt': '1\n',
      'south/two.txt': '2\n',
      'both.code-workspace': JSON.stringify({ folders: [{ path: 'north' }, { path: 'south' }] }),
    },
    workspace: 'both.code-workspace',
    agents: { Wide: agent(), Narrow: agent('--without', 'roots') },
    connection: 'none',
  }));

  it('SE-21 SE-25 asks for the folder at the first prompt, then goes by the editor; the other folder goes along', async () => {
    const { window, folder } = chat();
    const [north, south] = [join(folder, 'north'), join(folder, 'south')];
    const roots = async (): Promise<unknown> => JSON.parse((await chat().said()).trim());
    const noAgent = (): Promise<void> =>
      Promise.resolve().then(() => assert.equal(chat().tap.lines('client').length, 0));
    await staysSo('no agent runs', noAgent, { holdMs: 1_500 });

    await chat().send('roots');
    await pickRow(chat(), 'south');
    assert.equal(await chat().nextEnd(0), 'end_turn');
    assert.deepEqual(await roots(), [south, north]);

    await openFile(chat(), 'one.txt');
    await window.runCommand('Parley: New Session');
    const { cwd, additionalDirectories } = await lastSent(chat(), 'session/new', 2);
    assert.deepEqual([cwd, additionalDirectories], [north, [south]]);
    // The page shows the new session a moment later than the agent hears of it.
    await until('the empty session', async () => (await chat().entries().count()) === 0 || undefined);
    await chat().waitConnection('ready');
    assert.equal(await chat().prompt('roots'), 'end_turn');
    assert.deepEqual(await roots(), [north, south]);

    await window.runCommand('Parley: Select Agent');
    await pickRow(chat(), 'Narrow');
    const narrow = await lastSent(chat(), 'session/new', 3);
    assert.equal(narrow['cwd'], north);
    assert.equal('additionalDirectories' in narrow, false);
    assert.equal(sent(chat(), 'session/new').length, 3);
  });
});
