import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { until } from '../vscode/until';
import { useChat } from './support/chatDriver';

describe('the permission quick pick', function () {
  this.timeout(120_000);
  const chat = useChat(() => ({}));
  const pick = (): Locator => chat().page.locator('.quick-input-widget', { hasText: 'asks for permission' });
  const row = (name: string): Locator =>
    pick().locator('.monaco-list-row', {
      has: chat().page.locator('.label-name').getByText(name, { exact: true }),
    });
  const file = (): string => join(chat().folder, 'new.txt');
  const isOpen = async (): Promise<boolean> => (await chat().frame.locator('[data-permission]').count()) > 0;

  /** Sends a prompt that needs a permission, and waits for both places where it is asked. */
  async function ask(): Promise<void> {
    await chat().send('create new.txt with "x"');
    await pick().waitFor();
    await chat().frame.locator('[data-permission]').waitFor();
  }

  /** Moves to a row by the arrow keys; a press too soon after typing does not count, so it goes on until the row is reached. */
  async function moveTo(name: string): Promise<void> {
    await until('the row to be reached', async () => {
      if ((await row(name).getAttribute('class'))?.includes('focused')) return true;
      await chat().page.keyboard.press('ArrowDown');
      return undefined;
    });
  }

  it('PE-3 shows what is asked and the options in the agent’s order', async () => {
    await ask();
    const rows = await pick().locator('.monaco-list-row .label-name').allInnerTexts();
    assert.match(rows[0] ?? '', /new\.txt/);
    assert.deepEqual(rows.slice(-3), ['Allow', 'Always allow edits in this session', 'Reject']);
    assert.equal(await chat().frame.locator('[data-permission] [data-option-id]').count(), 3);
    assert.equal(await chat().panel.getAttribute('data-turn'), 'running');
  });

  it('PE-11 grants nothing to "al" and Enter typed at full speed', async () => {
    await ask();
    for (let i = 0; i < 5; i++) await chat().page.keyboard.type('al\n');
    await until('the typed text to be cleared', async () =>
      (await pick().locator('input').inputValue()) === '' ? true : undefined,
    );
    assert.ok(await isOpen(), 'the question is still open');
    assert.ok(!existsSync(file()));
    assert.ok(await pick().isVisible());
  });

  it('PE-11 grants nothing to Enter alone, however often', async () => {
    await ask();
    for (let i = 0; i < 10; i++) await chat().page.keyboard.press('Enter', { delay: 80 });
    assert.ok(await isOpen());
    assert.ok(!existsSync(file()));
  });

  it('PE-3 takes an option that was reached by the arrow keys', async () => {
    await ask();
    await moveTo('Allow');
    await until('the choice to count', async () => {
      await chat().page.keyboard.press('Enter');
      return (await isOpen()) ? undefined : true;
    });
    assert.equal(await chat().nextEnd(0), 'end_turn');
    assert.ok(existsSync(file()));
  });

  it('PE-3 takes an option that was clicked, and the card follows', async () => {
    await ask();
    await until('the click to count', async () => {
      if (!(await isOpen())) return true;
      await row('Reject')
        .click({ timeout: 1_000 })
        .catch(() => undefined);
      return undefined;
    });
    await chat().nextEnd(0);
    assert.ok(!existsSync(file()));
    assert.equal(await chat().frame.locator('[data-tool-call-id]').getAttribute('data-status'), 'rejected');
  });

  it('PE-9 decides nothing on Escape; the question can be shown again', async () => {
    await ask();
    await chat().page.keyboard.press('Escape');
    await pick().waitFor({ state: 'hidden' });
    assert.ok(await isOpen());
    assert.equal(await chat().panel.getAttribute('data-turn'), 'running');
    await chat().window.runCommand('Parley: Show Pending Permission');
    await pick().waitFor();
  });

  it('PE-8 closes when the card is answered first', async () => {
    await ask();
    await chat().choose('allow_once');
    await pick().waitFor({ state: 'hidden' });
    assert.equal(await chat().nextEnd(0), 'end_turn');
    assert.ok(existsSync(file()));
  });

  it('CA-3 closes when the turn is cancelled', async () => {
    await ask();
    await chat().button('Stop').click();
    await pick().waitFor({ state: 'hidden' });
    assert.equal(await chat().nextEnd(0), 'cancelled');
    assert.ok(!existsSync(file()));
    assert.equal(await chat().frame.locator('[data-tool-call-id]').getAttribute('data-status'), 'cancelled');
  });
});
