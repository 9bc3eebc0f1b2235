import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { ChatPage } from '../../support/pageHarness/chatPage';
import { describePage, soon } from '../../support/pageHarness/describePage';

/** Presses "Submit" each time it comes up that it is not yet meant to count. */
const pressEarly = `
  window.earlyPresses = 0;
  new MutationObserver(() => {
    const button = document.querySelector('.form-actions .primary:not([data-ready])');
    if (!button) return;
    window.earlyPresses++;
    button.click();
  }).observe(document, { childList: true, subtree: true });
`;

const entry = (chat: ChatPage): Locator => chat.page.locator('[data-entry="elicitation"]');
const field = (chat: ChatPage, name: string): Locator => chat.page.locator(`[data-field="${name}"]`);
const button = (chat: ChatPage, name: string): Locator =>
  entry(chat).getByRole('button', { name, exact: true });
const ready = (chat: ChatPage): Promise<void> => entry(chat).locator('[data-ready]').waitFor();
const isWrong = (chat: ChatPage, name: string, wrong: boolean): Promise<boolean> =>
  soon(`"${name}" to be ${wrong ? 'wrong' : 'right'}`, async () => {
    return (await field(chat, name).getAttribute('aria-invalid')) === String(wrong);
  });

async function fillIn(chat: ChatPage): Promise<void> {
  await field(chat, 'name').fill('shop-web');
  await field(chat, 'replicas').fill(' 3 ');
  await field(chat, 'region').selectOption('eu');
  await field(chat, 'checks').locator('[value="e2e"]').check();
  await field(chat, 'checks').locator('[value="lint"]').check();
}

describePage('forms in the chat page', ({ open, expectIntents, expectFocus }) => {
  it('EL-2 EL-3 EL-12 EL-16 says who asks, shows the texts as text, and fills in the defaults', async () => {
    const chat = await open('form');
    await entry(chat).getByText('Copilot asks you to fill in a form').waitFor();
    await entry(chat).getByText('I need a few details, see https://example.com/deploy').waitFor();
    await entry(chat).getByText('What the deployment needs to know. See https://example.com/help').waitFor();
    assert.equal(await entry(chat).locator('a, [data-href]').count(), 0);
    assert.equal(await field(chat, 'replicas').inputValue(), '2');
    assert.equal(await field(chat, 'name').getAttribute('aria-required'), 'true');
    const names = await chat.page.evaluate<string[]>(
      `[...document.querySelectorAll('[data-field]')].map((control) => control.dataset.field)`,
    );
    assert.deepEqual(names, 'name replicas budget region checks public contact token notes'.split(' '));
    for (const name of ['Submit', 'Decline', 'Cancel']) await button(chat, name).waitFor();
  });

  it('EL-4 EL-10 EL-11 sends what was filled in, as the types that were asked for, and nothing else', async () => {
    const chat = await open('form');
    await fillIn(chat);
    await field(chat, 'budget').fill('1e3');
    await field(chat, 'public').check();
    await button(chat, 'Submit').click();
    await expectIntents({
      type: 'answerElicitation',
      requestId: 'e1',
      action: 'accept',
      content: {
        name: 'shop-web',
        replicas: 3,
        budget: 1000,
        region: 'eu',
        checks: ['lint', 'e2e'],
        public: true,
      },
    });
    await entry(chat).getByText('You submitted the form').waitFor();
    assert.equal(await chat.page.locator('[data-field]').count(), 0);
    await expectFocus('[data-parley="transcript"]');
  });

  it('EL-11 sends nothing that is wrong, says why, and leads to the first such field', async () => {
    const chat = await open('form');
    await ready(chat);
    await button(chat, 'Submit').click();
    await expectFocus('[data-field="name"]');
    await isWrong(chat, 'name', true);
    const about = (await field(chat, 'name').getAttribute('aria-describedby'))?.split(' ') ?? [];
    const texts = await Promise.all(about.map((id) => chat.page.locator(`[id="${id}"]`).textContent()));
    assert.deepEqual(texts, ['Letters and dashes', 'An answer is needed.']);
    await field(chat, 'name').fill('shop');
    await isWrong(chat, 'name', false);
    await button(chat, 'Submit').click();
    await expectFocus('[data-field="region"]');
    await field(chat, 'region').selectOption('us');
    await button(chat, 'Submit').click();
    await expectFocus('[data-field="checks"] [value="lint"]');
    assert.deepEqual(await chat.intents(), []);
  });

  it('EL-11 checks a field that is left, but not one that was only passed', async () => {
    const chat = await open('form');
    await field(chat, 'name').focus();
    await chat.page.keyboard.press('Tab');
    await expectFocus('[data-field="replicas"]');
    await field(chat, 'replicas').fill('2.5');
    await chat.page.keyboard.press('Tab');
    await entry(chat).getByText('Not a whole number.').waitFor();
    await field(chat, 'contact').fill('ada');
    await chat.page.keyboard.press('Tab');
    await entry(chat).getByText('Not an email address.').waitFor();
    await isWrong(chat, 'name', false);
  });

  it('EL-4 declines and cancels, however the form is filled in', async () => {
    for (const [name, action, said] of [
      ['Decline', 'decline', 'You declined'],
      ['Cancel', 'cancel', 'Cancelled'],
    ] as const) {
      const chat = await open('form');
      await field(chat, 'replicas').fill('many');
      await button(chat, name).click();
      await expectIntents({ type: 'answerElicitation', requestId: 'e1', action });
      await entry(chat).getByText(said).waitFor();
      if (action === 'decline') await chat.page.close();
    }
  });

  it('EL-10 is not sent by a reflex, by Enter in a field, or by Escape', async () => {
    const chat = await open('form', pressEarly);
    await ready(chat);
    assert.ok((await chat.page.evaluate<number>('window.earlyPresses')) > 0);
    await fillIn(chat);
    await field(chat, 'name').press('Enter');
    await field(chat, 'replicas').press('Enter');
    await field(chat, 'name').press('Escape');
    await expectFocus('[data-elicitation="e1"]');
    await chat.drawn();
    assert.deepEqual(await chat.intents(), []);
    assert.equal(await chat.page.locator('[data-turn="running"]').count(), 1);
    await button(chat, 'Submit').press('Enter');
    await soon('an answer', async () => (await chat.intents()).length === 1);
  });

  it('EL-15 warns of secrets, keeps a half-filled form while the agent writes, and stores none of it', async () => {
    const chat = await open('form');
    await entry(chat).getByText('Don’t enter secrets here').waitFor();
    await field(chat, 'name').fill('half-filled');
    const block = { type: 'text', text: 'Meanwhile' } as const;
    await chat.play({ type: 'update', at: 1, update: { kind: 'chunk', role: 'agent', block } });
    await chat.page.getByText('Meanwhile').waitFor();
    assert.equal(await field(chat, 'name').inputValue(), 'half-filled');
    await chat.show('k2', 'ready');
    await field(chat, 'name').waitFor({ state: 'detached' });
    await chat.show('k1', 'form');
    await field(chat, 'name').waitFor();
    assert.equal(await field(chat, 'name').inputValue(), 'half-filled');
    assert.doesNotMatch(
      await chat.page.evaluate<string>('JSON.stringify({ ...sessionStorage })'),
      /half-filled/,
    );
  });

  it('EL-2 docks a form that is out of view, and leads back to it', async () => {
    const chat = await open('form');
    await ready(chat);
    await chat.page.setViewportSize({ width: 380, height: 400 });
    const text = 'a\n\n'.repeat(60);
    await chat.play({
      type: 'update',
      at: 1,
      update: { kind: 'chunk', role: 'agent', block: { type: 'text', text } },
    });
    const dock = chat.page.getByRole('button', { name: 'Waiting for you: I need a few details' });
    await dock.click();
    await expectFocus('[data-elicitation="e1"]');
    await dock.waitFor({ state: 'detached' });
  });

  it('keeps the answer to give where it is refused', async () => {
    const chat = await open('form');
    await fillIn(chat);
    await ready(chat);
    await chat.refuseNext('The agent is gone.');
    await button(chat, 'Submit').click();
    await chat.page.getByText('The agent is gone.').waitFor();
    assert.equal(await field(chat, 'name').inputValue(), 'shop-web');
    await button(chat, 'Submit').click();
    await entry(chat).getByText('You submitted the form').waitFor();
  });
});

describePage('pages to open in the chat page', ({ open, expectIntents }) => {
  it('EL-20 EL-21 EL-22 shows the whole address and its host, and opens it only when told to', async () => {
    const chat = await open('page');
    const address = 'https://id.example.com/allow?request=8f2c&scope=deploy%20read';
    assert.equal(await chat.page.locator('[data-parley="url"]').textContent(), address);
    assert.equal(await chat.page.locator('[data-parley="url"] mark').textContent(), 'id.example.com');
    assert.equal(await entry(chat).locator('a, [data-href]').count(), 0);
    assert.deepEqual(await chat.intents(), []);
    await button(chat, 'Open in browser').click();
    await expectIntents({ type: 'answerElicitation', requestId: 'e2', action: 'accept' });
  });

  it('EL-26 waits for the page to be completed, and opens it again on demand', async () => {
    const chat = await open('page');
    await button(chat, 'Open in browser').click();
    await entry(chat).getByText('Waiting for the page to be completed').waitFor();
    await button(chat, 'Open again').click();
    const accept = { type: 'answerElicitation', requestId: 'e2', action: 'accept' } as const;
    await expectIntents(accept, accept);
    await chat.play({ type: 'elicitationCompleted', requestId: 'e2' });
    await entry(chat).getByText('The page is completed').waitFor();
    assert.equal(await button(chat, 'Open again').count(), 0);
  });

  it('EL-24 marks the real host and warns of what is odd about the address', async () => {
    const chat = await open('oddPage');
    assert.equal(await chat.page.locator('[data-parley="url"] mark').textContent(), 'xn--exmple-cua.com');
    for (const text of ['can look like others', 'begins with a user name', 'unusual port'])
      await entry(chat).getByText(text).waitFor();
  });

  it('EL-24 opens nothing that is not https', async () => {
    const chat = await open('plainPage');
    await entry(chat).getByText('Parley opens only https addresses.').waitFor();
    assert.equal(await button(chat, 'Open in browser').count(), 0);
    await button(chat, 'Decline').click();
    await expectIntents({ type: 'answerElicitation', requestId: 'e2', action: 'decline' });
  });
});
