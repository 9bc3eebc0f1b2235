import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator } from 'playwright-core';
import { asObject, type JsonObject } from '../../src/core/json';
import { agentFile } from '../support/fakeAgents';
import { until } from '../vscode/until';
import { Caller } from './support/caller';
import { useChat } from './support/chatDriver';
import { lastSent, openFile } from './support/workbench';

const DATE = `export const zone = 'UTC';

export function formatDate(date: Date): string {
  const year = date.getFullYear();
  return String(year);
}

export function parseDate(text: string): Date {
  return new Date(text);
}
`;

const OTHER = `// One more.
export function parseCalendar(): void {
  return;
}
`;

describe('the composer in a real VS Code', function () {
  this.timeout(120_000);
  let caller: Caller;
  const chat = useChat(() => ({
    // It has a small language service as well.
    calls: (caller = new Caller()).folder,
    files: { 'src/date.ts': DATE, 'src/other.ts': OTHER, 'src/bundle.md': 'x\n' },
    agents: { Reference: { command: process.execPath, args: [agentFile('reference')] } },
  }));
  afterEach(() => caller.dispose());
  const chips = (): Locator => chat().frame.locator('[data-attachment]');
  const row = (name: string): Locator =>
    chat()
      .frame.locator('[data-parley="mentions"]')
      .getByRole('option')
      .filter({ has: chat().frame.locator('.list-name', { hasText: new RegExp(`^${name}$`) }) });
  const blocks = async (): Promise<JsonObject[]> => {
    const { prompt } = await lastSent(chat(), 'session/prompt');
    return (prompt as unknown[]).map(asObject);
  };
  /** Types a mention; true if it has a line with this text in time. */
  const isOffered = async (text: string, name: string): Promise<true | undefined> => {
    await chat().composer.fill('');
    await chat().page.keyboard.type(text);
    const rows = chat().frame.locator('[data-parley="mentions"]').getByRole('option');
    return rows
      .filter({ hasText: name })
      .first()
      .waitFor({ timeout: 3_000 })
      .then(
        () => true as const,
        () => undefined,
      );
  };
  /** Types a mention until it has a line, as a person tries again what the editor learns only now. */
  const typeUntil = (text: string, name: string): Promise<true> =>
    until(`"${name}" for ${text}`, () => isOffered(text, name), 60_000);

  it('PT-3 sends a pasted image scaled down, and opens it in an editor', async () => {
    const { frame, page } = chat();
    await frame.evaluate(`(async () => {
      const canvas = new OffscreenCanvas(3000, 1500);
      canvas.getContext('2d').fillRect(0, 0, 1000, 1000);
      const blob = await canvas.convertToBlob({ type: 'image/png' });
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([blob], 'shot.png', { type: 'image/png' }));
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.querySelector('[data-parley="composer"]').dispatchEvent(event);
    })()`);
    await chips().getByText('shot.png').waitFor();
    assert.equal(await chat().prompt('capabilities'), 'end_turn');
    const [, image] = await blocks();
    assert.deepEqual([image?.['type'], image?.['mimeType']], ['image', 'image/png']);
    const bytes = Buffer.from(String(image?.['data']), 'base64');
    assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [2000, 1000]);
    await chat().entries('user').getByRole('button', { name: 'Open image' }).click();
    await page.locator('.tab', { hasText: /image-[0-9a-f]{8}\.png/ }).waitFor();
  });

  it('PT-4 PT-5 attaches the lines of a symbol and dropped files, and leaves out what git ignores', async () => {
    const { folder, frame, composer, page } = chat();
    mkdirSync(join(folder, 'out'));
    writeFileSync(join(folder, 'out', 'bundle.js'), 'x\n');
    writeFileSync(join(folder, '.gitignore'), 'out/\n');
    execFileSync('git', ['init', '-q'], { cwd: folder });
    await openFile(chat(), 'date.ts');
    await composer.click();
    await typeUntil('@#format', 'formatDate');
    await page.keyboard.press('Enter');
    await chips().getByText('date.ts:3-6').waitFor();
    await typeUntil('@parseCal', 'parseCalendar');
    await page.keyboard.press('Tab');
    await chips().getByText('other.ts:2-4').waitFor();
    await typeUntil('@bundle', 'bundle.md');
    assert.equal(await row('bundle.js').count(), 0);
    await composer.fill('');

    const uri = (...path: string[]): string => pathToFileURL(join(folder, ...path)).href;
    const list = JSON.stringify([uri('src'), uri('src', 'bundle.md')].join('\r\n'));
    await frame.evaluate(`{
      const dataTransfer = new DataTransfer();
      dataTransfer.setData('application/vnd.code.uri-list', ${list});
      for (const type of ['dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    }`);
    await chips().getByText('bundle.md').waitFor();
    assert.equal(await chat().prompt('capabilities'), 'end_turn');
    const [, symbol, other, directory, file] = await blocks();
    const resource = asObject(symbol?.['resource']);
    assert.equal(resource['uri'], `${uri('src', 'date.ts')}#L3-L6`);
    assert.equal(resource['text'], DATE.split('\n').slice(2, 6).join('\n'));
    assert.equal(asObject(other?.['resource'])['text'], OTHER.split('\n').slice(1, 4).join('\n'));
    assert.deepEqual(directory, { type: 'resource_link', uri: uri('src'), name: 'src' });
    assert.deepEqual(file, { type: 'resource_link', uri: uri('src', 'bundle.md'), name: 'bundle.md' });
  });

  it('PT-5 attaches the last command of the terminal with its output', async () => {
    const { page, window, composer } = chat();
    await window.runCommand('Terminal: Create New Terminal');
    const screen = page.locator('.terminal-wrapper.active .xterm-screen');
    await screen.waitFor();
    const run = async (command: string): Promise<void> => {
      await screen.click();
      await page.keyboard.type(command);
      await page.keyboard.press('Enter');
      await composer.click();
    };
    // The shell tells of its commands a little after it has begun.
    await until(
      'a command that is known',
      async () => {
        await run('true');
        return isOffered('@term', 'true');
      },
      60_000,
    );
    // The editor loses the output of a command that has ended before it looks.
    await run('sleep 1; echo "to"gether; sleep 1; (exit 3)');
    await until('the command to end', () => isOffered('@term', 'sleep 1; echo'), 30_000);
    await page.keyboard.press('Enter');
    await chips().getByText('Terminal output').waitFor();
    assert.equal(await chat().prompt('capabilities'), 'end_turn');
    const [, output] = await blocks();
    const text = String(asObject(output?.['resource'])['text']);
    assert.match(text, /^\$ sleep 1; echo "to"gether; sleep 1; \(exit 3\)\ntogether\n\(exit code 3\)$/);
  });
});
