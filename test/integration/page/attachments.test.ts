import assert from 'node:assert/strict';
import type { Attachment } from '../../../src/core/chat/attachment';
import type { ChatPage } from '../../support/pageHarness/chatPage';
import { describePage, soon } from '../../support/pageHarness/describePage';
import { PIXEL } from '../../support/pageHarness/turnScenes';

const file: Attachment = { kind: 'file', path: '/home/ada/shop/a.ts', name: 'a.ts' };
const lines: Attachment = {
  kind: 'selection',
  path: '/home/ada/shop/b.ts',
  name: 'b.ts',
  fromLine: 12,
  toLine: 40,
  text: 'x',
};

/** Pastes into the composer: a file of so many bytes, or the grey pixel, and optionally text beside it. */
const paste = (chat: ChatPage, options: { type: string; bytes?: number; text?: string }): Promise<void> =>
  chat.page.evaluate(`{
    const { type, bytes, text } = ${JSON.stringify(options)};
    const pixel = Uint8Array.from(atob('${PIXEL}'), (c) => c.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes ? new Uint8Array(bytes) : pixel], 'shot.png', { type }));
    if (text) data.setData('text/plain', text);
    const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
    window.pasteTaken = !document.querySelector('[data-parley="composer"]').dispatchEvent(event);
  }`);

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

  it('PT-3 attaches a pasted image for an agent that takes images', async () => {
    const chat = await open('queue');
    await paste(chat, { type: 'image/png' });
    await chips(chat).getByText('shot.png').waitFor();
    assert.equal(await chat.page.evaluate('window.pasteTaken'), true);
    await chat.composer.fill('what is it');
    await chat.composer.press('Enter');
    const image: Attachment = { kind: 'image', name: 'shot.png', mimeType: 'image/png', data: PIXEL };
    await expectIntents({ type: 'prompt', text: 'what is it', attachments: [image] });
  });

  it('PT-3 leaves a paste alone for other agents, other files, and where there is text', async () => {
    const other = await open('ready');
    await paste(other, { type: 'image/png' });
    assert.equal(await other.page.evaluate('window.pasteTaken'), false);
    await other.page.close();
    const chat = await open('queue');
    for (const options of [{ type: 'image/svg+xml' }, { type: 'image/png', text: 'A1\tB1' }]) {
      await paste(chat, options);
      assert.equal(await chat.page.evaluate('window.pasteTaken'), false);
    }
    await chat.drawn();
    assert.equal(await chips(chat).count(), 0);
  });

  it('PT-3 says when a pasted image is too large', async () => {
    const chat = await open('queue');
    await paste(chat, { type: 'image/png', bytes: 3.75 * 1024 * 1024 + 1 });
    await chat.page.getByText('The image is too large to be sent').waitFor();
    assert.equal(await chips(chat).count(), 0);
    await paste(chat, { type: 'image/png', bytes: 3.75 * 1024 * 1024 });
    await chips(chat).first().waitFor();
  });
});
