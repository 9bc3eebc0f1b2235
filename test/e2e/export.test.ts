import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asList, asObject } from '../../src/core/json';
import { until } from '../vscode/until';
import { useChat } from './support/chatDriver';
import { pickRow } from './support/workbench';

describe('the transcript leaves the chat', function () {
  this.timeout(120_000);
  const chat = useChat(() => ({
    files: { 'a.txt': 'first line of the file\n' },
    // The dialog of the operating system can't be driven.
    settings: { 'files.simpleDialog.enable': true },
  }));
  const run = (title: string): Promise<void> => chat().window.runCommand(`Parley: ${title}`);

  /** Exports into a file of the workspace and gives its text. */
  const exported = async (kind: string, name: string): Promise<string> => {
    const { page, folder } = chat();
    const file = join(folder, name);
    await run('Export Transcript');
    await pickRow(chat(), kind);
    const path = page.locator('.quick-input-widget:visible input[type="text"]');
    await until('the save dialog', async () => (await path.inputValue()).includes(folder) || undefined);
    assert.match(await path.inputValue(), /read-a-txt\.(md|json)$/);
    await path.fill(file);
    await until('the exported file', async () => {
      if (existsSync(file)) return true;
      await page.keyboard.press('Enter');
      return undefined;
    });
    return until('its text', () => readFileSync(file, 'utf8') || undefined);
  };

  it('as a Markdown and a JSON file, on the clipboard, and can be searched', async () => {
    const { page, frame, composer } = chat();
    assert.equal(await chat().prompt('read a.txt'), 'end_turn');

    const markdown = await exported('Markdown', 'out.md');
    assert.match(markdown, /^# read a\.txt\n/);
    assert.match(markdown, /\n## You\n\nread a\.txt\n/);
    assert.match(markdown, /\n### .*a\.txt.* · Completed\n/);
    assert.match(markdown, /first line of the file/);
    const json = asObject(JSON.parse(await exported('JSON', 'out.json')));
    assert.equal(json['format'], 'parley-transcript');
    assert.equal(json['version'], 1);
    const kinds = asList(json['entries']).map((entry) => asObject(entry)['kind']);
    assert.deepEqual([kinds[0], kinds.includes('tool'), kinds.at(-1)], ['user', true, 'end']);

    await run('Copy All as Markdown');
    await composer.click();
    await until('the transcript on the clipboard', async () => {
      await composer.fill('');
      await page.keyboard.press('Control+v');
      return (await composer.inputValue()).includes('## You\n\nread a.txt') || undefined;
    });
    await composer.fill('');

    await page.keyboard.press('Control+f');
    const field = frame.locator('[data-parley="find"] input');
    await field.fill('first line of');
    await frame.locator('.find-count', { hasText: /^1 of \d+$/ }).waitFor();
    await field.press('Escape');
    await field.waitFor({ state: 'detached' });
    await frame.locator('[data-parley="composer"]:focus').waitFor();
  });
});
