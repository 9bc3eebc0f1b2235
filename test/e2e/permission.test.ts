import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { until } from '../vscode/until';
import { answered, end, expectCall, OPTIONS, Replay, request } from '../support/replayScript';
import { useChat } from './support/chatDriver';
import { moveToRow, permissionPick } from './support/workbench';

describe('the permission quick pick', function () {
  this.timeout(120_000);
  const chat = useChat(() => ({}));
  const pick = (): Locator => permissionPick(chat());
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

  const moveTo = (name: string): Promise<void> => moveToRow(chat(), row(name));
  const status = (): Locator =>
    chat().page.locator('.statusbar-item:visible', { hasText: /permissions? waits?/ });

  it('PE-3 shows what is asked and the options in the agent’s order', async () => {
    await ask();
    const rows = await pick().locator('.monaco-list-row .label-name').allInnerTexts();
    assert.match(rows[0] ?? '', /new\.txt/);
    assert.equal(await pick().locator('.quick-input-title').innerText(), file());
    assert.match(await status().innerText(), /1 permission waits/);
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
    await chat().page.keyboard.press('Escape');
    await pick().waitFor({ state: 'hidden' });
    await status().click();
    await pick().waitFor();
    assert.ok(!existsSync(file()));
    await moveTo('Reject');
    await until('the choice to count', async () => {
      await chat().page.keyboard.press('Enter');
      return (await isOpen()) ? undefined : true;
    });
    await status().waitFor({ state: 'hidden' });
  });

  it('PE-9 decides nothing when the focus goes elsewhere, when the page is made anew, when the chat is closed, or when the window is loaded again', async () => {
    await ask();
    await chat().page.locator('.part.editor').click();
    assert.ok(await pick().isVisible());
    await chat().page.keyboard.press('Escape');
    await chat().window.runCommand('Developer: Reload Webviews');
    chat().frame = await chat().window.chat();
    await chat().questions().waitFor();
    assert.ok(!existsSync(file()));
    await chat().window.runCommand('View: Toggle Secondary Side Bar Visibility');
    await chat().page.locator('.part.auxiliarybar').waitFor({ state: 'hidden' });
    assert.ok(!existsSync(file()));
    assert.match(await status().innerText(), /1 permission waits/);
    await status().click();
    await pick().waitFor();
    await chat().window.reload();
    chat().frame = await chat().window.openChat();
    await chat().waitConnection('ready');
    assert.equal(
      await chat().frame.locator('[data-tool-call-id]').getAttribute('data-status'),
      'interrupted',
    );
    assert.equal(await status().count(), 0);
    assert.ok(!(await isOpen()));
    assert.ok(!existsSync(file()));
  });

  it('PT-7 PE-2 takes a reason for a rejection, which is the next prompt; Escape decides nothing there', async () => {
    await ask();
    const box = chat().page.locator('.quick-input-widget:visible', {
      has: chat().page.locator('input[placeholder="What should it do instead?"]'),
    });
    const give = async (): Promise<void> => {
      await row('Reject').hover();
      await row('Reject').locator('.action-label').click();
      await box.waitFor();
    };
    await give();
    await chat().page.keyboard.press('Escape');
    await pick().waitFor();
    assert.ok(await isOpen());
    await give();
    await chat().page.keyboard.insertText('count to 3');
    await chat().page.keyboard.press('Enter');
    await chat().waitSaid(/1, 2, 3\./);
    assert.deepEqual(await chat().entries('user').allInnerTexts(), ['create new.txt with "x"', 'count to 3']);
    assert.ok(!existsSync(file()));
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

describe('two permissions at once', function () {
  this.timeout(120_000);
  const chosen = (optionId: string) => ({ 'result.outcome': { outcome: 'selected', optionId } });
  let run: Replay;
  const askTo = (id: number, command: string) =>
    request(id, 'session/request_permission', {
      sessionId: '$SESSION',
      toolCall: { toolCallId: `call-${id}`, title: `Run ${command}`, kind: 'execute', rawInput: { command } },
      options: OPTIONS,
    });
  const chat = useChat(() => {
    run = new Replay(
      expectCall('session/prompt', 'p'),
      askTo(1, 'make first'),
      askTo(2, 'make second'),
      answered(2, chosen('opt-no')),
      answered(1, chosen('opt-once')),
      end('p'),
    );
    const { command, args } = run.plan;
    return { agents: { Replay: { command, args } } };
  });

  it('PE-8 are asked one after the other, and answered in the other order', async () => {
    await chat().send('go');
    const pick = permissionPick(chat());
    const title = pick.locator('.quick-input-title');
    await pick.waitFor();
    await until('both to wait', async () =>
      (await pick.locator('input').getAttribute('placeholder'))?.includes('(1 of 2)') ? true : undefined,
    );
    assert.equal(await title.innerText(), `make first — ${chat().folder}`);
    await chat().choose('opt-no', 'call-2');
    await until('one to wait', async () =>
      (await pick.locator('input').getAttribute('placeholder'))?.includes('(1 of') ? undefined : true,
    );
    assert.match(await title.innerText(), /^make first/);
    await chat().choose('opt-once', 'call-1');
    assert.equal(await chat().nextEnd(0), 'end_turn');
    assert.deepEqual(run.failures, []);
  });
});
