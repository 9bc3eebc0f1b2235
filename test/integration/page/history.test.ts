import assert from 'node:assert/strict';
import { describePage, soon } from '../../support/pageHarness/describePage';
import type { ChatPage } from '../../support/pageHarness/chatPage';

describePage('the composer of the chat page', ({ open, expectIntents, expectFocus }) => {
  const press = async (chat: ChatPage, ...keys: string[]): Promise<void> => {
    for (const key of keys) await chat.page.keyboard.press(key);
  };
  const holds = (chat: ChatPage, text: string): Promise<boolean> =>
    soon(`the composer to hold "${text}"`, async () => (await chat.composer.inputValue()) === text);
  const send = async (chat: ChatPage, text: string): Promise<void> => {
    await chat.composer.fill(text);
    await press(chat, 'Enter');
    await holds(chat, '');
    await chat.play({ type: 'turnEnded', turn: 1, stopReason: 'end_turn', at: 1 });
  };

  it('brings earlier prompts by arrow up, and the draft back by arrow down', async () => {
    const chat = await open('ready');
    await send(chat, 'first');
    await send(chat, 'second\nline');
    await chat.composer.fill('draft');
    await press(chat, 'ArrowUp', 'ArrowUp');
    await holds(chat, 'second\nline');
    await press(chat, 'ArrowUp');
    await holds(chat, 'first');
    await press(chat, 'ArrowUp');
    await holds(chat, 'first');
    assert.equal((await chat.drafts())['k1']?.text, 'draft', 'the draft stays kept');
    await press(chat, 'ArrowDown');
    await holds(chat, 'second\nline');
    await press(chat, 'ArrowDown');
    await holds(chat, 'draft');
  });

  it('sends an earlier prompt again, and then shows the draft that waited', async () => {
    const chat = await open('ready');
    await send(chat, 'first');
    await chat.composer.fill('draft');
    await press(chat, 'Home', 'ArrowUp');
    await holds(chat, 'first');
    await press(chat, 'Enter');
    await holds(chat, 'draft');
    const prompt = { type: 'prompt', text: 'first', attachments: [] } as const;
    await expectIntents({ ...prompt, attachments: [] }, { ...prompt, attachments: [] });
    await soon('a kept draft', async () => (await chat.drafts())['k1']?.text === 'draft');
  });

  it('keeps the draft that waits, also over another session and while something is attached', async () => {
    const chat = await open('ready');
    await send(chat, 'first');
    await chat.composer.fill('draft');
    await press(chat, 'Home', 'ArrowUp');
    await holds(chat, 'first');
    await chat.post({ type: 'attach', attachments: [{ kind: 'file', path: '/a.ts', name: 'a.ts' }] });
    await chat.page.locator('[data-attachment]').waitFor();
    assert.equal((await chat.drafts())['k1']?.text, 'draft');
    await chat.composer.press('End');
    await chat.page.keyboard.type(', changed');
    await holds(chat, 'first, changed');
    assert.equal((await chat.drafts())['k1']?.text, 'draft');
    await chat.show('k2', 'ready');
    await holds(chat, '');
    await chat.show('k1', 'ready');
    await holds(chat, 'draft');
  });

  it('keeps what is made of an earlier prompt where no draft waits', async () => {
    const chat = await open('ready');
    await send(chat, 'first');
    await chat.composer.focus();
    await press(chat, 'ArrowUp');
    await holds(chat, 'first');
    await press(chat, 'End');
    await chat.page.keyboard.type('!');
    await soon('a kept draft', async () => (await chat.drafts())['k1']?.text === 'first!');
    await chat.show('k2', 'ready');
    await holds(chat, '');
    await chat.show('k1', 'ready');
    await holds(chat, 'first!');
  });

  it('sends once by a key that is held, which adds no line either', async () => {
    const chat = await open('ready');
    await chat.composer.fill('first');
    await chat.hold();
    await chat.page.keyboard.down('Enter');
    await chat.composer.fill('second');
    await chat.release(null);
    await soon('one wish', async () => (await chat.intents()).length === 1);
    await chat.page.keyboard.down('Enter');
    await chat.page.keyboard.up('Enter');
    await chat.drawn();
    assert.equal(await chat.composer.inputValue(), 'second');
    await expectIntents({ type: 'prompt', text: 'first', attachments: [] });
  });

  it('shows no prompt of another session', async () => {
    const chat = await open('sessions');
    await chat.composer.focus();
    await press(chat, 'ArrowUp');
    await holds(chat, 'The date test fails on machines west of Greenwich.');
    await chat.show('k2', 'ready');
    await holds(chat, '');
    await chat.composer.focus();
    await press(chat, 'ArrowDown', 'ArrowUp');
    await chat.drawn();
    assert.equal(await chat.composer.inputValue(), '');
  });

  it('sends by Enter, and by Ctrl+Enter where the setting says so, also in the queue', async () => {
    const chat = await open('queue');
    await chat.post({ type: 'sendOn', key: 'ctrlEnter' });
    await chat.composer.fill('one');
    await press(chat, 'Enter');
    await chat.page.keyboard.type('two');
    await holds(chat, 'one\ntwo');
    await press(chat, 'Control+Enter');
    await expectIntents({ type: 'prompt', text: 'one\ntwo', attachments: [] });
    const item = chat.page.locator('[data-queue-id]').last();
    await item.getByText('two').waitFor();
    await item.focus();
    await press(chat, 'F2');
    const editor = item.locator('textarea');
    await expectFocus('[data-queue-id] textarea');
    await press(chat, 'Enter');
    await chat.page.keyboard.type('three');
    assert.equal(await editor.inputValue(), 'one\ntwo\nthree');
    await press(chat, 'Control+Enter');
    await editor.waitFor({ state: 'detached' });
    await chat.post({ type: 'sendOn', key: 'enter' });
    await chat.composer.fill('four');
    await press(chat, 'Enter');
    await soon('three wishes', async () => (await chat.intents()).length === 3);
    assert.deepEqual((await chat.intents()).at(-1), { type: 'prompt', text: 'four', attachments: [] });
  });
});
