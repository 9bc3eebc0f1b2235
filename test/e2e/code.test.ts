import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { agentFile } from '../support/fakeAgents';
import { until } from '../vscode/until';
import { useChat } from './support/chatDriver';
import { staysSo } from './support/staysSo';
import { openFile, pickRow } from './support/workbench';

const FILE = 'export function one() {\n  return 1;\n}\n\nexport function two() {\n  return 2;\n}\n';
const BLOCK = '```ts src/a.ts\nexport function one() {\n  // better\n  return 11;\n}\n```';

describe('code blocks in a real VS Code', function () {
  this.timeout(120_000);
  const chat = useChat(() => ({
    files: { 'src/a.ts': FILE },
    agents: { Echo: { command: process.execPath, args: [agentFile('echo')] } },
    settings: {
      'workbench.colorTheme': 'Monokai',
      'editor.tokenColorCustomizations': { '[Monokai]': { comments: '#010203' } },
    },
  }));
  const block = (): Locator => chat().entries('agent').locator('.code').last();
  const press = async (name: string): Promise<void> => {
    await block().hover();
    await block().getByRole('button', { name, exact: true }).click();
  };
  const colorOf = (text: string): Promise<string | undefined> =>
    chat().frame.evaluate<string | undefined>(
      `(() => {
        const found = [...document.querySelectorAll('.code code span')].find((span) => span.textContent.trim() === ${JSON.stringify(text)});
        return found && getComputedStyle(found).color;
      })()`,
    );
  const waitColor = (text: string, color: string): Promise<true> =>
    until(
      `"${text}" in ${color}`,
      async () => ((await colorOf(text)) === color ? (true as const) : undefined),
      60_000,
    );
  const toast = (text: string): Locator =>
    chat().page.locator('.notification-toast').filter({ hasText: text }).first();
  const onDisk = (path: string): string => readFileSync(join(chat().folder, path), 'utf8');

  it('get the colours of the theme and of the settings, also when the theme changes', async () => {
    await chat().prompt(BLOCK);
    await waitColor('// better', 'rgb(1, 2, 3)');
    await waitColor('return', 'rgb(249, 38, 114)');
    await chat().page.keyboard.press('Control+k');
    await chat().page.keyboard.press('Control+t');
    await chat().page.locator('.quick-input-list .monaco-list-row.focused', { hasText: 'Monokai' }).waitFor();
    await chat().page.keyboard.insertText('Quiet Light');
    await chat()
      .page.locator('.quick-input-list .monaco-list-row.focused', { hasText: 'Quiet Light' })
      .waitFor();
    await chat().page.keyboard.press('Enter');
    await waitColor('return', 'rgb(75, 105, 198)');
    await waitColor('// better', 'rgb(170, 170, 170)');
  });

  it('are put where the cursor is', async () => {
    await chat().prompt('```sh\nnpm test\n```');
    const editor = await openFile(chat(), 'a.ts');
    await editor.locator('.view-line').first().click();
    await chat().page.keyboard.press('Control+Home');
    await press('Insert at cursor');
    await editor.getByText('npm testexport function one').waitFor();
    await chat().page.keyboard.press('Control+z');
    await editor.getByText('npm test').waitFor({ state: 'detached' });
  });

  it('are applied to the file that they name only after a look and a yes, as one step', async () => {
    const { page } = chat();
    await chat().prompt(BLOCK);
    await press('Apply to file…');
    await pickRow(chat(), 'a.ts');
    await page.locator('.monaco-diff-editor').getByText('return 11').first().waitFor();
    const question = toast('Apply the code to a.ts?');
    await question.waitFor();
    await page.keyboard.press('Enter');
    await staysSo(
      'the file',
      async () => assert.equal(await readFile(join(chat().folder, 'src/a.ts'), 'utf8'), FILE),
      { holdMs: 500 },
    );
    await question.getByRole('button', { name: 'Discard', exact: true }).click();
    await page.locator('.monaco-diff-editor').waitFor({ state: 'detached' });
    assert.equal(onDisk('src/a.ts'), FILE);
    await press('Apply to file…');
    await pickRow(chat(), 'a.ts');
    await page.locator('.monaco-diff-editor').getByText('return 11').first().waitFor();
    await question.getByRole('button', { name: 'Apply', exact: true }).click();
    const editor = page.locator('.editor-instance');
    await editor.getByText('return 11').waitFor();
    assert.equal(onDisk('src/a.ts'), FILE, 'it is saved by the person');
    await editor.getByText('return 11').click();
    await page.keyboard.press('Control+s');
    const after = FILE.replace('  return 1;', '  // better\n  return 11;');
    await until('the saved file', () => onDisk('src/a.ts') === after || undefined);
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+s');
    await until('the file as it was', () => onDisk('src/a.ts') === FILE || undefined);
  });

  it('make a new file, and name one outside of the folder as such', async () => {
    const { page } = chat();
    await chat().prompt('```ts src/fresh.ts\nexport {};\n```');
    await press('Apply to file…');
    await pickRow(chat(), 'fresh.ts');
    await toast('Create fresh.ts with the code?').getByRole('button', { name: 'Apply', exact: true }).click();
    await until('the file', () => existsSync(join(chat().folder, 'src/fresh.ts')) || undefined);
    assert.equal(onDisk('src/fresh.ts'), 'export {};\n');

    await chat().prompt('```ts ../parleyOutside.ts\nexport {};\n```');
    await press('Apply to file…');
    const row = page
      .locator('.quick-input-widget:visible .monaco-list-row')
      .filter({ hasText: 'parleyOutside.ts' });
    await row.filter({ hasText: 'outside the folders of this session' }).click();
    const question = toast('is outside the folders of this session.');
    await question.getByRole('button', { name: 'Discard', exact: true }).click();
    await question.waitFor({ state: 'detached' });
    assert.ok(!existsSync(join(chat().folder, '..', 'parleyOutside.ts')));
  });
});
