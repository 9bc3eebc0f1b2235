import assert from 'node:assert/strict';
import type { Attachment } from '../../../src/core/chat/attachment';
import { MAX_IMAGE_DATA } from '../../../src/core/chat/images';
import type { PageToHost } from '../../../src/core/chat/protocol';
import { MOVING_GIF } from '../../support/images';
import type { ChatPage } from '../../support/pageHarness/chatPage';
import { describePage, soon } from '../../support/pageHarness/describePage';
import { PIXEL } from '../../support/pageHarness/turnScenes';

/** A file that is given to the page; without a size it is the grey pixel. */
interface Given {
  name?: string;
  type: string;
  /** An image of this size that is drawn, noisy so that it is large where `noise` is set. */
  drawn?: { width: number; height: number; noise?: boolean };
  /** Content, else, in base64. */
  data?: string;
  /** Zeroes after that, in bytes. */
  more?: number;
}

/** How files get to the page, with other data beside them. */
interface Way {
  event: 'paste' | 'drop';
  data?: Record<string, string>;
}

const give = (chat: ChatPage, { event, data = {} }: Way, ...given: Given[]): Promise<boolean> =>
  chat.page.evaluate<boolean>(`(async () => {
    const draw = async ({ width, height, noise }, type) => {
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext('2d');
      context.fillStyle = '#c40';
      context.fillRect(0, 0, width, height);
      if (noise) {
        const pixels = context.createImageData(width, height);
        for (let at = 0; at < pixels.data.length; at += 60000)
          crypto.getRandomValues(pixels.data.subarray(at, Math.min(at + 60000, pixels.data.length)));
        context.putImageData(pixels, 0, 0);
      }
      return canvas.convertToBlob({ type });
    };
    const transfer = new DataTransfer();
    for (const { name = 'shot.png', type, drawn, data = '${PIXEL}', more = 0 } of ${JSON.stringify(given)}) {
      const bytes = drawn ? await draw(drawn, type) : Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
      transfer.items.add(new File([bytes, new Uint8Array(more)], name, { type }));
    }
    for (const [type, text] of Object.entries(${JSON.stringify(data)})) transfer.setData(type, text);
    const options = { bubbles: true, cancelable: true };
    const target = document.querySelector('[data-parley="composer"]');
    if (${JSON.stringify(event)} === 'paste')
      return !target.dispatchEvent(new ClipboardEvent('paste', { ...options, clipboardData: transfer }));
    target.dispatchEvent(new DragEvent('dragover', { ...options, dataTransfer: transfer }));
    return !target.dispatchEvent(new DragEvent('drop', { ...options, dataTransfer: transfer }));
  })()`);

const PASTE: Way = { event: 'paste' };
const DROP: Way = { event: 'drop' };

describePage('images and files of the composer', ({ open, expectIntents, expectFocus }) => {
  const chips = (chat: ChatPage) => chat.page.locator('[data-attachment]');
  /** Sends what is attached; gives it. */
  const sent = async (chat: ChatPage): Promise<Attachment[]> => {
    await chat.composer.fill('look');
    await chat.composer.press('Enter');
    await soon('a prompt', async () => (await chat.intents()).some(({ type }) => type === 'prompt'));
    return (await chat.intents()).flatMap((intent) => (intent.type === 'prompt' ? intent.attachments : []));
  };
  const imageOf = async (chat: ChatPage): Promise<{ mimeType: string; data: string; size: number[] }> => {
    const [image] = await sent(chat);
    assert.ok(image?.kind === 'image');
    const { mimeType, data } = image;
    const size = await chat.page.evaluate<number[]>(`(async () => {
      const bytes = Uint8Array.from(atob('${data}'), (c) => c.charCodeAt(0));
      const { width, height } = await createImageBitmap(new Blob([bytes], { type: '${mimeType}' }));
      return [width, height];
    })()`);
    return { mimeType, data, size };
  };

  it('PT-3 attaches a pasted image as it is where it fits, by its bytes whatever its type says', async () => {
    const chat = await open('queue');
    assert.equal(await give(chat, PASTE, { type: 'image/svg+xml', name: 'odd.svg' }), true);
    await chips(chat).getByText('odd.svg').waitFor();
    const image: Attachment = { kind: 'image', name: 'odd.svg', mimeType: 'image/png', data: PIXEL };
    assert.deepEqual(await sent(chat), [image]);
  });

  it('PT-3 scales a large image down in its proportion', async () => {
    const chat = await open('queue');
    await give(chat, PASTE, { type: 'image/png', drawn: { width: 3000, height: 1500 } });
    await chips(chat).first().waitFor();
    const { mimeType, size } = await imageOf(chat);
    assert.deepEqual([mimeType, size], ['image/png', [2000, 1000]]);
  });

  it('PT-3 encodes an image anew until it is small enough', async () => {
    const chat = await open('queue');
    await give(chat, DROP, { type: 'image/png', drawn: { width: 1800, height: 1400, noise: true } });
    await chips(chat).first().waitFor();
    const { mimeType, data, size } = await imageOf(chat);
    assert.equal(mimeType, 'image/jpeg');
    assert.ok(data.length <= MAX_IMAGE_DATA, `${data.length} characters`);
    assert.equal(((size[0] ?? 0) / (size[1] ?? 1)).toFixed(1), '1.3');
  });

  it('PT-3 leaves a moving image as it is, and refuses one that is too large', async () => {
    const chat = await open('queue');
    const data = Buffer.from(MOVING_GIF).toString('base64');
    await give(chat, PASTE, { type: 'image/gif', data, name: 'wide.gif', more: 4 * 1024 * 1024 });
    await chat.page.getByText('The image wide.gif is too large to be sent (at most 5 MB).').waitFor();
    await give(chat, PASTE, { type: 'image/gif', data });
    await chips(chat).first().waitFor();
    const image: Attachment = { kind: 'image', name: 'shot.png', mimeType: 'image/gif', data };
    assert.deepEqual(await sent(chat), [image]);
  });

  it('says so where an image can not be read, and where the agent takes none', async () => {
    const chat = await open('queue');
    const data = Buffer.from(`\u0089PNG\r\n\u001a\nbroken`, 'latin1').toString('base64');
    await give(chat, PASTE, { type: 'image/png', data });
    await chat.page.getByText('The image shot.png can’t be read.').waitFor();
    await chat.page.close();
    const other = await open('ready');
    assert.equal(await give(other, PASTE, { type: 'image/png' }), true);
    await other.page.getByText('Copilot takes no images.').waitFor();
    assert.equal(await chips(other).count(), 0);
  });

  it('leaves a paste with text beside the image to the text', async () => {
    const chat = await open('queue');
    const way: Way = { event: 'paste', data: { 'text/plain': 'A1\tB1' } };
    assert.equal(await give(chat, way, { type: 'image/png' }), false);
    await chat.drawn();
    assert.equal(await chips(chat).count(), 0);
  });

  it('shows an image small, and opens it from the draft and from the conversation', async () => {
    const chat = await open('queue');
    await give(chat, PASTE, { type: 'image/png' });
    await chips(chat).locator('img.thumb').waitFor();
    await chips(chat).getByRole('button', { name: 'Open image shot.png' }).click();
    await chat.play({
      type: 'promptSubmitted',
      blocks: [{ type: 'image', mimeType: 'image/png', data: PIXEL }],
      at: 1,
    });
    await chat.transcript.getByRole('button', { name: 'Open image' }).last().click();
    const intent = { type: 'openImage', data: PIXEL } as const;
    await expectIntents(intent, { ...intent });
  });

  it('PT-4 attaches dropped files by their place, and shows where they can be dropped', async () => {
    const chat = await open('ready');
    const uris = ['file:///home/ada/a%20b.ts', 'file:///home/ada/src/'];
    const data = { 'application/vnd.code.uri-list': uris.join('\r\n'), 'text/plain': '/home/ada/a b.ts' };
    await chat.page.evaluate(`{
      const transfer = new DataTransfer();
      transfer.setData('text/uri-list', 'file:///a');
      const options = { bubbles: true, cancelable: true, dataTransfer: transfer };
      window.dragTaken = !document.body.dispatchEvent(new DragEvent('dragenter', options));
    }`);
    await chat.page.getByText('Drop to attach').waitFor();
    assert.equal(await chat.page.evaluate('window.dragTaken'), true);
    await chat.page.evaluate(`document.body.dispatchEvent(new DragEvent('dragleave', { bubbles: true }))`);
    await chat.page.getByText('Drop to attach').waitFor({ state: 'detached' });
    assert.equal(await give(chat, { event: 'drop', data }), true);
    await chips(chat).nth(1).waitFor();
    assert.equal(await chips(chat).nth(0).getAttribute('data-attachment'), 'file');
    assert.equal(await chips(chat).nth(1).getAttribute('data-attachment'), 'folder');
    assert.equal(await chat.page.getByText('Drop to attach').count(), 0);
    await expectFocus('[data-parley="composer"]');
    const messages = await chat.page.evaluate<PageToHost[]>('window.harness.sent');
    assert.deepEqual(
      messages.flatMap((message) => (message.type === 'takeDropped' ? [message.uris] : [])),
      [uris],
    );
  });

  it('attaches the content of a dropped text that has no place, and says what to do about other files', async () => {
    const chat = await open('ready');
    const data = Buffer.from('line\n').toString('base64');
    await give(chat, DROP, { type: '', name: 'notes.txt', data });
    await chips(chat).getByText('notes.txt').waitFor();
    await give(chat, DROP, {
      type: 'application/zip',
      name: 'all.zip',
      data: Buffer.from('PK\0').toString('base64'),
    });
    await chat.page.getByText('The content of all.zip can’t be attached here.').waitFor();
    assert.deepEqual(await sent(chat), [{ kind: 'text', name: 'notes.txt', text: 'line\n' }]);
  });

  it('says how many files were more than are attached at once', async () => {
    const chat = await open('ready');
    const data = Buffer.from('line\n').toString('base64');
    const files = Array.from({ length: 23 }, (_, i) => ({ type: '', name: `n${i}.txt`, data }));
    await give(chat, DROP, ...files);
    await chat.page.getByText('Not attached: 3 more files. At most 20 are attached at once.').waitFor();
    assert.equal(await chips(chat).count(), 20);
    const uris = Array.from({ length: 104 }, (_, i) => `file:///${i}`).join('\n');
    await give(chat, { event: 'drop', data: { 'text/uri-list': uris } });
    await chat.page.getByText('Not attached: 4 more files. At most 100 are attached at once.').waitFor();
  });

  it('leaves a drag of text, and one that began in the page, alone', async () => {
    const chat = await open('ready');
    assert.equal(await give(chat, { event: 'drop', data: { 'text/plain': 'words' } }), false);
    await chat.page.evaluate(`document.body.dispatchEvent(new DragEvent('dragstart', { bubbles: true }))`);
    assert.equal(await give(chat, { event: 'drop', data: { 'text/uri-list': 'file:///a' } }), false);
    await chat.drawn();
    assert.equal(await chat.page.getByText('Drop to attach').count(), 0);
  });

  it('tells the extension of an image once, and of the text with every key', async () => {
    const chat = await open('queue');
    await give(chat, PASTE, { type: 'image/png' });
    await chips(chat).getByText('shot.png').waitFor();
    await chat.composer.focus();
    await chat.page.keyboard.type('why');
    const messages = (): Promise<PageToHost[]> => chat.page.evaluate<PageToHost[]>('window.harness.sent');
    await soon('the text', async () => {
      const last = (await messages()).at(-1);
      return last?.type === 'draftText' && last.text === 'why';
    });
    assert.equal((await messages()).filter(({ type }) => type === 'draft').length, 1);
    await chat.page.reload();
    await chips(chat).getByText('shot.png').waitFor();
    assert.equal(await chat.composer.inputValue(), 'why');
  });

  it('makes an image fit that the extension read', async () => {
    const chat = await open('queue');
    await chat.post({
      type: 'attach',
      attachments: [{ kind: 'image', name: 'a.png', mimeType: 'image/png', data: PIXEL }],
    });
    await chips(chat).getByText('a.png').waitFor();
    assert.deepEqual(await sent(chat), [
      { kind: 'image', name: 'a.png', mimeType: 'image/png', data: PIXEL },
    ]);
  });
});
