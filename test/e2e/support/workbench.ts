import type { Locator } from 'playwright-core';
import { until } from '../../vscode/until';
import { asObject, type JsonObject } from '../../../src/core/json';
import type { ChatDriver } from './chatDriver';

/** Opens a file by its name, as a person does, and gives the editor. */
export async function openFile(chat: ChatDriver, name: string): Promise<Locator> {
  const { page } = chat;
  await chat.window.runCommand('Go to File...');
  await page.keyboard.insertText(name);
  await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: name }).waitFor();
  await page.keyboard.press('Enter');
  const editor = page.locator('.editor-instance');
  await page.locator('.tab.active', { hasText: name }).waitFor();
  await editor.locator('.view-line').first().waitFor();
  return editor;
}

/** The quick pick in which a permission is asked. */
export function permissionPick({ page }: ChatDriver): Locator {
  return page.locator('.quick-input-widget:visible', {
    has: page.locator('input[placeholder*="asks for permission"]'),
  });
}

/** Moves to a row by the arrow keys; a press too soon after typing does not count, so it goes on until the row is reached. */
export async function moveToRow({ page }: ChatDriver, row: Locator): Promise<void> {
  await until('the row to be reached', async () => {
    if ((await row.getAttribute('class'))?.includes('focused')) return true;
    await page.keyboard.press('ArrowDown');
    return undefined;
  });
}

/** Takes a row of the list that VS Code shows on top. */
export async function pickRow(chat: ChatDriver, label: string): Promise<void> {
  const rows = chat.page.locator('.quick-input-widget:visible .monaco-list-row');
  await rows.filter({ hasText: label }).first().click();
}

/** Chooses an entry of the menu of something. */
export async function chooseInMenu(chat: ChatDriver, target: Locator, entry: string): Promise<void> {
  await target.click({ button: 'right' });
  const item = chat.page.getByRole('menuitem', { name: entry });
  await item.waitFor();
  // A menu takes no click in its first moments.
  await until('the menu to close', async () => {
    await item.click({ timeout: 2_000 }).catch(() => undefined);
    return (await item.count()) === 0 || undefined;
  });
}

/** The parameters of all requests and notifications of a method that Parley has sent so far, from the oldest process on. */
export function sent(chat: ChatDriver, method: string): JsonObject[] {
  const messages = chat.tap
    .lines('client')
    .flatMap((lines) => lines.map((line) => asObject(JSON.parse(line))));
  return messages.filter((message) => message['method'] === method).map(({ params }) => asObject(params));
}

/** Waits until Parley has sent so many messages of a method; gives the parameters of the last. */
export function lastSent(chat: ChatDriver, method: string, count = 1): Promise<JsonObject> {
  return until(`${count} × ${method}`, () => {
    const all = sent(chat, method);
    return all.length >= count ? all.at(-1) : undefined;
  });
}
