import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { MentionItem } from '../../../src/core/chat/mentions';
import type { PageToHost } from '../../../src/core/chat/protocol';
import type { ChatPage } from '../../support/pageHarness/chatPage';
import { describePage, soon } from '../../support/pageHarness/describePage';

const root = '/home/ada/shop';

describePage('mentions in the chat page', ({ open, expectIntents, expectFocus }) => {
  const popup = (chat: ChatPage): Locator => chat.page.locator('[data-parley="mentions"]');
  const rows = (chat: ChatPage): Locator => popup(chat).getByRole('option');
  const chips = (chat: ChatPage): Locator => chat.page.locator('[data-attachment]');
  const asked = async (chat: ChatPage): Promise<{ id: number; query: string }[]> => {
    const sent = await chat.page.evaluate<PageToHost[]>('window.harness.sent');
    return sent.flatMap((message) => (message.type === 'findMentions' ? [message] : []));
  };
  const type = async (chat: ChatPage, text: string): Promise<void> => {
    await chat.composer.focus();
    await chat.page.keyboard.type(text);
  };
  const answer = async (chat: ChatPage, id: number, names: string[], done = true): Promise<void> => {
    const items = names.map((name): MentionItem => ({
      kind: 'file',
      name,
      place: '',
      path: `${root}/${name}`,
    }));
    await chat.post({ type: 'mentions', id, items, done });
  };

  it('PT-4 opens at @ with open files, context and files, finds by what is typed, and attaches what Enter takes', async () => {
    const chat = await open('ready');
    await type(chat, 'look at @');
    await rows(chat).first().waitFor();
    assert.deepEqual(await popup(chat).locator('.list-group').allInnerTexts(), [
      'Open editors',
      'Context',
      'Files and folders',
    ]);
    await type(chat, 'date');
    await rows(chat).filter({ hasText: 'date.test.ts' }).waitFor();
    assert.equal(await popup(chat).locator('.list-group').count(), 0);
    await chat.page.keyboard.press('ArrowDown');
    await chat.page.keyboard.press('ArrowUp');
    await chat.page.keyboard.press('Enter');
    await chips(chat).getByText('date.ts').waitFor();
    assert.equal(await chat.composer.inputValue(), 'look at ');
    assert.equal(await popup(chat).count(), 0);
    await chat.page.keyboard.type('now');
    await chat.page.keyboard.press('Enter');
    const file = { kind: 'file', path: `${root}/src/date.ts`, name: 'date.ts' } as const;
    await expectIntents({ type: 'prompt', text: 'look at now', attachments: [file] });
  });

  it('PT-4 takes a folder by Tab in the middle of a text, and the caret stays there', async () => {
    const chat = await open('ready');
    await type(chat, 'compare  with the rest');
    for (let i = 0; i < ' with the rest'.length; i++) await chat.page.keyboard.press('ArrowLeft');
    await type(chat, '@cal');
    await rows(chat).first().waitFor();
    await chat.page.keyboard.press('Tab');
    await chips(chat).getByText('calendar').waitFor();
    assert.equal(await chips(chat).getAttribute('data-attachment'), 'folder');
    assert.equal(await chat.composer.inputValue(), 'compare with the rest');
    await expectFocus('[data-parley="composer"]');
    await chat.page.keyboard.type('X');
    assert.equal(await chat.composer.inputValue(), 'compare Xwith the rest');
  });

  it('PT-4 takes a line by a press, and what is no file by way of the extension', async () => {
    const chat = await open('ready');
    await type(chat, '@prob');
    await rows(chat).filter({ hasText: 'Problems' }).click();
    await chips(chat).getByText('Problems').waitFor();
    assert.equal(await chat.composer.inputValue(), '');
    await expectFocus('[data-parley="composer"]');
    await chat.composer.fill('fix');
    await chat.composer.press('Enter');
    const attachments = [{ kind: 'text', name: 'Problems', text: 'all problems' }] as const;
    await expectIntents({ type: 'prompt', text: 'fix', attachments: [...attachments] });
  });

  it('says why there is nothing to attach', async () => {
    const chat = await open('ready');
    await type(chat, '@git');
    await rows(chat).filter({ hasText: 'Git changes' }).waitFor();
    await chat.refuseNext('Git has no changes here to attach.');
    await chat.page.keyboard.press('Enter');
    await chat.page.getByText('Git has no changes here to attach.').waitFor();
    assert.equal(await chips(chat).count(), 0);
  });

  it('is a list of the composer for assistive technology', async () => {
    const chat = await open('ready');
    await type(chat, '@');
    await popup(chat).getByRole('listbox', { name: 'Files and context' }).waitFor();
    const active = async (): Promise<string> => {
      const id = await chat.composer.getAttribute('aria-activedescendant');
      const option = chat.page.locator(`[id="${id}"][role="option"][aria-selected="true"]`);
      return (await option.locator('.list-name').innerText()).trim();
    };
    assert.equal(await chat.composer.getAttribute('aria-controls'), 'mentions');
    assert.equal(await active(), 'orders.ts');
    await chat.page.keyboard.press('ArrowDown');
    assert.equal(await active(), 'Selection');
    await chat.page.keyboard.press('ArrowUp');
    await chat.page.keyboard.press('ArrowUp');
    await chat.drawn();
    assert.equal(await active(), await rows(chat).last().locator('.list-name').innerText());
  });

  it('closes by Escape without stopping the turn, and stays closed for that mention', async () => {
    const chat = await open('queue');
    await type(chat, '@da');
    await rows(chat).first().waitFor();
    await chat.page.keyboard.press('Escape');
    await popup(chat).waitFor({ state: 'detached' });
    await type(chat, 't');
    await chat.drawn();
    assert.equal(await popup(chat).count(), 0);
    assert.equal(await chat.composer.inputValue(), '@dat');
    await chat.page.keyboard.press('Enter');
    await expectIntents({ type: 'prompt', text: '@dat', attachments: [] });
    await type(chat, '@');
    await rows(chat).first().waitFor();
  });

  it('does not open inside a word, and closes when the caret leaves', async () => {
    const chat = await open('ready');
    await type(chat, 'ada@example');
    await chat.drawn();
    assert.deepEqual(await asked(chat), []);
    await type(chat, ' @da');
    await rows(chat).first().waitFor();
    await chat.page.keyboard.press('ArrowLeft');
    await popup(chat).waitFor({ state: 'detached' });
    await chat.page.keyboard.press('End');
    await chat.page.keyboard.press('Shift+Enter');
    await chat.page.keyboard.type('@zzzz');
    await soon('an answer', async () => (await asked(chat)).some(({ query }) => query === 'zzzz'));
    await popup(chat).waitFor({ state: 'detached' });
  });

  it('keeps what still matches while an answer is on its way, and drops answers to earlier questions', async () => {
    const chat = await open('ready');
    await chat.page.evaluate('window.harness.mute = true');
    await type(chat, '@a');
    await popup(chat).getByText('Searching…').waitFor();
    const [first] = await asked(chat);
    assert.ok(first);
    await chat.page.keyboard.press('Enter');
    assert.deepEqual(await chat.intents(), [], 'a name that is still searched is not sent');
    await answer(chat, first.id, ['ab.ts', 'ac.ts'], false);
    await rows(chat).filter({ hasText: 'ac.ts' }).waitFor();
    await chat.page.keyboard.press('ArrowDown');
    await answer(chat, first.id, ['aa.ts', 'ab.ts', 'ac.ts']);
    await rows(chat).filter({ hasText: 'aa.ts' }).waitFor();
    assert.equal(await popup(chat).locator('[data-active] .list-name').innerText(), 'ac.ts');
    await type(chat, 'c');
    await soon('one row', async () => (await rows(chat).count()) === 1);
    await answer(chat, first.id, ['ab.ts', 'ac.ts', 'acd.ts']);
    await soon('two rows', async () => (await rows(chat).count()) === 2);
    const second = (await asked(chat)).at(-1);
    assert.ok(second);
    await answer(chat, second.id, ['acx.ts']);
    await rows(chat).filter({ hasText: 'acx.ts' }).waitFor();
    await answer(chat, first.id, ['ac.ts']);
    await chat.drawn();
    assert.deepEqual(await rows(chat).locator('.list-name').allInnerTexts(), ['acx.ts']);
    await chat.page.keyboard.press('Escape');
    await chat.composer.fill('');
    await type(chat, '@');
    await popup(chat).getByText('Searching…').waitFor();
  });

  it('PT-4 leads to the symbols, takes the lines of one, and says where there are none', async () => {
    const chat = await open('ready');
    await type(chat, 'why @symbols');
    await rows(chat).filter({ hasText: 'Symbols' }).click();
    await rows(chat).filter({ hasText: 'formatDate' }).waitFor();
    assert.equal(await rows(chat).count(), 3, 'symbols alone');
    assert.equal(await chat.composer.inputValue(), 'why @#');
    await chat.page.keyboard.type('range');
    await soon('two symbols', async () => (await rows(chat).count()) === 2);
    await chat.page.keyboard.press('Enter');
    await chips(chat).getByText('a.ts:3-9').waitFor();
    assert.equal(await chat.composer.inputValue(), 'why ');
    const sent = await chat.page.evaluate<PageToHost[]>('window.harness.sent');
    const source = { path: `${root}/src/date.ts`, name: 'DateRange', line: 3, column: 17 };
    assert.deepEqual(
      sent.flatMap((message) => (message.type === 'takeMention' ? [message.source] : [])),
      [source],
    );
    await type(chat, '@#nosuch');
    await popup(chat).getByText('No symbols found').waitFor();
  });

  it('takes the output of the terminal by way of the extension', async () => {
    const chat = await open('ready');
    await type(chat, '@term');
    await rows(chat).filter({ hasText: 'npm test' }).waitFor();
    await chat.page.keyboard.press('Enter');
    await chips(chat).first().waitFor();
    const sent = await chat.page.evaluate<PageToHost[]>('window.harness.sent');
    assert.ok(sent.some((message) => message.type === 'takeMention' && message.source === 'terminal'));
  });
});
