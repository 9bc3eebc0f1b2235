import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { PageHarness, type ChatPage } from '../../support/pageHarness/chatPage';
import { findChromium } from '../../vscode/setup.mjs';
import { until } from '../../vscode/until';

const chromium = findChromium();
const why = chromium ? '' : ' (skipped: there is no Chromium here; PARLEY_CHROMIUM can name one)';
const URL_OF_PAGE = 'https://id.example.com/allow?request=8f2c&scope=deploy%20read';

(chromium ? describe : describe.skip)(`what an agent asks for in the chat page${why}`, function () {
  this.timeout(30_000);

  let harness: PageHarness | undefined;
  let chat: ChatPage;
  /** What the page asked the network for, besides itself. */
  let fetched: string[] = [];

  const open = async (scene: string): Promise<Locator> => {
    assert.ok(harness);
    fetched = [];
    chat = await harness.open(scene);
    chat.page.on('request', (request) => fetched.push(request.url()));
    const card = chat.page.locator('[data-elicitation]');
    await card.waitFor();
    return card;
  };
  const press = (card: Locator, name: string): Promise<void> => card.getByRole('button', { name }).click();
  const answers = async (): Promise<object[]> =>
    (await chat.intents()).flatMap((intent) => (intent.type === 'answerElicitation' ? [intent] : []));
  const answered = (): Promise<object[]> =>
    until('an answer', async () => ((await answers()).length > 0 ? answers() : undefined), 8_000);

  before(async () => {
    harness = await PageHarness.start();
  });

  afterEach(async () => {
    await chat?.page.close();
    assert.deepEqual(chat?.problems, []);
  });

  after(() => harness?.close());

  for (const [scene, requestId] of [
    ['form', 'e1'],
    ['page', 'e2'],
  ] as const) {
    for (const [name, action] of [
      ['Decline', 'decline'],
      ['Cancel', 'cancel'],
    ] as const) {
      it(`EL-2 EL-4 says who asks and lets the person ${action}: ${scene}`, async () => {
        const card = await open(scene);
        assert.match((await card.getAttribute('aria-label')) ?? '', /Copilot/);
        assert.match(await card.locator('.ask-title').innerText(), /Copilot/);
        await press(card, name);
        assert.deepEqual(await answered(), [{ type: 'answerElicitation', requestId, action }]);
      });
    }
  }

  it('EL-10 EL-12 has defaults filled in, and sends what stands in the fields after a change', async () => {
    const card = await open('form');
    const replicas = card.getByLabel('Replicas');
    assert.equal(await replicas.inputValue(), '2');
    await card.getByLabel('Name').fill('shop');
    await card.getByLabel('Region').selectOption({ label: 'Europe' });
    await card.getByLabel('lint').check();
    await replicas.fill('5');
    await card.locator('button[data-ready]').click();
    const [answer] = (await answered()) as { action: string; content: Record<string, unknown> }[];
    assert.equal(answer?.action, 'accept');
    assert.deepEqual(
      ['name', 'replicas', 'region', 'checks'].map((name) => answer.content[name]),
      ['shop', 5, 'eu', ['lint']],
    );
  });

  it('EL-21 EL-22 EL-24 shows host and whole address before anything is asked of the network', async () => {
    const card = await open('page');
    assert.equal(await card.locator('.form-site strong').innerText(), 'id.example.com');
    assert.equal(await card.locator('[data-parley="url"]').innerText(), URL_OF_PAGE);
    assert.equal(await card.locator('[data-parley="url"] mark').innerText(), 'id.example.com');
    assert.deepEqual(fetched, []);
    assert.deepEqual(await answers(), []);
    await card.locator('button[data-ready]').click();
    assert.deepEqual(await answered(), [{ type: 'answerElicitation', requestId: 'e2', action: 'accept' }]);
    assert.deepEqual(fetched, []);
  });

  it('EL-24 warns of an odd address, and does not offer to open one that is not safe', async () => {
    const odd = await open('oddPage');
    assert.ok((await odd.locator('.form-warning').count()) >= 3);
    await chat.page.close();
    const plain = await open('plainPage');
    await plain.getByRole('button', { name: 'Decline' }).waitFor();
    assert.equal(await plain.locator('button.primary').count(), 0);
  });

  it('EL-16 EL-25 makes no link of what a form or a message says', async () => {
    const card = await open('form');
    assert.equal(await card.locator('a').count(), 0);
    await chat.page.close();
    assert.equal(await (await open('oddPage')).locator('a').count(), 0);
  });
});
