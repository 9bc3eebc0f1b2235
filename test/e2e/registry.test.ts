import assert from 'node:assert/strict';
import { platformKey } from '../../src/core/agents/registryChoice';
import { sha256, tarGzOf } from '../support/archives';
import { agentFile } from '../support/fakeAgents';
import { RegistryServer } from '../support/registryServer';
import { useChat } from './support/chatDriver';
import { pickRow } from './support/workbench';

const windows = process.platform === 'win32';
const cmd = windows ? 'tiny.cmd' : 'tiny';

describe('the registry of agents', function () {
  this.timeout(180_000);
  let server: RegistryServer;
  const chat = useChat(async () => {
    server = await RegistryServer.start();
    return { settings: { 'parley.registry.url': `${server.address}/registry.json` } };
  });
  afterEach(() => server.stop());

  /** Offers a version of an agent that says back what it is told, or of one that ends at once. */
  const offer = (version: string, how: 'works' | 'broken'): void => {
    const start = how === 'works' ? `"${process.execPath}" "${agentFile('echo')}"` : 'exit 3';
    const text = windows ? `@${start}\r\n` : `#!/bin/sh\n${how === 'works' ? 'exec ' : ''}${start}\n`;
    const data = tarGzOf({ path: cmd, text, mode: 0o755 });
    const archive = server.serve(`/tiny-${version}.tar.gz`, { body: data });
    const target = { archive, cmd: `./${cmd}`, sha256: sha256(data) };
    const distribution = { binary: { [platformKey(process.platform, process.arch) ?? '']: target } };
    const description = 'Says back what it is told.';
    const tiny = { id: 'tiny', name: 'Tiny Agent', version, description, license: 'MIT', distribution };
    const npm = { npx: { package: 'other-agent@3.2.1' } };
    const other = { ...tiny, id: 'other', name: 'Other Agent', version: '3.2.1', distribution: npm };
    server.serve('/registry.json', { version: '1.0.0', agents: [tiny, other, { id: '../evil' }] });
  };
  const list = () => chat().page.locator('.quick-input-widget:visible');
  const row = () => list().locator('.monaco-list-row', { hasText: 'Tiny Agent' });
  const note = () => list().locator('input');
  const dialog = () => chat().page.locator('.monaco-dialog-box');
  const toast = (text: string) => chat().page.locator('.notification-toast', { hasText: text });
  const refresh = () => list().getByRole('button', { name: 'Look for new versions now' }).click();

  it('installs an agent that then answers, goes back where an update does not start, and works offline', async () => {
    offer('1.0.0', 'works');
    await chat().window.runCommand('Parley: Install Agent');
    await row().getByText('1.0.0 · program · MIT').waitFor();
    assert.match(
      (await note().getAttribute('placeholder')) ?? '',
      /just now\. Entries that can’t be used: 1/,
    );
    await row().click();
    await dialog().getByText(`${server.address}/tiny-1.0.0.tar.gz`).waitFor();
    await dialog().getByText('checked against the SHA-256').waitFor();
    await dialog().getByRole('button', { name: 'Install' }).click();
    await toast('Tiny Agent 1.0.0 is installed.').getByRole('button', { name: 'Open a Session' }).click();
    await chat().frame.locator('[data-parley="agent"]', { hasText: 'Echo' }).waitFor();
    await chat().waitConnection('ready');
    assert.equal(await chat().prompt('hello there'), 'end_turn');
    assert.match(await chat().said(), /hello there/);

    offer('2.0.0', 'broken');
    await chat().window.runCommand('Parley: Install Agent');
    await row().getByText('1.0.0 · program · MIT').waitFor();
    await refresh();
    await row().getByText('1.0.0 · update to 2.0.0').waitFor();
    await row().click();
    await pickRow(chat(), 'Update to 2.0.0');
    await dialog().getByRole('button', { name: 'Update' }).click();
    await toast('Tiny Agent 2.0.0 is installed.').getByRole('button', { name: 'Restart Agent' }).click();
    await toast('2.0.0 could not be started').getByRole('button', { name: 'Go back to 1.0.0' }).click();
    await chat().waitConnection('ready');
    await chat().prompt('back again');
    await chat().waitSaid(/back again/);

    await server.stop();
    await chat().window.runCommand('Parley: Install Agent');
    await row().waitFor();
    await refresh();
    await list().locator('input[placeholder*="Offline: the list is from"]').waitFor();
    await row().click();
    await pickRow(chat(), 'Remove');
    await dialog().getByText('open sessions that use it: 1').waitFor();
    await dialog().getByRole('button', { name: 'Remove' }).click();
    await chat().frame.getByText('There is no agent "Echo"').first().waitFor();
  });
});
