import assert from 'node:assert/strict';
import type { ChatPage } from '../../support/pageHarness/chatPage';
import { describePage, soon } from '../../support/pageHarness/describePage';

/** Where the focus is, in a few words. */
const WHERE = `(() => {
  const e = document.activeElement;
  const entry = e.closest('[data-entry-id]');
  return [e.dataset.parley ?? e.dataset.optionId ?? e.ariaLabel ?? e.className, entry === e ? 'itself' : (entry?.dataset.entry ?? '')].join(' in ');
})()`;

describePage('the keyboard in the page', ({ open, expectFocus }) => {
  const press = async ({ page }: ChatPage, ...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const focused = (chat: ChatPage): Promise<string> => chat.page.evaluate<string>(WHERE);
  const notLost = async (chat: ChatPage): Promise<string> => {
    await soon('the focus to be somewhere', () =>
      chat.page.evaluate<boolean>('document.activeElement !== document.body'),
    );
    return focused(chat);
  };

  /** Puts the focus on the first of what a selector finds, as the arrow keys do. */
  const focusOn = ({ page }: ChatPage, selector: string): Promise<void> =>
    page.evaluate(
      `{ const e = document.querySelector(${JSON.stringify(selector)}); e.tabIndex = -1; e.focus({ focusVisible: true, preventScroll: true }); }`,
    );

  it('goes through the entries by arrow keys, and between them and the composer as VS Code’s chat does', async () => {
    const chat = await open('past', '', { height: 3000 });
    await chat.composer.focus();
    await press(chat, 'Control+ArrowUp');
    await expectFocus('[data-entry-id]:is([data-entry="end"])');
    const last = Number(await chat.page.locator(':focus').getAttribute('data-entry-id'));
    await press(chat, 'ArrowUp');
    assert.equal(Number(await chat.page.locator(':focus').getAttribute('data-entry-id')), last - 1);
    await press(chat, 'ArrowDown');
    assert.equal(Number(await chat.page.locator(':focus').getAttribute('data-entry-id')), last);
    await press(chat, 'ArrowDown');
    assert.equal(Number(await chat.page.locator(':focus').getAttribute('data-entry-id')), last, 'the end');
    await press(chat, 'Control+ArrowDown');
    await expectFocus('[data-parley="composer"]');
  });

  it('keeps Ctrl+Up in the composer for the text where the caret is not at its beginning', async () => {
    const chat = await open('past');
    await chat.composer.focus();
    await chat.page.keyboard.type('text');
    await press(chat, 'Control+ArrowUp');
    await expectFocus('[data-parley="composer"]');
  });

  it('scrolls a long entry to its end before the next one has its turn', async () => {
    const chat = await open('past', '', { height: 500 });
    await chat.drawn();
    await chat.scrollToTop();
    await soon('the reader to rest above', () => chat.restsAbove());
    await focusOn(chat, '[data-entry="agent"]');
    const top = await chat.scrollTop();
    await press(chat, 'ArrowDown');
    await soon('the log to scroll', async () => (await chat.scrollTop()) > top);
    await expectFocus('[data-entry="agent"]');
  });

  it('folds and unfolds an entry by its arrows, Enter and Space, and leads into it by Tab', async () => {
    const chat = await open('past', '', { height: 3000 });
    const run = chat.page.locator('.run').first();
    await focusOn(chat, '.run');
    const isOpen = (): Promise<string | null> => run.locator('.fold').first().getAttribute('aria-expanded');
    for (const [key, open] of [
      ['ArrowRight', 'true'],
      ['ArrowRight', 'true'],
      ['ArrowLeft', 'false'],
      ['Enter', 'true'],
      [' ', 'false'],
    ] as const) {
      await press(chat, key);
      await soon(`${key} to have its effect`, async () => (await isOpen()) === open);
    }
    await press(chat, 'Tab');
    await expectFocus('.run .fold');
  });

  it('names an entry with its text while it has the focus', async () => {
    const chat = await open('sessions');
    const entry = chat.page.locator('[data-entry="agent"]');
    assert.equal(await entry.getAttribute('aria-label'), 'Copilot');
    await chat.composer.focus();
    await press(chat, 'Control+ArrowUp', 'ArrowUp');
    assert.match((await entry.getAttribute('aria-label')) ?? '', /^Copilot: .*It passes now\./s);
    await press(chat, 'ArrowUp');
    assert.equal(await entry.getAttribute('aria-label'), 'Copilot');
    assert.match((await chat.page.locator(':focus').getAttribute('aria-label')) ?? '', /^You: /);
  });

  it('reaches the docks and then the newest entry with Shift+Tab from the composer, not the oldest', async () => {
    const chat = await open('long', '', { height: 600 });
    await chat.composer.focus();
    const last = await chat.page.locator('[data-entry-id]').last().getAttribute('data-entry-id');
    for (let i = 0; i < 4; i++) {
      await press(chat, 'Shift+Tab');
      const id = await chat.page.evaluate<string | null>(
        `document.activeElement.closest('[data-entry-id]')?.dataset.entryId ?? null`,
      );
      if (id !== null) {
        assert.ok(Number(id) >= Number(last) - 3, `${id} of ${last}`);
        return;
      }
    }
    assert.fail('no entry was reached');
  });

  it('leads to the beginning and back to the latest by keys', async () => {
    const chat = await open('long', '', { height: 600 });
    await chat.transcript.focus();
    await press(chat, 'Home');
    await soon('the beginning', async () => (await chat.scrollTop()) < 5);
    await chat.page.locator('.jump').waitFor();
    await chat.composer.focus();
    await press(chat, 'Shift+Tab');
    await expectFocus('.jump');
    await press(chat, 'Enter');
    await soon('the end', async () => (await chat.belowView()) < 5);
    assert.notEqual(await notLost(chat), '');
  });

  it('keeps the focus when the button that had it goes away', async () => {
    const chat = await open('gallery');
    await chat.page.getByRole('button', { name: 'Stop', exact: true }).focus();
    await press(chat, 'Enter');
    await expectFocus('[data-parley="composer"]');
  });

  it('PE-9 puts a focus that a question loses neither on another answer nor into the draft', async () => {
    const chat = await open('gallery');
    await chat.page.locator('[data-option-id="reject"]').focus();
    await chat.play({ type: 'permissionAnswered', requestId: 'p1', optionId: 'once', at: 1 });
    await chat.page.locator('[data-permission]').waitFor({ state: 'detached' });
    assert.match(
      await notLost(chat),
      /^transcript/,
      'not the draft: the keys that follow were for the question',
    );
  });

  it('keeps the focus in the conversation when a control of it goes away', async () => {
    const chat = await open('turnEnds');
    const again = chat.page.getByRole('button', { name: 'Continue' });
    await again.focus();
    await chat.play({ type: 'promptSubmitted', blocks: [{ type: 'text', text: 'more' }], at: 1 });
    await again.waitFor({ state: 'detached' });
    assert.match(await notLost(chat), /in itself$/);
  });

  it('PE-9 leaves the focus where a person took it', async () => {
    const chat = await open('gallery');
    await chat.page.locator('[data-option-id="reject"]').focus();
    await chat.page.locator('.session h1').click();
    await chat.play({ type: 'permissionAnswered', requestId: 'p1', optionId: 'once', at: 1 });
    await chat.page.locator('[data-permission]').waitFor({ state: 'detached' });
    await chat.drawn();
    assert.equal(await chat.page.evaluate('document.activeElement === document.body'), true);
  });
});
