import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { Intent } from '../../../src/core/chat/protocol';
import { PageHarness, type ChatPage } from '../../support/pageHarness/chatPage';
import { findChromium } from '../../vscode/setup.mjs';
import { until } from '../../vscode/until';

const soon = (what: string, probe: () => Promise<boolean>): Promise<boolean> =>
  until(what, async () => (await probe()) || undefined, 8000);

const chromium = findChromium();
const why = chromium ? '' : ' (skipped: there is no Chromium here; PARLEY_CHROMIUM can name one)';

(chromium ? describe : describe.skip)(`the sessions in the chat page${why}`, function () {
  this.timeout(30_000);

  let harness: PageHarness | undefined;
  /** The page of the test that runs. */
  let chat: ChatPage;

  const open = async (scene: string): Promise<ChatPage> => {
    assert.ok(harness);
    return (chat = await harness.open(scene));
  };
  const sessionsButton = (): Locator => chat.page.getByRole('button', { name: 'Sessions', exact: true });
  const list = (): Locator => chat.page.locator('[data-parley="sessions"]');
  const row = (key: string): Locator => chat.page.locator(`[data-session-key="${key}"]`);
  const openList = async (): Promise<void> => {
    await sessionsButton().click();
    await list().waitFor();
  };
  const focusIs = (what: string, selector: string): Promise<void> =>
    chat.page
      .locator(`${selector}:focus`)
      .waitFor({ state: 'attached', timeout: 6000 })
      .catch((error: unknown) => {
        throw new Error(`The focus is not on ${what}.`, { cause: error });
      });
  const expectIntents = async (...expected: Intent[]): Promise<void> => {
    await soon(`${expected.length} wishes`, async () => (await chat.intents()).length >= expected.length);
    assert.deepEqual(await chat.intents(), expected);
  };
  const textOfDraft = (text: string): Promise<boolean> =>
    soon(`the draft ${JSON.stringify(text)}`, async () => (await chat.composer.inputValue()) === text);

  before(async () => {
    harness = await PageHarness.start();
  });

  afterEach(async () => {
    await chat?.page.close();
    assert.deepEqual(chat?.problems, []);
  });

  after(() => harness?.close());

  it('lists each session with badge, word, agent and title, in place of the conversation', async () => {
    const { page, transcript } = await open('sessions');
    assert.equal(await sessionsButton().getAttribute('aria-expanded'), 'false');
    assert.equal(await sessionsButton().getAttribute('data-count'), '2');
    await openList();
    assert.equal(await sessionsButton().getAttribute('aria-expanded'), 'true');
    assert.equal(await transcript.isVisible(), false);
    const rows = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
    const told = await rows.evaluateAll((items: { dataset: Record<string, string>; innerText: string }[]) =>
      items.map(({ dataset, innerText }) => [
        dataset['sessionId'],
        dataset['sessionState'],
        innerText.replaceAll(/\s+/g, ' ').trim(),
      ]),
    );
    assert.deepEqual(told, [
      ['session-k1', 'idle', 'Flaky date test Idle · GitHub Copilot now'],
      ['session-k2', 'running', 'Move the checkout page to the new router Running · Claude Code 2m ago'],
      [
        'session-k3',
        'waiting',
        'Rename the orders table, keep the old view for the reports until May Waiting for you · GitHub Copilot 9m ago',
      ],
      ['k4', 'failed', 'New session Failed · Gemini CLI 47m ago'],
      ['session-k5', 'done', 'Explain the retry logic Done · GitHub Copilot 3h ago'],
      [
        'session-k6',
        'idle',
        String.raw`Draft release notes for 2.4\u{202E} Idle · Claude Code · on the agent yesterday`,
      ],
    ]);
    assert.deepEqual(
      await page
        .locator('li[aria-current="true"]')
        .evaluateAll((items: { dataset: Record<string, string> }[]) =>
          items.map((item) => item.dataset['sessionKey']),
        ),
      ['k1'],
    );
    await expectIntents({ type: 'listSessions' });
  });

  it('gives the focus back when Escape or the button closes the list, and does not stop the turn', async () => {
    const { composer, page } = await open('sessions');
    await chat.play({ type: 'promptSubmitted', blocks: [{ type: 'text', text: 'go' }], at: 1 });
    await page.locator('[data-turn="running"]').waitFor();
    await openList();
    await focusIs('the current row', '[data-session-key="k1"] .session-main');
    await page.keyboard.press('Escape');
    await list().waitFor({ state: 'detached' });
    await focusIs('the button', '[data-parley="sessions-button"]');
    await composer.focus();
    await chat.post({ type: 'showSessions' });
    await list().waitFor();
    await focusIs('the current row', '[data-session-key="k1"] .session-main');
    await sessionsButton().click();
    await list().waitFor({ state: 'detached' });
    assert.equal(await sessionsButton().getAttribute('aria-expanded'), 'false');
    await expectIntents({ type: 'listSessions' }, { type: 'listSessions' });
  });

  it('goes through the rows by keyboard, and deletes and closes from there', async () => {
    const { page } = await open('sessions');
    await openList();
    await focusIs('the current row', '[data-session-key="k1"] .session-main');
    await page.keyboard.press('ArrowDown');
    await focusIs('the second row', '[data-session-key="k2"] .session-main');
    await page.keyboard.press('End');
    await focusIs('the last row', '[data-session-key="k6"] .session-main');
    await page.keyboard.press('Delete');
    await row('k6').waitFor({ state: 'detached' });
    await focusIs('the row that is last now', '[data-session-key="k5"] .session-main');
    assert.equal(await row('k5').getByRole('button', { name: 'Close' }).count(), 0);
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await focusIs('"Close"', '[data-session-key="k2"] [aria-label="Close"]');
    await page.keyboard.press('Enter');
    await row('k2').waitFor({ state: 'detached' });
    await focusIs('the row that follows', '[data-session-key="k3"] .session-main');
    await row('k3').getByRole('button', { name: 'Delete' }).click();
    await row('k3').waitFor({ state: 'detached' });
    await expectIntents(
      { type: 'listSessions' },
      { type: 'deleteSession', key: 'k6' },
      { type: 'closeSession', key: 'k2' },
      { type: 'deleteSession', key: 'k3' },
    );
  });

  it('switches with a press or Enter, and closes the list also for the session that is shown', async () => {
    const { page } = await open('sessions');
    await page.getByText('It passes now.').waitFor();
    await openList();
    await row('k2').click();
    await list().waitFor({ state: 'detached' });
    await page.getByText('What should Copilot do?').waitFor();
    await focusIs('the composer', '[data-parley="composer"]');
    await openList();
    assert.equal(await row('k2').getAttribute('aria-current'), 'true');
    await page.keyboard.press('Enter');
    await list().waitFor({ state: 'detached' });
    await expectIntents(
      { type: 'listSessions' },
      { type: 'showSession', key: 'k2' },
      { type: 'listSessions' },
      { type: 'showSession', key: 'k2' },
    );
  });

  it('begins a session from the list', async () => {
    await open('noSessions');
    await openList();
    await list().getByText('No sessions yet').waitFor();
    await list().getByRole('button', { name: 'New session' }).click();
    await list().waitFor({ state: 'detached' });
    await expectIntents({ type: 'listSessions' }, { type: 'newSession' });
  });

  it('filters a long list, and says what is missing in it', async () => {
    const { page } = await open('manySessions');
    await openList();
    await list().getByText('Asking the agents for their sessions…').waitFor();
    await list().getByText('Gemini CLI did not tell its sessions').waitFor();
    const filter = page.getByRole('textbox', { name: 'Filter sessions' });
    await filter.fill('CLAUDE');
    await soon('two rows', async () => (await page.locator('[data-session-key]').count()) === 2);
    await filter.press('ArrowDown');
    await focusIs('the first match', '[data-session-key="k2"] .session-main');
    await filter.fill('nothing');
    await soon('no row', async () => (await page.locator('[data-session-key]').count()) === 0);
  });

  it('keeps a draft, with what is attached to it, for each session', async () => {
    const { composer } = await open('sessions');
    const file = { kind: 'file', path: '/home/ada/a.ts', name: 'a.ts' } as const;
    const lines = { ...file, kind: 'selection', fromLine: 1, toLine: 2, text: 'x' } as const;
    await composer.fill('for the first');
    await chat.post({ type: 'attach', attachments: [file] });
    await chat.post({ type: 'attach', attachments: [{ ...file }, lines] });
    const first = { text: 'for the first', attachments: [file, lines] };
    await soon('both attachments', async () => (await chat.drafts())['k1']?.attachments.length === 2);
    await chat.show('k2', 'ready');
    await textOfDraft('');
    await composer.fill('for the second');
    await soon('its draft', async () => (await chat.drafts())['k2']?.text === 'for the second');
    assert.deepEqual(await chat.drafts(), { k1: first, k2: { text: 'for the second', attachments: [] } });
    await chat.show('k1', 'sessions');
    await textOfDraft('for the first');
    await composer.press('End');
    await composer.pressSequentially('!');
    await soon('the longer draft', async () => (await chat.drafts())['k1']?.text === 'for the first!');
    assert.deepEqual((await chat.drafts())['k1']?.attachments, first.attachments);
  });

  it('keeps what is typed when a snapshot of the same session comes', async () => {
    const { page, composer } = await open('sessions');
    await composer.fill('typed');
    await page.evaluate(`sessionStorage.setItem('draft k1', '{"text":"old","attachments":[]}')`);
    await chat.show('k1', 'turn');
    await page.locator('[data-permission="p1"]').waitFor();
    assert.equal(await composer.inputValue(), 'typed');
  });

  it('keeps the place and the folds of each session', async () => {
    const { page, transcript } = await open('failures');
    await page.getByText('All tests pass.').waitFor();
    await transcript.hover();
    await soon('the wheel to scroll', async () => {
      await page.mouse.wheel(0, -300);
      await chat.drawn();
      return (await chat.belowView()) > 100;
    });
    await soon('the end of the scrolling', () => chat.restsAbove());
    const top = await chat.scrollTop();
    await openList();
    await page.keyboard.press('Escape');
    await list().waitFor({ state: 'detached' });
    await soon('the place behind the list', async () => Math.abs((await chat.scrollTop()) - top) < 2);
    await chat.show('k2', 'turn');
    await page.locator('[data-permission="p1"]').waitFor();
    await page.getByRole('button', { name: 'Read 4 files date.ts' }).click();
    await page.locator('.fold-body [data-tool-call-id]').first().waitFor();
    await chat.show('k1', 'failures');
    await page.getByText('All tests pass.').waitFor({ state: 'attached' });
    await soon('the place', async () => Math.abs((await chat.scrollTop()) - top) < 2);
    await chat.show('k2', 'turn');
    await page.locator('.fold-body [data-tool-call-id]').first().waitFor();
  });

  it('does not take an answer for a question right after the list has gone', async () => {
    const { page } = await open('turn');
    const ready = page.locator('[data-option-id="once"][data-ready]');
    await ready.waitFor();
    await openList();
    await ready.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await ready.waitFor();
  });

  it('AU-12 offers each way to sign in by its type', async () => {
    const { page } = await open('signIn');
    const method = (id: string): Locator => page.locator(`[data-auth-method="${id}"]`);
    assert.equal(await method('browser').isEnabled(), true);
    assert.equal(await method('device').isEnabled(), true);
    assert.equal(await method('key').isEnabled(), false);
    await page.getByText('Opens a terminal').waitFor();
    await page.getByText('Parley can’t run this way of signing in yet.').waitFor();
    await page.getByText('Set TEA_API_KEY, TEA_ORG in the start-up file of your shell').waitFor();
    await chat.hold();
    await method('device').click();
    await page.locator('[data-auth-method="device"][aria-busy="true"]').waitFor();
    await page.getByText('Signing in…').waitFor();
    await method('device').dispatchEvent('click');
    await chat.release('The terminal was closed.');
    await page.getByRole('alert').getByText('The terminal was closed.').waitFor();
    assert.equal(await method('device').getAttribute('aria-busy'), 'false');
    await expectIntents({ type: 'authenticate', methodId: 'device' });
  });

  it('AU-10 offers to sign out where the agent can', async () => {
    const { page } = await open('sessions');
    await openList();
    await page.getByRole('button', { name: 'Sign out of Copilot' }).click();
    await expectIntents({ type: 'listSessions' }, { type: 'logout' });
  });

  it('AU-10 offers no way to sign out where the agent has none', async () => {
    const { page } = await open('signIn');
    await openList();
    await list().getByText('No sessions yet').waitFor();
    assert.equal(await page.getByRole('button', { name: /^Sign out/ }).count(), 0);
  });

  it('announces a form once', async () => {
    const { page } = await open('ready');
    await chat.play(
      { type: 'promptSubmitted', blocks: [{ type: 'text', text: 'go' }], at: 1 },
      { type: 'elicitationRequested', requestId: 'e1', message: 'Which branch?', url: 'https://example.com' },
    );
    const said = page.locator('.unseen[role="status"]');
    await said.getByText('Copilot asks: Which branch?').waitFor({ state: 'attached' });
    await chat.play({ type: 'elicitationAnswered', requestId: 'e1', action: 'accept' });
    await chat.play({ type: 'turnEnded', turn: 1, stopReason: 'end_turn', at: 2 });
    await said.getByText('The turn ended.').waitFor({ state: 'attached' });
  });
});
