import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../vscode/until';
import { useChat } from './support/chatDriver';

describe('the built-in agent in the chat', function () {
  this.timeout(120_000);
  const chat = useChat(() => ({
    files: { 'README.md': '# Shop\n\nSells dates.\n', 'src/date.js': 'export const day = 1;\n' },
  }));

  it('PT-8 answers plainly that it is no language model', async () => {
    assert.equal(await chat().prompt('What is the meaning of life?'), 'end_turn');
    assert.match(await chat().said(), /not a language model/);
  });

  it('FS-3 reads what stands in the editor, saved or not', async () => {
    const { page } = chat();
    await chat().window.runCommand('Go to File...');
    await page.keyboard.insertText('README.md');
    await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: 'README.md' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.editor-instance .view-line', { hasText: 'Sells dates.' }).click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.insertText('UNSAVED ');
    await page.locator('.view-line', { hasText: 'UNSAVED' }).waitFor();

    assert.equal(await chat().prompt('read README.md'), 'end_turn');
    const card = chat().entries('tool').first();
    await chat().frame.locator('[data-tool-call-id][data-status="completed"]').first().waitFor();
    assert.equal(
      await card.getAttribute('data-kind').catch(() => null),
      await chat().frame.locator('[data-tool-call-id]').first().getAttribute('data-kind'),
    );
    const all = await chat().frame.locator('[data-parley="transcript"]').innerText();
    assert.match(all, /UNSAVED/);
    assert.equal(readFileSync(join(chat().folder, 'README.md'), 'utf8').startsWith('UNSAVED'), false);
  });

  it('FS-9 DI-2 edits a file after a permission, and the change can be undone', async () => {
    const file = join(chat().folder, 'src/date.js');
    await chat().send('replace "day = 1" with "day = 2" in src/date.js');
    await chat().frame.locator('[data-permission]').waitFor();
    assert.equal(
      readFileSync(file, 'utf8'),
      'export const day = 1;\n',
      'nothing is written before the answer',
    );
    await chat().choose('allow_once');
    assert.equal(await chat().nextEnd(0), 'end_turn');
    assert.equal(readFileSync(file, 'utf8'), 'export const day = 2;\n');
    const card = chat().frame.locator('[data-tool-call-id][data-kind="edit"]');
    assert.equal(await card.getAttribute('data-status'), 'completed');
    await card.getByText('+1').first().waitFor();

    await card.getByRole('button', { name: 'Open diff' }).click();
    await chat().page.locator('.diff-editor, .monaco-diff-editor').first().waitFor();

    await card
      .getByRole('button', { name: /date\.js/ })
      .first()
      .click();
    await chat().page.locator('.editor-instance .view-line', { hasText: 'day = 2' }).first().click();
    await chat().page.keyboard.press('Control+z');
    await chat().page.locator('.editor-instance .view-line', { hasText: 'day = 1' }).first().waitFor();
  });

  it('PE-3 does nothing after a reject and says so', async () => {
    await chat().send('replace "day = 1" with "day = 2" in src/date.js');
    await chat().choose('reject_once');
    assert.equal(await chat().nextEnd(0), 'end_turn');
    assert.equal(readFileSync(join(chat().folder, 'src/date.js'), 'utf8'), 'export const day = 1;\n');
    assert.equal(await chat().frame.locator('[data-tool-call-id]').getAttribute('data-status'), 'rejected');
    assert.match(await chat().said(), /You rejected this step/);
  });

  it('TE-10 shows a command live in its card and in a terminal', async () => {
    const waits = "console.log('one'); setInterval(() => require('fs').existsSync('go') && end(), 20)";
    const ends = "const end = () => { console.log('two'); process.exit(); }";
    await chat().send(`run node -e "${ends}; ${waits}"`);
    await chat().choose('allow_once');
    const terminal = chat().frame.locator('[data-terminal-id]');
    await terminal.getByText('one', { exact: true }).waitFor();
    assert.equal(
      await terminal.getAttribute('data-exit'),
      null,
      'the first line is there before the command ends',
    );
    writeFileSync(join(chat().folder, 'go'), '');
    await terminal.getByText('two', { exact: true }).waitFor();
    assert.equal(await chat().nextEnd(0), 'end_turn');
    assert.equal(await terminal.getAttribute('data-exit'), '0');
    await terminal.getByText('one', { exact: true }).waitFor();

    assert.equal(
      await chat().page.locator('.terminal-wrapper.active').count(),
      0,
      'the terminal took no room',
    );
    await terminal.getByRole('button', { name: 'Open in terminal' }).click();
    await chat().page.locator('.terminal-wrapper.active .xterm-rows', { hasText: 'two' }).waitFor();
  });

  it('CA-1 stops in mid-stream, and the next prompt works', async () => {
    await chat().send('count slowly to 50');
    await chat().waitText('3');
    await chat().button('Stop').click();
    assert.equal(await chat().nextEnd(0), 'cancelled');
    await chat().waitTurn('idle');
    assert.equal(await chat().entries('error').count(), 0);
    assert.equal(await chat().prompt('list src'), 'end_turn');
    assert.match(await chat().frame.locator('[data-parley="transcript"]').innerText(), /date\.js/);
  });

  it('CA-1 stops by Escape in the composer and by the command', async () => {
    await chat().send('count slowly to 50');
    await chat().waitText('2');
    await chat().composer.click();
    await chat().page.keyboard.press('Escape');
    assert.equal(await chat().nextEnd(0), 'cancelled');
    await chat().send('count slowly to 50');
    await chat().waitTurn('running');
    await chat().window.runCommand('Parley: Cancel Turn');
    assert.equal(await chat().nextEnd(1), 'cancelled');
  });

  it('PL-2 gives the tour: plan, thought, Markdown, tools, permission with diff, terminal, task complete; and it can be undone', async () => {
    await chat().send('/tour');
    await chat().frame.locator('[data-parley="plan"] [data-plan-status]').first().waitFor();
    assert.equal(await chat().frame.locator('[data-parley="plan"] [data-plan-status]').count(), 4);
    const scratch = join(chat().folder, 'parley-tour.md');
    await chat().frame.locator('[data-permission]').getByText('parley-tour.md').first().waitFor();
    await chat().frame.locator('[data-permission] .diff').first().waitFor();
    assert.equal(existsSync(scratch), false, 'nothing is written before the answer');
    await until(
      'the end of the tour',
      async () => {
        if ((await chat().entries('end').count()) > 0) return true;
        const open = chat().frame.locator('[data-permission] [data-option-id="allow_once"]').first();
        if ((await open.count()) > 0) await open.click({ timeout: 2_000 }).catch(() => undefined);
        return undefined;
      },
      60_000,
    );
    assert.equal(await chat().entries('end').last().getAttribute('data-stop-reason'), 'end_turn');
    assert.ok((await chat().entries('thought').count()) > 0);
    assert.ok((await chat().entries('plan').count()) > 0);
    assert.ok((await chat().entries('agent').locator('table').count()) > 0);
    assert.ok((await chat().entries('agent').locator('pre code').count()) > 0);
    await chat().frame.locator('[data-terminal-id]').getByText('Line 5 of 5').waitFor();
    assert.equal(await chat().entries('error').count(), 0);
    await chat().frame.getByText('The tour of Parley is over.').last().waitFor();

    assert.ok(existsSync(scratch));
    await chat().window.runCommand('Parley: Undo Turn');
    const dialog = chat().page.locator('.monaco-dialog-box');
    await dialog.getByText(/Undo the turn in 1 file\?/).waitFor();
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await until('the scratch file to be gone', () => (existsSync(scratch) ? undefined : true));
  });

  it('SE-2 empties the chat for a new session, and MO-2 sets a mode', async () => {
    await chat().prompt('list src');
    await chat().window.runCommand('Parley: New Session');
    await until('an empty transcript', async () =>
      (await chat().entries().count()) === 0 ? true : undefined,
    );
    await chat().frame.locator('[data-config-id="mode"]').click();
    await chat().frame.locator('[data-value="plan"]').click();
    await chat().prompt('create new.txt with "x"');
    assert.match(await chat().said(), /In plan mode I change nothing/);
  });
});
