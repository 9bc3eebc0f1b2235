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

/** Takes a row of the list that VS Code shows on top. */
export async function pickRow(chat: ChatDriver, label: string): Promise<void> {
  const rows = chat.page.locator('.quick-input-widget:visible .monaco-list-row');
  await rows.filter({ hasText: label }).first().click();
}

/** Chooses an entry of the menu of something. */
export async function chooseInMenu(chat: ChatDriver, target: Locator, entry: string): Promise<void> {
  await target.click({ button: 'right' });
  await chat.page.getByRole('menuitem', { name: entry }).click();
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
