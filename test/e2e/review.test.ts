import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { until } from '../vscode/until';
import { useChat, type ChatDriver } from './support/chatDriver';
import { openFile, pickRow } from './support/workbench';

const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const text = (...changes: string[]): string =>
  `${names.map((name) => changes.find((line) => line.toLowerCase() === name) ?? name).join('\n')}\n`;
const files = { 'a.txt': text(), 'b.txt': text(), 'sub/c.txt': text() };
const SED = 'run sed -i -e s/^two$/TWO/ -e s/^eight$/EIGHT/ a.txt b.txt sub/c.txt';

const read = (chat: ChatDriver, name: string): string => readFileSync(join(chat.folder, name), 'utf8');

/** Waits until a file has a text. */
async function expectText(chat: ChatDriver, name: string, wanted: string): Promise<void> {
  await until(`${name} to be as wanted`, () => read(chat, name) === wanted || undefined, 10_000).catch(() =>
    assert.equal(read(chat, name), wanted),
  );
}

/** The agent changes three files with a tool of its own. */
async function change(chat: ChatDriver): Promise<void> {
  await chat.send(SED);
  await chat.choose('allow_once');
  assert.equal(await chat.nextEnd(0), 'end_turn');
  await expectText(chat, 'sub/c.txt', text('TWO', 'EIGHT'));
}

const changed = (chat: ChatDriver): Locator => chat.page.locator('.scm-view .resource');

async function showControl(chat: ChatDriver): Promise<void> {
  await chat.page.locator('.activitybar .codicon-source-control-view-icon').click({ force: true });
}

async function expectChanged(chat: ChatDriver, count: number): Promise<void> {
  await until(`${count} files to wait`, async () => (await changed(chat).count()) === count || undefined);
}

async function putCursor(chat: ChatDriver, line: number): Promise<void> {
  await chat.window.runCommand('Go to Line/Column...');
  await chat.page.keyboard.insertText(String(line));
  await chat.page.keyboard.press('Enter');
}

/** Answers the question that lies above all else. */
async function answer(chat: ChatDriver, button: string, said: RegExp): Promise<void> {
  const dialog = chat.page.locator('.monaco-dialog-box');
  await dialog.waitFor();
  assert.match(await dialog.innerText(), said);
  await dialog.getByRole('button', { name: button, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

describe('the review of what an agent changed with its own tools', function () {
  this.timeout(120_000);
  const chat = useChat(() => ({ files, settings: { 'files.autoSave': 'off' } }));

  it('lists all files, takes one hunk back at the cursor, undoes the turn around a later edit, and redoes it', async () => {
    await change(chat());
    const list = chat().frame.locator('[data-parley="changes"]');
    await list.getByText('3 files changed').click();
    await list.locator('[data-path]').nth(2).waitFor();
    assert.equal(await list.locator('[data-path]').count(), 3);
    await showControl(chat());
    await expectChanged(chat(), 3);

    await openFile(chat(), 'a.txt');
    await putCursor(chat(), 2);
    await chat().window.runCommand('Parley: Revert Change');
    await expectText(chat(), 'a.txt', text('EIGHT'));

    await openFile(chat(), 'b.txt');
    await putCursor(chat(), 5);
    await chat().page.keyboard.press('End');
    await chat().page.keyboard.type(' mine');
    await chat().page.keyboard.press('Control+s');
    const mine = (whole: string): string => whole.replace('five', 'five mine');
    await expectText(chat(), 'b.txt', mine(text('TWO', 'EIGHT')));

    await chat().window.runCommand('Parley: Undo Turn');
    await chat().page.locator('.monaco-dialog-box').waitFor();
    await chat().page.keyboard.press('Escape');
    await chat().page.locator('.tab', { hasText: 'Preview of changes' }).waitFor({ state: 'detached' });
    assert.equal(read(chat(), 'sub/c.txt'), text('TWO', 'EIGHT'), 'Escape changes nothing');
    await chat().window.runCommand('Parley: Undo Turn');
    await answer(chat(), 'Undo', /Undo the turn in 3 files\?[\s\S]*Changed since/);
    await expectText(chat(), 'a.txt', text());
    await expectText(chat(), 'b.txt', mine(text()));
    await expectText(chat(), 'sub/c.txt', text());
    await expectChanged(chat(), 0);

    await chat().page.locator('.notification-toast').getByRole('button', { name: 'Redo' }).click();
    await expectText(chat(), 'b.txt', mine(text('TWO', 'EIGHT')));
    await expectText(chat(), 'a.txt', text('EIGHT'));
    await expectChanged(chat(), 3);
  });

  it('waits on over a reload: kept, reverted and undone as before', async () => {
    await change(chat());
    await chat().reload();
    await chat().waitConnection('ready');
    await showControl(chat());
    await expectChanged(chat(), 3);
    const row = changed(chat()).filter({ hasText: 'a.txt' });
    await row.hover();
    await row.getByRole('button', { name: 'Keep File' }).click();
    await expectChanged(chat(), 2);
    writeFileSync(join(chat().folder, 'b.txt'), text('TWO', 'five', 'EIGHT').replace('nine', 'nine mine'));
    await changed(chat()).filter({ hasText: 'b.txt' }).click();
    await chat().page.locator('.tab.active', { hasText: 'b.txt (change by the agent)' }).waitFor();
    // The editor takes over what another program wrote a moment later.
    await chat().page.locator('.view-line', { hasText: 'mine' }).first().waitFor();
    await chat().page.locator('.editor-actions').getByRole('button', { name: 'Revert File' }).click();
    await answer(chat(), 'Revert', /Revert 1 file\?/);
    await expectText(chat(), 'b.txt', text().replace('nine', 'nine mine'));
    await expectChanged(chat(), 1);
    await chat().window.runCommand('Parley: Undo Turn');
    await answer(chat(), 'Undo', /Undo the turn in 2 files\?/);
    await expectText(chat(), 'a.txt', text());
    await expectText(chat(), 'sub/c.txt', text());
    await chat().reload();
    await chat().waitConnection('ready');
    await chat().window.runCommand('Parley: Redo Turn');
    await expectText(chat(), 'a.txt', text('TWO', 'EIGHT'));
  });

  it('shows the changes beside the text, where each is kept or taken back', async () => {
    const { page } = chat();
    await change(chat());
    await openFile(chat(), 'a.txt');
    await page.locator('.dirty-diff-glyph').nth(1).waitFor();
    await putCursor(chat(), 1);
    await chat().window.runCommand('Show Next Change');
    const peek = page.locator('.peekview-widget');
    await peek.locator('.codicon-discard').click();
    await expectText(chat(), 'a.txt', text('EIGHT'));
    await page.locator('.dirty-diff-glyph').nth(1).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await peek.waitFor({ state: 'detached' });
    await chat().window.runCommand('Show Next Change');
    await peek.locator('.codicon-check').click();
    await showControl(chat());
    await expectChanged(chat(), 2);
    assert.equal(read(chat(), 'a.txt'), text('EIGHT'));
  });

  it('asks for a file that was changed at the same place, and leaves it alone on Escape', async () => {
    const { page, window } = chat();
    await change(chat());
    const mine = text('EIGHT').replace('two', 'mine');
    writeFileSync(join(chat().folder, 'b.txt'), mine);
    await window.runCommand('Parley: Revert All');
    await answer(chat(), 'Revert', /Revert 3 files\?[\s\S]*you are asked for each: 1/);
    const choice = page.locator('.quick-input-widget:visible', { hasText: 'b.txt was changed since' });
    await choice.waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.tab', { hasText: 'b.txt (preview)' }).waitFor();
    // The question comes again when the difference is there.
    await until('the answer to be taken', async () => {
      if (await choice.isVisible()) await page.keyboard.press('Escape');
      return read(chat(), 'a.txt') === text() || undefined;
    });
    await expectText(chat(), 'sub/c.txt', text());
    await page.locator('.tab').waitFor({ state: 'detached' });
    assert.equal(read(chat(), 'b.txt'), mine);
    await window.runCommand('Parley: Revert All');
    await pickRow(chat(), 'Take the earlier text');
    await expectText(chat(), 'b.txt', text());
    await window.runCommand('Parley: Review Changes');
    await page.locator('.notification-toast', { hasText: 'Nothing to review.' }).waitFor();
  });

  it('makes a comment on a line the next prompt, with the line', async () => {
    const { page, window } = chat();
    await change(chat());
    await openFile(chat(), 'a.txt');
    await putCursor(chat(), 2);
    await window.runCommand('Comments: Add Comment on Current Selection');
    const thread = page.locator('.review-widget');
    await thread.locator('.monaco-editor').first().click();
    await page.keyboard.insertText('why this?');
    await thread.getByRole('button', { name: 'Send to Agent' }).click();
    const asked = chat().entries('user').last();
    await asked.getByText('why this?').waitFor();
    await asked.getByText('a.txt:2').waitFor();
    await thread.locator('.comment-body', { hasText: 'why this?' }).waitFor();
    await window.runCommand('Parley: Keep All');
    await thread.waitFor({ state: 'detached' });
  });
});

describe('following an agent', function () {
  this.timeout(120_000);
  const chat = useChat(() => ({ files, settings: { 'parley.follow': true } }));

  it('TC-8 shows the file that the agent works on and leaves the focus in the chat', async () => {
    await chat().send('read b.txt');
    await chat().page.locator('.tab.active', { hasText: 'b.txt' }).waitFor();
    assert.equal(await chat().nextEnd(0), 'end_turn');
    await chat().page.keyboard.insertText('still here');
    assert.equal(await chat().composer.inputValue(), 'still here');
    await chat().window.runCommand('Parley: Follow Agent');
    await chat().page.locator('.notification-toast', { hasText: 'does not follow' }).waitFor();
    await chat().composer.press('Control+a');
    assert.equal(await chat().prompt('read a.txt'), 'end_turn');
    assert.equal(await chat().page.locator('.tab', { hasText: 'a.txt' }).count(), 0);
  });

  it('TC-8 does not cover the editor in which the person writes', async () => {
    const { page } = chat();
    await openFile(chat(), 'a.txt');
    await chat().send('count slowly to 30');
    await chat().waitText('2');
    await chat().send('read b.txt');
    const own = page.locator('.editor-instance', { hasText: 'seven' }).first();
    await own.locator('.view-line').first().click();
    await page.keyboard.type('mine');
    await page.locator('.tab', { hasText: 'b.txt' }).waitFor();
    assert.equal(await chat().nextEnd(1), 'end_turn');
    await page.keyboard.type(' too');
    await page.keyboard.press('Control+s');
    await until('the text to be saved', () => read(chat(), 'a.txt').includes('mine too') || undefined);
    assert.equal(read(chat(), 'b.txt'), text());
  });
});
