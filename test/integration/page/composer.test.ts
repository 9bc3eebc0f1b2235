import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { SessionAction } from '../../../src/core/session/actions';
import type { ConfigView } from '../../../src/core/session/state';
import type { ChatPage } from '../../support/pageHarness/chatPage';
import { describePage, soon } from '../../support/pageHarness/describePage';

const LONG_NAME = 'Anthropic: Claude Opus 4.1 (extended thinking, one million tokens of context)';

const select = (id: string, names: readonly string[], category?: 'model' | 'mode'): ConfigView => ({
  id,
  name: id,
  ...(category ? { category } : {}),
  type: 'select',
  value: names[0] ?? '',
  legacyMode: false,
  choices: names.map((name) => ({
    value: name,
    name,
    description: `What ${name} is good at, in some words`,
  })),
});

const options = (...config: ConfigView[]): SessionAction => ({
  type: 'sessionOpened',
  sessionId: 's1',
  cwd: '/home/ada/shop',
  config,
  fresh: true,
});

const usage = (used: number, cost?: { amount: number; currency: string }): SessionAction => ({
  type: 'update',
  at: 1,
  update: { kind: 'usage', usage: { used, size: 200_000, ...(cost ? { cost } : {}) } },
});

describePage('the composer', ({ open, expectFocus, expectIntents }) => {
  const picker = (chat: ChatPage, id: string): Locator => chat.page.locator(`[data-config-id="${id}"]`);
  const rows = (chat: ChatPage): Locator => chat.page.locator('.popup').getByRole('option');
  const active = (chat: ChatPage): Promise<string> =>
    chat.page.locator('.popup [data-active] .list-name').innerText();
  /** What of the page is cut off or sticks out of it, by name. */
  const cutOff = (chat: ChatPage, selector: string): Promise<string[]> =>
    chat.page.evaluate<
      string[]
    >(`[...document.querySelectorAll(${JSON.stringify(selector)})].flatMap((one) => {
      const { left, right } = one.getBoundingClientRect();
      const isCut = one.scrollWidth > one.clientWidth + 1 || left < 0 || right > innerWidth;
      return isCut ? [one.innerText] : [];
    })`);

  it('shows its pickers with their full names in 300 px', async () => {
    const chat = await open('ready');
    await chat.page.setViewportSize({ width: 300, height: 700 });
    await chat.play(
      options(
        select('mode', ['Plan first, then edit'], 'mode'),
        select('model', ['Claude Sonnet 4.5 (default)', LONG_NAME], 'model'),
        select('effort', ['Medium effort']),
        { id: 'web', name: 'Search the web', type: 'boolean', value: true },
      ),
      usage(80_000),
    );
    await picker(chat, 'web').waitFor();
    assert.deepEqual(await cutOff(chat, '.tools .pick .cut, .tools'), []);
    await picker(chat, 'model').click();
    await rows(chat).nth(1).waitFor();
    assert.deepEqual(
      await cutOff(chat, '.popup, .popup .list, .popup .list-name, .popup .list-description'),
      [],
    );
    assert.equal(await rows(chat).nth(1).locator('.list-name').innerText(), LONG_NAME);
  });

  it('finds a choice by typing where there is no filter, and its ends by Home and End', async () => {
    const chat = await open('ready');
    await chat.play(options(select('mode', ['Ask', 'Agent', 'Plan', 'plan deep'], 'mode')));
    await picker(chat, 'mode').click();
    await expectFocus('.popup [role="listbox"]');
    const { keyboard } = chat.page;
    await keyboard.press('p');
    assert.equal(await active(chat), 'Plan');
    await keyboard.press('p');
    assert.equal(await active(chat), 'plan deep');
    await keyboard.press('Home');
    assert.equal(await active(chat), 'Ask');
    await keyboard.press('End');
    assert.equal(await active(chat), 'plan deep');
    await keyboard.press('Enter');
    await expectIntents({ type: 'setConfig', id: 'mode', value: 'plan deep' });
    await expectFocus('[data-config-id="mode"]');
  });

  it('opens hundreds of choices at once, drawing those in sight, and filters them', async () => {
    const chat = await open('ready');
    const names = Array.from({ length: 391 }, (_, index) => `provider/model-${index}`);
    await chat.play(options(select('model', names, 'model')));
    await picker(chat, 'model').waitFor();
    const took = await chat.page.evaluate<number>(`new Promise((done) => {
      const start = performance.now();
      document.querySelector('[data-config-id="model"]').click();
      requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
    })`);
    assert.equal(await rows(chat).count(), 391);
    const far = `document.querySelectorAll('.popup .list-item')[300]`;
    assert.equal(
      await chat.page.evaluate(`${far}.firstChild.checkVisibility({ contentVisibilityAuto: true })`),
      false,
    );
    // The target is 50 ms; a machine that is busy with other tests takes many times that.
    assert.ok(took < 5_000, `${took} ms`);
    await chat.page.keyboard.type('MODEL-39');
    await soon('two choices', async () => (await rows(chat).count()) === 2);
    await chat.page.keyboard.press('End');
    await chat.page.keyboard.press('Enter');
    await expectIntents({ type: 'setConfig', id: 'model', value: 'provider/model-390' });
  });

  it('US-2 US-3 tells the tokens and the cost in words, by a press and by keyboard', async () => {
    const chat = await open('ready');
    await chat.play(usage(190_500, { amount: 0.0042, currency: 'USD' }));
    const ring = chat.page.locator('[data-parley="usage"]');
    const card = chat.page.locator('[data-parley="usage-card"]');
    const label = await ring.getAttribute('aria-label');
    assert.equal(label, '95 % of the context window used (190,500 of 200,000 tokens) · Cost 0.0042 USD');
    assert.equal(await ring.getAttribute('title'), label);
    assert.equal(await ring.getAttribute('data-level'), 'full');
    await ring.focus();
    await chat.page.keyboard.press('Enter');
    await card.getByText('190,500 of 200,000 tokens').waitFor();
    await card.getByText('Cost 0.0042 USD').waitFor();
    assert.equal(await ring.getAttribute('aria-expanded'), 'true');
    await chat.page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
    await expectFocus('[data-parley="usage"]');
  });

  it('grows with its text to two fifths of the panel, then scrolls', async () => {
    const chat = await open('ready');
    const area = `document.querySelector('[data-parley="composer"]')`;
    const height = (): Promise<number> => chat.page.evaluate<number>(`${area}.clientHeight`);
    const low = await height();
    await chat.composer.fill('a\n'.repeat(8));
    assert.ok((await height()) > low);
    await chat.composer.fill('a\n'.repeat(200));
    assert.equal(await height(), 320);
    assert.equal(await chat.page.evaluate(`getComputedStyle(${area}).overflowY`), 'auto');
    await chat.composer.fill('a');
    assert.equal(await height(), low);
  });

  it('stays quick with 200 KB of text in it', async () => {
    const chat = await open('ready');
    // Not by the driver, which would look at all of it.
    await chat.page.evaluate(`{
      const area = document.querySelector('[data-parley="composer"]');
      area.value = 'a long line of a log @ 12:30 and some more of it\\n'.repeat(4200);
      area.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }`);
    await chat.drawn();
    const took = await chat.page.evaluate<number>(`new Promise((done) => {
      const area = document.querySelector('[data-parley="composer"]');
      area.focus();
      area.setSelectionRange(area.value.length, area.value.length);
      const start = performance.now();
      document.execCommand('insertText', false, 'x');
      requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
    })`);
    assert.ok((await chat.composer.inputValue()).endsWith('it\nx'));
    assert.equal(
      await chat.page.evaluate(`document.querySelector('[data-parley="composer"]').clientHeight`),
      320,
    );
    // About 30 ms; a machine that is busy with other tests takes many times that.
    assert.ok(took < 5_000, `${took} ms`);
  });

  it('sends nothing while an input method composes', async () => {
    const chat = await open('ready');
    await chat.composer.fill('にほん');
    const press = (init: string): Promise<void> =>
      chat.page.evaluate(`document.querySelector('[data-parley="composer"]').dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ${init} }))`);
    await press('isComposing: true');
    await press('keyCode: 229');
    await chat.drawn();
    assert.deepEqual(await chat.intents(), []);
    assert.equal(await chat.composer.inputValue(), 'にほん');
    await press('');
    await expectIntents({ type: 'prompt', text: 'にほん', attachments: [] });
  });
});
