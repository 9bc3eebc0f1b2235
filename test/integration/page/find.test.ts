import assert from 'node:assert/strict';
import type { ChatPage } from '../../support/pageHarness/chatPage';
import { describePage, soon } from '../../support/pageHarness/describePage';
import { asked, said } from '../../support/pageHarness/sayings';

// What runs in the page is text, for this side has no types of the page's world.
const texts = (name: string): string => `[...(CSS.highlights.get('${name}') ?? [])].map(String)`;
const inView = `(() => {
  const [range] = CSS.highlights.get('parley-find-current') ?? [];
  const box = document.querySelector('[data-parley="transcript"]').getBoundingClientRect();
  const place = range?.getBoundingClientRect();
  return !!place && place.height > 0 && place.top >= box.top && place.bottom <= box.bottom;
})()`;

describePage('find in the conversation', ({ open, expectFocus, expectIntents }) => {
  const field = (chat: ChatPage) => chat.page.locator('[data-parley="find"] input');
  const count = (chat: ChatPage, text: string): Promise<void> =>
    chat.page.locator('[data-parley="find"]').getByText(text, { exact: true }).waitFor();
  const marked = (chat: ChatPage, name = 'parley-find'): Promise<string[]> => chat.page.evaluate(texts(name));
  const current = (chat: ChatPage, text: string): Promise<boolean> =>
    soon(`the current match "${text}" in view`, async () => {
      const [shown] = await marked(chat, 'parley-find-current');
      return shown === text && (await chat.page.evaluate<boolean>(inView));
    });
  const find = async (chat: ChatPage, query: string): Promise<void> => {
    await chat.page.keyboard.press('Control+f');
    await field(chat).fill(query);
  };

  it('opens by its key, counts, goes around, and gives the focus back', async () => {
    const chat = await open('failures');
    await chat.composer.focus();
    await find(chat, 'BUILD');
    await soon('marks', async () => (await marked(chat)).length > 1);
    const all = (await marked(chat)).length;
    assert.ok((await marked(chat)).every((text) => text.toLowerCase() === 'build'));
    const label = await chat.page.locator('.find-count').textContent();
    const [, first, total] = /^(\d+) of (\d+)$/.exec(label ?? '') ?? [];
    assert.ok(Number(total) >= all, label ?? '');
    for (let i = 0; i < Number(total); i++) await field(chat).press('Enter');
    await count(chat, `${first} of ${total}`);
    await field(chat).press('Shift+Enter');
    await field(chat).press('F3');
    await count(chat, `${first} of ${total}`);
    await field(chat).press('Alt+c');
    await count(chat, 'No results');
    assert.deepEqual(await marked(chat), []);
    await field(chat).press('Escape');
    await field(chat).waitFor({ state: 'detached' });
    await expectFocus('[data-parley="composer"]');
    assert.equal(await chat.page.evaluate('CSS.highlights.size'), 0);
    assert.deepEqual(await chat.intents(), []);
  });

  it('stays at the match while the agent writes at the end', async () => {
    const chat = await open('long');
    await soon('the end', async () => (await chat.belowView()) < 2);
    await chat.page.evaluate(`(() => {
      const grow = () => {
        const sections = document.querySelectorAll('[data-parley="transcript"] .section');
        if (!window.isGrown) sections[sections.length - 1].append(document.createElement('hr'));
        requestAnimationFrame(grow);
      };
      requestAnimationFrame(grow);
    })()`);
    await find(chat, 'Question 990');
    await current(chat, 'Question 990');
    for (let frame = 0; frame < 10; frame++) await chat.drawn();
    assert.equal(await chat.page.evaluate(inView), true);
    await chat.page.evaluate('window.isGrown = true');
  });

  it('closes by Escape before the turn is stopped by it', async () => {
    const chat = await open('ready');
    await chat.play(asked('go on'), said('on it'));
    await chat.page.locator('[data-parley="panel"][data-turn="running"]').waitFor();
    await chat.composer.focus();
    await find(chat, 'on');
    await count(chat, '1 of 2');
    await chat.page.keyboard.press('Escape');
    await expectFocus('[data-parley="composer"]');
    assert.deepEqual(await chat.intents(), []);
    await chat.page.keyboard.press('Escape');
    await expectIntents({ type: 'cancelTurn' });
  });

  it('finds over the markup of Markdown, and does not find the markup', async () => {
    const chat = await open('ready');
    await chat.play(asked('x'), said('Take **all of\nit** and `go`.\n\n- [home](https://example.com)\n'));
    await find(chat, 'all of it and go.');
    await count(chat, '1 of 1');
    await current(chat, 'all of\nit and go.');
    await field(chat).fill('**');
    await count(chat, 'No results');
    await field(chat).fill('example.com');
    await count(chat, 'No results');
    await field(chat).fill('home');
    await current(chat, 'home');
  });

  it('unfolds what holds the match: thoughts, cards, their details, lines of commands, folded runs', async () => {
    const chat = await open('turn');
    await find(chat, 'while the code is in UTC');
    await current(chat, 'while the code is in UTC');
    const lines = Array.from({ length: 40 }, (_, i) => [{ text: i === 3 ? 'needle here' : `line ${i}` }]);
    await chat.play(
      { type: 'terminalScreen', terminalId: 't1', from: 0, hiddenLines: 0, lines },
      {
        type: 'update',
        at: 1,
        update: {
          kind: 'toolCallUpdate',
          patch: { toolCallId: 'edit', rawInput: '{"deep": "haystack"}' },
        },
      },
    );
    await field(chat).fill('needle');
    await current(chat, 'needle');
    await field(chat).fill('haystack');
    await current(chat, 'haystack');
    await chat.page.keyboard.press('Escape');
    await find(chat, 'const x = 1');
    // All of them are above the view.
    await count(chat, '4 of 4');
    await current(chat, 'const x = 1');
    await field(chat).press('Enter');
    await count(chat, '1 of 4');
    await current(chat, 'const x = 1');
    await field(chat).press('Shift+Enter');
    await count(chat, '4 of 4');
    await current(chat, 'const x = 1');
    await chat.page.locator('.run [data-tool-call-id="read-package.json"] .tool-body').waitFor();
  });

  it('finds in what was not drawn yet, and draws it', async () => {
    const chat = await open('long');
    await find(chat, 'Question 7');
    await count(chat, '111 of 111');
    await field(chat).fill('Question 77');
    await count(chat, '11 of 11');
    await field(chat).press('Enter');
    await count(chat, '1 of 11');
    await current(chat, 'Question 77');
    await chat.page.getByText('Question 77', { exact: true }).waitFor();
    await field(chat).fill('answer 999 with code');
    await current(chat, 'Answer 999 with code');
  });

  it('counts what arrives, at most once in a while, and moves neither the match nor the reader', async () => {
    const chat = await open('failures');
    await find(chat, 'zebra');
    await count(chat, 'No results');
    await chat.play(asked('zebra one'), said(`zebra two\n\n${'a\n\n'.repeat(60)}`));
    await count(chat, '1 of 2');
    await field(chat).press('Enter');
    await field(chat).press('Enter');
    await current(chat, 'zebra');
    await soon('the end of the scrolling', () => chat.restsAbove());
    const top = await chat.scrollTop();
    await chat.page.evaluate(`
      window.counts = 0;
      new MutationObserver(() => window.counts++).observe(document.querySelector('.find-count'), {
        characterData: true, childList: true, subtree: true });
      window.started = performance.now();
    `);
    for (let i = 0; i < 30; i++) await chat.play(said(` zebra ${i}`));
    await count(chat, '1 of 32');
    const [counts, took] = await chat.page.evaluate<[number, number]>(
      '[window.counts, performance.now() - window.started]',
    );
    assert.ok(counts >= 1 && counts <= Math.ceil(took / 250) + 1, `${counts} counts in ${took} ms`);
    assert.equal(await chat.scrollTop(), top);
  });

  it('leaves the nodes of finished blocks as they are', async () => {
    const chat = await open('failures');
    const html = `document.querySelector('[data-entry="agent"]').innerHTML`;
    const before = await chat.page.evaluate<string>(html);
    await chat.page.evaluate(`window.kept = [...document.querySelectorAll('[data-entry="agent"] *')]`);
    await find(chat, 'e');
    await soon('marks', async () => (await marked(chat)).length > 20);
    assert.equal(await chat.page.evaluate<string>(html), before);
    assert.ok(await chat.page.evaluate<boolean>('window.kept.every((node) => node.isConnected)'));
  });

  it('takes what is typed right after its key', async () => {
    const chat = await open('ready');
    await chat.composer.focus();
    await chat.page.evaluate(`
      const key = (init) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, ...init }));
      key({ key: 'f', ctrlKey: true });
      Promise.resolve().then(() => setTimeout(() => (window.focused = document.activeElement.tagName)));
    `);
    await soon('the focus', async () => (await chat.page.evaluate('window.focused')) === 'INPUT');
  });

  it('goes on in another session, and moves nobody there', async () => {
    const chat = await open('long');
    await find(chat, 'Question 5');
    await current(chat, 'Question 5');
    await chat.show('k2', 'failures');
    await count(chat, 'No results');
    await soon('the end in view', async () => (await chat.belowView()) < 2);
    await field(chat).fill('build');
    await count(chat, '1 of 7');
    await chat.show('k1', 'failures');
    await count(chat, '1 of 7');
    await soon('the end in view', async () => (await chat.belowView()) < 2);
  });

  it('begins with what is selected in the conversation', async () => {
    const chat = await open('ready');
    await chat.play(asked('pineapple'));
    await chat.page
      .getByRole('log')
      .getByText('pineapple')
      .dblclick({ position: { x: 20, y: 8 } });
    await chat.page.keyboard.press('Control+f');
    await count(chat, '1 of 1');
    assert.equal(await field(chat).inputValue(), 'pineapple');
  });
});

describePage('the end of the conversation and copies', ({ open, expectIntents }) => {
  it('says how many entries came while the reader was above', async () => {
    const chat = await open('failures');
    const jump = (name: string) => chat.page.getByRole('button', { name, exact: true });
    await chat.play(asked('more'), said('a\n\n'.repeat(60)));
    // Drawn a frame later, and only what is drawn then was there before.
    await chat.drawn();
    await soon('the end in view', async () => (await chat.belowView()) < 2);
    await chat.scrollToTop();
    await jump('Jump to latest').waitFor();
    await chat.play(said('still the same message'));
    await chat.play(asked('one'), said('two'));
    await jump('Jump to latest (2 new)').click();
    await soon('the end in view', async () => (await chat.belowView()) < 2);
    await chat.scrollToTop();
    await jump('Jump to latest').waitFor();
  });

  it('takes a reader who scrolls up in the moment after the jump for one who is above', async () => {
    const chat = await open('failures');
    await chat.play(asked('more'), said('a\n\n'.repeat(60)));
    await chat.drawn();
    await soon('the end in view', async () => (await chat.belowView()) < 2);
    await chat.scrollToTop();
    const jump = chat.page.getByRole('button', { name: 'Jump to latest' });
    await jump.waitFor();
    // Both are told by one event of scrolling.
    await chat.page.evaluate(`{
      const log = document.querySelector('[data-parley="transcript"]');
      document.querySelector('.jump').click();
      log.firstElementChild.dispatchEvent(new WheelEvent('wheel', { bubbles: true, deltaY: -100 }));
      log.scrollTop = 0;
    }`);
    await chat.drawn();
    await jump.waitFor();
    assert.equal(await chat.scrollTop(), 0);
  });

  it('copies a message as it was sent', async () => {
    const chat = await open('ready');
    const markdown = '**Bold** and\n\n```ts\nlet a;\n```\n';
    await chat.play(asked('Say *it*'), said(markdown));
    const copy = chat.page.getByRole('button', { name: 'Copy message' });
    await copy.nth(1).click();
    await copy.nth(0).press('Enter');
    await expectIntents({ type: 'copy', text: markdown }, { type: 'copy', text: 'Say *it*' });
  });
});
