import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { agentFile } from '../support/fakeAgents';
import { until } from '../vscode/until';
import { useChat, type ChatDriver } from './support/chatDriver';

const windows = process.platform === 'win32';

/** Puts a program of that name into a folder; it is an agent that says back what it is told. */
function putAgent(folder: string, name: string): void {
  const file = join(folder, windows ? `${name}.cmd` : name);
  const start = `"${process.execPath}" "${agentFile('echo')}"`;
  writeFileSync(file, windows ? `@${start}\r\n` : `#!/bin/sh\nexec ${start}\n`);
  chmodSync(file, 0o755);
}

/** `parley.agents` of the user settings, as it is on disk. */
function userAgents({ window }: ChatDriver): Record<string, unknown> | undefined {
  const files = ['data/User/settings.json', 'data/Machine/settings.json', 'user/User/settings.json'];
  for (const file of files) {
    try {
      const settings = JSON.parse(readFileSync(join(window.dataFolder, file), 'utf8')) as Record<
        string,
        unknown
      >;
      const agents = settings['parley.agents'];
      if (agents) return agents as Record<string, unknown>;
    } catch {
      continue; // Not where this VS Code keeps them, or in the middle of a write.
    }
  }
  return undefined;
}

describe('the first run', function () {
  this.timeout(120_000);
  let bin = '';
  const chat = useChat(() => {
    bin = mkdtempSync(join(tmpdir(), 'parley-bin-'));
    putAgent(bin, 'gemini');
    // Only the login shell knows the folder, as in a window that was opened from the desktop.
    writeFileSync(join(bin, '.profile'), `export PATH="${bin}:$PATH"\n`);
    const env: Record<string, string> = windows
      ? { PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` }
      : { HOME: bin, SHELL: '/bin/sh' };
    return { env, files: { 'README.md': '# Shop\n' } };
  });
  afterEach(() => rmSync(bin, { recursive: true, force: true }));
  const welcome = () => chat().frame.locator('[data-parley="welcome"]');

  it('welcomes, and an example fills the composer', async () => {
    await welcome().getByText('Welcome to Parley').waitFor();
    await welcome().getByRole('button', { name: '/tour' }).click();
    await until('the example in the composer', async () =>
      (await chat().composer.inputValue()) === '/tour ' ? true : undefined,
    );
    assert.equal(await chat().entries().count(), 0);
    await chat().page.keyboard.press('Enter');
    await welcome().waitFor({ state: 'detached' });
    await chat().entries('user').waitFor();
  });

  it('finds an agent on the PATH without starting it, and Use adds it to the settings and opens a session', async () => {
    const found = chat().frame.locator('[data-found-agent="gemini"]');
    await found.getByText('--acp').waitFor();
    assert.equal(userAgents(chat()), undefined, 'nothing is written before the person asks for it');
    await found.getByRole('button', { name: 'Use Gemini CLI' }).click();
    await chat().frame.locator('[data-parley="agent"]', { hasText: 'Echo' }).waitFor();
    await chat().waitConnection('ready');
    assert.equal(await chat().prompt('hello there'), 'end_turn');
    assert.match(await chat().said(), /hello there/);
    const row = userAgents(chat())?.['Gemini CLI'] as { command: string; args: string[] };
    assert.equal(row.command, 'gemini');
    assert.deepEqual(row.args, ['--acp']);

    await chat().window.runCommand('Parley: Select Agent');
    await chat().page.locator('.quick-input-list .monaco-list-row', { hasText: 'Built-in' }).click();
    await found.getByText('in your settings as Gemini CLI').waitFor();
  });

  it('adds a command line of the person by the command', async () => {
    const { page } = chat();
    await chat().window.runCommand('Parley: Add Agent');
    const rows = page.locator('.quick-input-list .monaco-list-row');
    await rows.filter({ hasText: 'Gemini CLI' }).first().waitFor();
    await rows.filter({ hasText: 'Command line of your own' }).click();
    const box = page.locator('.quick-input-widget:visible input');
    await page.locator('.quick-input-widget:visible', { hasText: 'Command line of the agent' }).waitFor();
    await box.fill('gemini "--acp');
    await page.getByText('A quotation mark is not closed.').waitFor();
    await box.fill(windows ? join(bin, 'gemini.cmd') : 'gemini --acp');
    await page.keyboard.press('Enter');
    await page.locator('.quick-input-widget:visible', { hasText: 'Name of the agent' }).waitFor();
    await box.fill('Mine');
    await page.keyboard.press('Enter');
    await until('the row in the settings', () => userAgents(chat())?.['Mine']);
    if (!windows) await chat().frame.locator('[data-parley="agent"]', { hasText: 'Echo' }).waitFor();
  });

  it('opens the walkthrough', async () => {
    const { page } = chat();
    const title = page.getByText('Get Started with Parley').first();
    const own = page.getByText('Get Started with VS Code').first();
    await welcome().getByRole('button', { name: 'Get started' }).click();
    await title.or(own).first().waitFor();
    if (await own.isVisible()) {
      // VS Code 1.106 reads the walkthroughs of extensions only once its first such page is open.
      await chat().window.runCommand('View: Close All Editors');
      await own.waitFor({ state: 'detached' });
      await welcome().getByRole('button', { name: 'Get started' }).click();
    }
    await title.waitFor();
    for (const step of ['Open the chat', 'Try it without an account', 'Add your agent', 'Know the keys'])
      await page.getByText(step).first().waitFor();
  });
});

describe('the first run without a trusted folder', function () {
  this.timeout(120_000);
  const chat = useChat(() => ({ workspaceTrust: true }));

  it('says what is limited, and leads to the trust', async () => {
    const note = chat().frame.locator('[data-start-note="manageTrust"]');
    await note.getByText('no access to files or terminals').waitFor();
    await note.getByRole('button', { name: 'Manage trust' }).click();
    await chat().page.locator('.workspace-trust-editor').waitFor();
  });
});
