import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { ChatPage } from '../../support/pageHarness/chatPage';
import { describePage, soon } from '../../support/pageHarness/describePage';

describePage('the queue in the chat page', ({ open, expectIntents, expectFocus }) => {
  const items = (chat: ChatPage): Locator => chat.page.locator('[data-queue-id]');
  const order = (chat: ChatPage): Promise<string[]> =>
    chat.page.evaluate<string[]>(
      `[...document.querySelectorAll('[data-queue-id]')].map((item) => item.dataset.queueId)`,
    );
  const orderIs = (chat: ChatPage, ...ids: string[]): Promise<boolean> =>
    soon(`the order ${ids.join(', ')}`, async () => (await order(chat)).join() === ids.join());
  const item = (chat: ChatPage, id: string): Locator => chat.page.locator(`[data-queue-id="${id}"]`);
  const press = (chat: ChatPage, id: string, name: string): Promise<void> =>
    item(chat, id).getByRole('button', { name, exact: true }).click();

  it('PT-7 sends while a turn runs, shows what waits, and draws nothing where nothing waits', async () => {
    const chat = await open('ready');
    const { page, composer } = chat;
    const send = page.getByRole('button', { name: 'Send', exact: true });
    const stop = page.getByRole('button', { name: 'Stop', exact: true });
    await composer.fill('first');
    await composer.press('Enter');
    await stop.waitFor();
    assert.equal(await page.locator('[data-parley="queue"]').count(), 0);
    assert.equal(await composer.getAttribute('placeholder'), 'Queue a message for Copilot');
    assert.equal(await send.count(), 0);
    await composer.fill('second');
    await send.waitFor();
    assert.ok(await stop.isVisible());
    await composer.press('Enter');
    await page.locator('[data-parley="queue"]').getByText('second').waitFor();
    await composer.fill('third');
    await send.click();
    await soon('two that wait', async () => (await items(chat).count()) === 2);
    await soon('an empty draft', async () => (await composer.inputValue()) === '');
    await expectIntents(
      { type: 'prompt', text: 'first', attachments: [] },
      { type: 'prompt', text: 'second', attachments: [] },
      { type: 'prompt', text: 'third', attachments: [] },
    );
  });

  it('PT-7 moves what waits with buttons and keys, and keeps the focus on it', async () => {
    const chat = await open('queue');
    await orderIs(chat, 'q1', 'q2', 'q3');
    await press(chat, 'q1', 'Move down');
    await orderIs(chat, 'q2', 'q1', 'q3');
    await expectFocus('[data-queue-id="q1"]');
    await chat.page.keyboard.press('Alt+ArrowDown');
    await orderIs(chat, 'q2', 'q3', 'q1');
    await expectFocus('[data-queue-id="q1"]');
    await chat.page.keyboard.press('Alt+ArrowDown');
    await press(chat, 'q3', 'Move up');
    await orderIs(chat, 'q3', 'q2', 'q1');
    await item(chat, 'q1').getByRole('button', { name: 'Edit' }).press('Alt+ArrowUp');
    await orderIs(chat, 'q3', 'q1', 'q2');
    await expectIntents(
      { type: 'queueMove', id: 'q1', to: 1 },
      { type: 'queueMove', id: 'q1', to: 2 },
      { type: 'queueMove', id: 'q3', to: 0 },
      { type: 'queueMove', id: 'q1', to: 1 },
    );
    assert.ok(await item(chat, 'q3').getByRole('button', { name: 'Move up' }).isDisabled());
    assert.ok(await item(chat, 'q2').getByRole('button', { name: 'Move down' }).isDisabled());
  });

  it('PT-7 changes a text in place: Enter saves, Escape leaves it, neither stops the turn', async () => {
    const chat = await open('queue');
    const editor = chat.page.locator('[data-queue-id] textarea');
    await press(chat, 'q3', 'Edit');
    await expectFocus('[data-queue-id="q3"] textarea');
    await editor.fill('thrown away');
    await editor.press('Escape');
    await expectFocus('[data-queue-id="q3"]');
    await item(chat, 'q3').getByText('Commit').waitFor();
    await chat.page.keyboard.press('Enter');
    await expectFocus('[data-queue-id="q3"] textarea');
    await editor.fill('Commit');
    await editor.press('Shift+Enter');
    await editor.pressSequentially('and push');
    await editor.press('Enter');
    await item(chat, 'q3').getByText('Commit and push').waitFor();
    await expectFocus('[data-queue-id="q3"]');
    await expectIntents({ type: 'queueEdit', id: 'q3', text: 'Commit\nand push' });
    assert.equal(await chat.page.locator('[data-turn="running"]').count(), 1);
  });

  it('PT-7 gives an edited text to the draft when its prompt leaves the queue meanwhile', async () => {
    const chat = await open('queue');
    await chat.composer.fill('mine');
    await press(chat, 'q3', 'Edit');
    await chat.page.locator('[data-queue-id] textarea').fill('Commit, signed');
    await chat.play({ type: 'queueChanged', queue: { items: [], paused: false } });
    await chat.page.getByText('The message left the queue while you were editing it.').waitFor();
    assert.equal(await chat.composer.inputValue(), 'mine\n\nCommit, signed');
    assert.equal(await chat.page.locator('[data-parley="queue"]').count(), 0);
  });

  it('PT-7 keeps an edited text while another session is shown', async () => {
    const chat = await open('queue');
    const editor = chat.page.locator('[data-queue-id] textarea');
    await press(chat, 'q3', 'Edit');
    await editor.fill('Commit, signed');
    await chat.show('k2', 'queue');
    await item(chat, 'q3').getByText('Commit', { exact: true }).waitFor();
    assert.equal(await editor.count(), 0);
    await chat.show('k1', 'queue');
    await editor.waitFor();
    assert.equal(await editor.inputValue(), 'Commit, signed');
    await editor.press('Enter');
    await item(chat, 'q3').getByText('Commit, signed').waitFor();
    await expectIntents({ type: 'queueEdit', id: 'q3', text: 'Commit, signed' });
  });

  it('PT-7 keeps what is written or begun while a text is being saved', async () => {
    const chat = await open('queue');
    const editor = (id: string): Locator => item(chat, id).locator('textarea');
    await chat.hold();
    await press(chat, 'q3', 'Edit');
    await editor('q3').fill('Commit, signed');
    await editor('q3').press('Enter');
    await editor('q3').pressSequentially(' off');
    await press(chat, 'q1', 'Edit');
    await editor('q1').fill('Other');
    await editor('q1').press('Enter');
    await press(chat, 'q2', 'Edit');
    await expectFocus('[data-queue-id="q2"] textarea');
    await chat.release(null);
    await editor('q1').waitFor({ state: 'detached' });
    assert.equal(await editor('q3').inputValue(), 'Commit, signed off');
    await expectFocus('[data-queue-id="q2"] textarea');
  });

  it('PT-7 removes with button and key, the focus goes to what takes the place', async () => {
    const chat = await open('queue');
    await press(chat, 'q2', 'Remove');
    await orderIs(chat, 'q1', 'q3');
    await expectFocus('[data-queue-id="q3"]');
    await chat.page.keyboard.press('Delete');
    await orderIs(chat, 'q1');
    await expectFocus('[data-queue-id="q1"]');
    assert.equal(await item(chat, 'q1').getByRole('button', { name: 'Move up' }).count(), 0);
    await press(chat, 'q1', 'Remove');
    await expectFocus('[data-parley="composer"]');
    await expectIntents(
      { type: 'queueRemove', id: 'q2' },
      { type: 'queueRemove', id: 'q3' },
      { type: 'queueRemove', id: 'q1' },
    );
  });

  it('PT-7 sends one now by way of stopping the turn, and goes on after a pause only when told to', async () => {
    const chat = await open('queuePaused');
    const resume = chat.page.getByRole('button', { name: 'Resume queue' });
    await chat.page.locator('[data-parley="queue"][data-paused="true"]').getByText('Paused').waitFor();
    await resume.click();
    await resume.waitFor({ state: 'detached' });
    assert.equal(await chat.page.getByText('Paused').count(), 0);
    await press(chat, 'q3', 'Send now');
    await expectIntents({ type: 'queueResume' }, { type: 'queueSendNow', id: 'q3' });
    await expectFocus('[data-parley="composer"]');
  });
});
