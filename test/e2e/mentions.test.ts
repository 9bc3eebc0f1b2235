import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator } from 'playwright-core';
import { asObject } from '../../src/core/json';
import { agentFile } from '../support/fakeAgents';
import { until } from '../vscode/until';
import { useChat } from './support/chatDriver';
import { lastSent, openFile } from './support/workbench';

describe('mentions in a real VS Code', function () {
  this.timeout(120_000);
  const chat = useChat(() => ({
    files: {
      'src/date.ts': 'one\ntwo\nthree\n',
      'src/calendar/day.ts': 'x\n',
      'node_modules/dates/date.js': 'x\n',
    },
    agents: { Reference: { command: process.execPath, args: [agentFile('reference')] } },
  }));
  const popup = (): Locator => chat().frame.locator('[data-parley="mentions"]');
  const row = (name: string): Locator =>
    popup()
      .getByRole('option')
      .filter({ has: chat().frame.locator('.list-name', { hasText: new RegExp(`^${name}$`) }) });
  const chips = (): Locator => chat().frame.locator('[data-attachment]');
  const type = (text: string): Promise<void> => chat().page.keyboard.type(text);

  /** Types a mention until it has a line, as a person tries again what the editor learns only now. */
  const typeUntil = (text: string, name: string): Promise<true> =>
    until(
      `"${name}" for ${text}`,
      async () => {
        await chat().composer.fill('');
        await type(text);
        const found = row(name).waitFor({ timeout: 2_000 });
        return found.then(
          () => true as const,
          () => undefined,
        );
      },
      60_000,
    );

  it('PT-4 PT-5 attaches files, folders, the selection and git changes by @', async () => {
    const { page, folder, composer } = chat();
    execFileSync('git', ['init', '-q'], { cwd: folder });
    const editor = await openFile(chat(), 'date.ts');
    await editor.locator('.view-line').first().click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Shift+ArrowDown');
    await composer.click();

    await typeUntil('@date', 'date.ts');
    assert.equal(await row('date.js').count(), 0, 'what searches leave out is left out');
    await page.keyboard.press('Enter');
    await typeUntil('@cal', 'calendar');
    await page.keyboard.press('Tab');
    await typeUntil('@sel', 'Selection');
    await page.keyboard.press('Enter');
    await chips().filter({ hasText: 'date.ts:1' }).waitFor();
    await typeUntil('@git', 'Git changes');
    await row('Git changes').click();
    await chips().filter({ hasText: 'Git changes' }).waitFor();

    writeFileSync(join(folder, 'src', 'brandNew.ts'), '');
    await typeUntil('@brand', 'brandNew.ts');
    await page.keyboard.press('Escape');
    await composer.fill('');
    assert.equal(await chat().prompt('capabilities'), 'end_turn');

    const { prompt } = await lastSent(chat(), 'session/prompt');
    const [text, file, directory, selection, changes] = (prompt as unknown[]).map(asObject);
    const uri = (...path: string[]): string => pathToFileURL(join(folder, ...path)).href;
    assert.deepEqual(text, { type: 'text', text: 'capabilities' });
    assert.deepEqual(file, { type: 'resource_link', uri: uri('src', 'date.ts'), name: 'date.ts' });
    assert.deepEqual(directory, { type: 'resource_link', uri: uri('src', 'calendar'), name: 'calendar' });
    assert.equal(asObject(selection?.['resource'])['text'], 'one\n');
    assert.match(String(asObject(changes?.['resource'])['text']), /New files:[^]*src\/date\.ts/);

    await page.keyboard.press('ArrowUp');
    assert.equal(await composer.inputValue(), 'capabilities');
  });
});
