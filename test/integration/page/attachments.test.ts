import assert from 'node:assert/strict';
import type { Attachment } from '../../../src/core/chat/attachment';
import type { ChatPage } from '../../support/pageHarness/chatPage';
import { describePage, soon } from '../../support/pageHarness/describePage';

const file: Attachment = { kind: 'file', path: '/home/ada/shop/a.ts', name: 'a.ts' };
const lines: Attachment = {
  kind: 'selection',
  path: '/home/ada/shop/b.ts',
  name: 'b.ts',
  fromLine: 12,
  toLine: 40,
  text: 'x',
};

describePage('attachments in the chat page', ({ open, expectIntents, expectFocus }) => {
  const chips = (chat: ChatPage) => chat.page.locator('[data-attachment]');

  it('PT-4 sends what is attached, clears it when the prompt is taken, and keeps it when not', async () => {
    const chat = await open('queue');
    await chat.post({ type: 'attach', attachments: [file, lines] });
    await chips(chat).getByText('b.ts:12-40').waitFor();
    await chat.refuseNext('No folder is open.');
    await chat.composer.fill('look');
    await chat.composer.press('Enter');
    await chat.page.getByText('No folder is open.').waitFor();
    assert.equal(await chips(chat).count(), 2);
    await chat.composer.press('Enter');
    await soon('no attachments', async () => (await chips(chat).count()) === 0);
    const prompt = { type: 'prompt', text: 'look', attachments: [file, lines] } as const;
    await expectIntents({ ...prompt, attachments: [file, lines] }, { ...prompt, attachments: [file, lines] });
    await soon('a kept empty draft', async () => {
      const draft = (await chat.drafts())['k1'];
      return draft?.text === '' && draft.attachments.length === 0;
    });
  });

  it('PT-4 opens and removes what is attached', async () => {
    const chat = await open('queue');
    await chat.post({ type: 'attach', attachments: [file, lines] });
    const names = chips(chat).getByRole('button', { name: 'Open' });
    await names.first().click();
    await names.nth(1).click();
    assert.equal(await names.first().getAttribute('title'), file.path);
    await chat.page.getByRole('button', { name: 'Remove a.ts' }).click();
    await soon('one attachment', async () => (await chips(chat).count()) === 1);
    await expectFocus('[data-parley="composer"]');
    await expectIntents(
      { type: 'openFile', path: file.path },
      { type: 'openFile', path: lines.path, line: 12 },
    );
  });

  it('PT-4 opens a folder, and a text that stands in no file', async () => {
    const chat = await open('queue');
    const folder: Attachment = { kind: 'folder', path: '/home/ada/shop/src', name: 'src' };
    const problems: Attachment = { kind: 'text', name: 'Problems', text: 'a.ts:1:1: error: wrong' };
    await chat.post({ type: 'attach', attachments: [folder, problems] });
    await chat.post({ type: 'attach', attachments: [folder, problems] });
    const names = chips(chat).getByRole('button', { name: 'Open' });
    await names.nth(1).click();
    await names.first().click();
    assert.equal(await names.count(), 2, 'each is attached once');
    await expectIntents(
      { type: 'openText', text: 'a.ts:1:1: error: wrong' },
      { type: 'openFile', path: '/home/ada/shop/src' },
    );
  });
});
