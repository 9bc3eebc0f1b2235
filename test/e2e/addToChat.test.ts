import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator } from 'playwright-core';
import { asList, asObject } from '../../src/core/json';
import { agentFile } from '../support/fakeAgents';
import { until } from '../vscode/until';
import { Caller } from './support/caller';
import { type ChatDriver, useChat } from './support/chatDriver';
import { chooseInMenu, lastSent, openFile } from './support/workbench';

const chips = (chat: ChatDriver): Locator =>
  chat.frame.locator('[data-parley="attachments"] [data-attachment]');
const chip = (chat: ChatDriver, text: string): Locator => chips(chat).filter({ hasText: text });

/** The text that a prompt carries for an attachment of that name. */
async function carried(chat: ChatDriver, name: string): Promise<string> {
  const { prompt } = await lastSent(chat, 'session/prompt');
  const uri = `parley:/${encodeURIComponent(name)}`;
  const resources = asList(prompt).map((block) => asObject(asObject(block)['resource']));
  return String(resources.find((resource) => resource['uri'] === uri)?.['text']);
}

describe('adding to the chat', function () {
  this.timeout(120_000);
  let caller: Caller;
  const chat = useChat(() => ({
    files: { 'src/a.txt': 'one\n', 'src/b.txt': 'two\n', 'c.txt': 'first\nsecond\nan oops here\n' },
    agents: { Reference: { command: process.execPath, args: [agentFile('reference')] } },
    settings: { 'terminal.integrated.shellIntegration.enabled': false },
    calls: (caller = new Caller()).folder,
  }));
  afterEach(() => caller.dispose());
  const uri = (...path: string[]): string => pathToFileURL(join(chat().folder, ...path)).href;

  it('PT-4 takes folders and several files of the explorer, and the file of a tab', async () => {
    const { page } = chat();
    const tree = page.locator('.explorer-folders-view');
    await tree.getByText('src', { exact: true }).click();
    // The explorer selects the file whose editor comes to the front, which may be a moment later.
    await until('two selected files', async () => {
      await tree.getByText('a.txt').click();
      await page.locator('.tab.active', { hasText: 'a.txt' }).waitFor();
      await tree.getByText('b.txt').click({ modifiers: ['Control'] });
      return (await tree.locator('.monaco-list-row.selected').count()) === 2 || undefined;
    });
    await chooseInMenu(chat(), tree.getByText('b.txt'), 'Add File to Chat');
    await chip(chat(), 'b.txt').waitFor();
    await chooseInMenu(chat(), tree.getByText('src', { exact: true }), 'Add Folder to Chat');
    await chip(chat(), 'src').waitFor();
    await openFile(chat(), 'c.txt');
    await chooseInMenu(chat(), page.locator('.tab.active'), 'Add File to Chat');
    await chip(chat(), 'c.txt').waitFor();

    assert.equal(await chat().prompt('capabilities'), 'end_turn');
    const { prompt } = await lastSent(chat(), 'session/prompt');
    const links = asList(prompt).slice(1).map(asObject);
    assert.deepEqual(
      new Set(links.map((link) => link['uri'])),
      new Set([uri('src', 'a.txt'), uri('src', 'b.txt'), uri('src'), uri('c.txt')]),
    );
    assert.ok(links.every((link) => link['type'] === 'resource_link'));
  });

  it('PT-5 takes a problem from the fixes of the editor, and by its command', async () => {
    const { page } = chat();
    const editor = await openFile(chat(), 'c.txt');
    await caller.call('parley-caller.problem', join(chat().folder, 'c.txt'), 2, 3, 7, 'No such\nword.');
    await editor.locator('.squiggly-error').first().waitFor();
    await editor.locator('.view-line', { hasText: 'oops' }).click();
    await page.keyboard.press('Home');
    for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight');
    const entry = page.locator('.action-widget .monaco-list-row.focused', { hasText: 'Add to Parley chat' });
    await until('the fix to be offered', async () => {
      await page.keyboard.press('Control+.');
      return entry.waitFor({ timeout: 3_000 }).then(
        () => true as const,
        () => undefined,
      );
    });
    // By the key: in some versions a press goes to what lies above the list.
    await page.keyboard.press('Enter');
    await chip(chat(), 'Problem in c.txt:3').waitFor();
    assert.equal(await chat().entries().count(), 0, 'nothing is sent by adding');

    assert.equal(await chat().prompt('capabilities'), 'end_turn');
    const text = await carried(chat(), 'Problem in c.txt:3');
    assert.match(text, /^c\.txt:3:4: error: No such word\. \[caller\]\n/);
    assert.match(text, /\n {2}2 \| second\n> 3 \| an oops here/);
    await chat().window.runCommand('Parley: Add Problem to Chat');
    await chip(chat(), 'Problem in c.txt:3').waitFor();
  });

  it('PT-5 takes changes of source control: a file with its diff, a group, all', async () => {
    const { page, folder } = chat();
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
    git('init', '-q');
    git('add', '.');
    git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-qm', 'x');
    appendFileSync(join(folder, 'src/a.txt'), 'more of a\n');
    appendFileSync(join(folder, 'src/b.txt'), 'more of b\n');
    mkdirSync(join(folder, 'new'));
    writeFileSync(join(folder, 'new/c.txt'), 'c\n');
    await chat().window.runCommand('Source Control: Focus on Changes View');
    const row = page.locator('.scm-view .monaco-list-row');
    await until('git to list the changes', async () => {
      if ((await row.filter({ hasText: 'a.txt' }).count()) > 0) return true;
      await chat().window.runCommand('Git: Refresh');
      return undefined;
    });
    await chooseInMenu(chat(), row.filter({ hasText: 'a.txt' }), 'Add Changes to Chat');
    await chip(chat(), 'Changes of a.txt').waitFor();
    await chooseInMenu(chat(), row.filter({ hasText: /^Changes/ }), 'Add Changes to Chat');
    await chip(chat(), 'Changes: Changes').waitFor();
    await chat().window.runCommand('Parley: Add Changes to Chat');
    await chip(chat(), 'Git changes').waitFor();

    assert.equal(await chat().prompt('capabilities'), 'end_turn');
    const one = await carried(chat(), 'Changes of a.txt');
    assert.match(one, /\+more of a/);
    assert.doesNotMatch(one, /more of b/);
    assert.match(await carried(chat(), 'Changes: Changes'), /\+more of a[^]*\+more of b/);
    assert.match(await carried(chat(), 'Git changes'), /New files:[^]*c\.txt/);
  });

  it('PT-5 takes the selection of a terminal, and the clipboard is as before', async () => {
    const { page } = chat();
    const clipboard = (): Promise<string> => page.evaluate('navigator.clipboard.readText()');
    await chat().window.runCommand('Terminal: Create New Terminal');
    await page.locator('.terminal-wrapper.active .xterm').waitFor();
    await page.keyboard.type('echo par""ley\n');
    await page.evaluate('navigator.clipboard.writeText("mine")');
    const added = chip(chat(), 'Terminal: ').first();
    // What the shell prints in between takes the selection away again.
    await until('the selection in the chat', async () => {
      await chat().window.runCommand('Terminal: Select All');
      await chat().window.runCommand('Parley: Add Terminal Selection to Chat');
      const isThere = added.waitFor({ timeout: 5_000 }).then(() => true);
      return isThere.catch(() => undefined);
    });
    await until('the clipboard', async () => (await clipboard()) === 'mine' || undefined);
    const name = (await added.innerText()).trim();

    assert.equal(await chat().prompt('capabilities'), 'end_turn');
    assert.match(await carried(chat(), name), /echo par""ley/);
  });
});
