import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { ChatPage } from '../../support/pageHarness/chatPage';
import { describePage, soon } from '../../support/pageHarness/describePage';
import { fileDiff, request } from '../../support/pageHarness/questionScenes';

const cardOf = (chat: ChatPage, requestId: string): Locator =>
  chat.page.locator(`[data-parley="questions"] [data-permission="${requestId}"]`);
const optionOf = (chat: ChatPage, requestId: string, optionId: string): Locator =>
  cardOf(chat, requestId).locator(`[data-option-id="${optionId}"]`);
const ready = (chat: ChatPage, requestId: string): Promise<void> =>
  cardOf(chat, requestId).locator('[data-option-id="once"][data-ready]').waitFor();
const shown = (chat: ChatPage): Promise<string[]> =>
  chat.page.evaluate<string[]>(
    `[...document.querySelectorAll('[data-permission]')].map((card) => card.dataset.permission)`,
  );
const command = (requestId: string, line: string) =>
  request(requestId, { title: line, command: line, toolKind: 'execute' });

/** Presses "Allow once" of the question p2 in the moment in which p3, below it, is gone. */
const pressOnChange = `
  window.pressed = false;
  window.pressNow = false;
  addEventListener('DOMContentLoaded', () => new MutationObserver(() => {
    if (!window.pressNow || document.querySelector('[data-permission="p3"]')) return;
    window.pressNow = false;
    window.pressed = true;
    document.querySelector('[data-permission="p2"] [data-option-id="once"]').click();
  }).observe(document.body, { childList: true, subtree: true }));
`;

describePage('the permissions that are pinned in the chat page', ({ open, expectIntents, expectFocus }) => {
  it('PE-3 stays in view with its answers while the conversation is scrolled up', async () => {
    const chat = await open('editing');
    await ready(chat, 'p1');
    await chat.scrollToTop();
    await chat.drawn();
    assert.ok((await chat.belowView()) > 100);
    const view = chat.page.viewportSize();
    const box = await optionOf(chat, 'p1', 'reject').boundingBox();
    assert.ok(box && view && box.y + box.height <= view.height);
    assert.equal(await chat.page.locator('[data-tool-call-id] [data-permission]').count(), 0);
    await optionOf(chat, 'p1', 'reject').click();
    await expectIntents({ type: 'answerPermission', requestId: 'p1', optionId: 'reject' });
  });

  it('PE-3 keeps the answers in view however long the command is, and says that there is more to read', async () => {
    const chat = await open('longCommand');
    await chat.page.setViewportSize({ width: 300, height: 480 });
    await ready(chat, 'p1');
    const boxes = await Promise.all([
      chat.page.locator('[data-parley="questions"]').boundingBox(),
      optionOf(chat, 'p1', 'reject').boundingBox(),
      chat.composer.boundingBox(),
    ]);
    const [region, last, composer] = boxes;
    assert.ok(region && last && composer);
    assert.ok(last.y + last.height <= region.y + region.height);
    assert.ok(composer.y + composer.height <= 480);
    const more = cardOf(chat, 'p1').getByRole('button', { name: 'More below' });
    assert.match(await cardOf(chat, 'p1').locator('pre').innerText(), /rm -rf build$/);
    await soon('the end of the command', async () => {
      if ((await more.count()) > 0) await more.click({ timeout: 2000 }).catch(() => undefined);
      return (await more.count()) === 0;
    });
  });

  it('PE-6 shows the state in the tool card, which leads to the question', async () => {
    const chat = await open('editing');
    const tool = chat.page.locator('[data-tool-call-id="call-p1"]');
    assert.equal(await tool.getAttribute('data-status'), 'waiting');
    await tool.getByText('Edit date.ts').waitFor();
    await tool.getByRole('button', { name: 'Waiting for your answer below' }).click();
    await expectFocus('[data-permission="p1"]');
  });

  it('PE-8 answers two questions in the other order, oldest first on screen', async () => {
    const chat = await open('twoWaiting');
    assert.deepEqual(await shown(chat), ['p1', 'p2']);
    await cardOf(chat, 'p1').getByText('1 of 2').waitFor();
    for (const id of ['p1', 'p2']) await cardOf(chat, id).getByText('asked by Copilot').waitFor();
    await optionOf(chat, 'p2', 'once').scrollIntoViewIfNeeded();
    await ready(chat, 'p2');
    await optionOf(chat, 'p2', 'once').click();
    await cardOf(chat, 'p2').waitFor({ state: 'detached' });
    await ready(chat, 'p1');
    assert.equal(await cardOf(chat, 'p1').getByText('1 of 2').count(), 0);
    await optionOf(chat, 'p1', 'once').click();
    await expectIntents(
      { type: 'answerPermission', requestId: 'p2', optionId: 'once' },
      { type: 'answerPermission', requestId: 'p1', optionId: 'once' },
    );
    await chat.page.locator('[data-parley="questions"]').waitFor({ state: 'detached' });
  });

  it('PE-8 puts a later question of an earlier call last', async () => {
    const chat = await open('twoWaiting');
    await cardOf(chat, 'p2').waitFor();
    await chat.play(request('p3', { toolCallId: 'call-p1' }));
    await cardOf(chat, 'p3').waitFor();
    assert.deepEqual(await shown(chat), ['p1', 'p2', 'p3']);
  });

  it('PE-3 takes numbers in the card, not in its fields, and lets arrows move between the answers', async () => {
    const chat = await open('editing');
    const { page } = chat;
    await ready(chat, 'p1');
    await cardOf(chat, 'p1').focus();
    await page.keyboard.press('ArrowDown');
    await expectFocus('[data-option-id="once"]');
    await page.keyboard.press('ArrowUp');
    await expectFocus('[data-option-id="reject"]');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expectFocus('.ask-reason input');
    await page.keyboard.type('1');
    await ready(chat, 'p1');
    await page.keyboard.press('Escape');
    await expectFocus('[data-extra="reason"]');
    await ready(chat, 'p1');
    assert.deepEqual(await chat.intents(), []);
    await page.keyboard.press('2');
    await expectIntents({ type: 'answerPermission', requestId: 'p1', optionId: 'always' });
  });

  it('PE-11 takes no press at once of a question that appears or moves into the place of another', async () => {
    const chat = await open('always', pressOnChange);
    await chat.page.setViewportSize({ width: 380, height: 1200 });
    await chat.play(command('p3', 'rm -rf build'));
    for (const id of ['p2', 'p3']) await ready(chat, id);
    await chat.page.evaluate('window.pressNow = true');
    await chat.play({ type: 'permissionAnswered', requestId: 'p3', optionId: 'reject', at: 2 });
    await soon('a press', () => chat.page.evaluate<boolean>('window.pressed'));
    await ready(chat, 'p2');
    assert.deepEqual(await chat.intents(), []);
  });

  it('PE-11 takes no press when the question was just moved by what is around it', async () => {
    const chat = await open('always');
    await ready(chat, 'p2');
    const counted = await chat.page.evaluate<boolean>(`(() => {
      const composer = document.querySelector('[data-parley="composer"]');
      composer.style.height = '200px';
      document.querySelector('[data-permission="p2"] [data-option-id="once"]').click();
      return window.harness.sent.some(({ intent }) => intent?.type === 'answerPermission');
    })()`);
    assert.equal(counted, false);
    await soon('the card to be steady again', async () => {
      await optionOf(chat, 'p2', 'once').click({ timeout: 2000 });
      return (await chat.intents()).length > 0;
    });
    await expectIntents({ type: 'answerPermission', requestId: 'p2', optionId: 'once' });
  });

  it('PE-6 stays when the call reports on itself, and shows what it reports', async () => {
    const chat = await open('always');
    await ready(chat, 'p2');
    for (const status of ['in_progress', 'completed'] as const)
      await chat.play({
        type: 'update',
        at: 2,
        update: {
          kind: 'toolCallUpdate',
          patch: { toolCallId: 'call-p2', status, command: 'npm test -- all' },
        },
      });
    await cardOf(chat, 'p2').getByText('npm test -- all').waitFor();
    assert.deepEqual(await shown(chat), ['p2']);
    assert.equal(
      await chat.page.locator('[data-tool-call-id="call-p2"]').getAttribute('data-status'),
      'waiting',
    );
  });

  it('PE-3 leaves focus and text in the composer when a question appears', async () => {
    const chat = await open('calm');
    await chat.composer.fill('and the');
    await chat.play(command('p1', 'npm test'));
    await ready(chat, 'p1');
    await expectFocus('[data-parley="composer"]');
    await chat.page.keyboard.type('n 1');
    assert.equal(await chat.composer.inputValue(), 'and then 1');
    assert.deepEqual(await chat.intents(), []);
  });

  it('PE-11 rejects with a reason only where one was written; Escape leads back', async () => {
    const chat = await open('always');
    const field = cardOf(chat, 'p2').getByRole('textbox', { name: 'Reason' });
    const begin = cardOf(chat, 'p2').getByRole('button', { name: 'Reject with a reason…' });
    await begin.click();
    await expectFocus('.ask-reason input');
    await field.press('Enter');
    await field.fill('   ');
    await field.press('Enter');
    assert.ok(await cardOf(chat, 'p2').getByRole('button', { name: 'Send' }).isDisabled());
    await field.press('Escape');
    await field.waitFor({ state: 'detached' });
    assert.deepEqual(await chat.intents(), []);
    await begin.click();
    await field.fill(' use pnpm ');
    await field.press('Enter');
    await expectIntents({
      type: 'answerPermission',
      requestId: 'p2',
      optionId: 'reject',
      reason: 'use pnpm',
    });
  });

  it('PE-4 saves a rule with the scope that is shown, after a while in view', async () => {
    const chat = await open('always');
    const card = cardOf(chat, 'p2');
    await card.getByRole('button', { name: 'Always…' }).click();
    await expectFocus('.ask-always input[value="session"]');
    const save = card.getByRole('button', { name: 'Allow and save' });
    await save.dispatchEvent('click');
    assert.deepEqual(await chat.intents(), []);
    assert.match(await card.locator('.ask-rules').innerText(), /npm test/);
    await card.getByRole('button', { name: 'All rules…' }).click();
    await chat.page.keyboard.press('Escape');
    await save.waitFor({ state: 'detached' });
    await card.getByRole('button', { name: 'Always…' }).click();
    await card.getByLabel('This workspace').check();
    await card.locator('.ask-always [data-ready]').click();
    await expectIntents(
      { type: 'openRules' },
      { type: 'answerPermission', requestId: 'p2', optionId: 'once', keepAs: 'workspace' },
    );
  });

  it('PE-6 says what was asked about, whatever the card of the call says by now', async () => {
    const chat = await open('editing');
    const patch = { toolCallId: 'late', title: 'Run', toolKind: 'execute', command: 'rm -rf x' };
    const options = [{ optionId: 'once', name: 'Allow', kind: 'allow_once' as const }];
    await chat.play({
      type: 'permissionRequested',
      requestId: 'p9',
      patch,
      command: 'rm -rf x',
      options,
      at: 2,
    });
    const subject = cardOf(chat, 'p9').locator('.ask-subject');
    await subject.waitFor();
    const update = { kind: 'toolCallUpdate' as const, patch: { toolCallId: 'late', command: 'npm test' } };
    await chat.play({ type: 'update', update, at: 3 });
    assert.equal(await subject.innerText(), 'rm -rf x');
  });

  it('PE-4 offers no rule where the extension has none, and says which rule answered', async () => {
    const chat = await open('editing');
    await ready(chat, 'p1');
    assert.equal(await cardOf(chat, 'p1').getByRole('button', { name: 'Always…' }).count(), 0);
    await chat.play({ type: 'permissionAnswered', requestId: 'p1', optionId: 'once', rule: 'edits', at: 2 });
    await chat.page.locator('[data-tool-call-id]').getByText('Allowed by your rule: edits').waitFor();
  });

  it('PE-6 shows every file of a call with its changes, and leads to the whole diff', async () => {
    const chat = await open('editing');
    const files = cardOf(chat, 'p1').locator('[data-path]');
    assert.deepEqual(await files.locator('.counts').allInnerTexts(), ['+2\n−1', '+40\n−1']);
    await files.nth(1).getByText('const day39').waitFor();
    await files.nth(1).getByRole('button', { name: 'Open diff' }).click();
    await expectIntents({ type: 'openDiff', ref: 'ref /home/ada/shop/src/calendar/day.ts' });
  });

  it('PE-6 shows folder, address and files, and says so where the agent sent nothing', async () => {
    const chat = await open('always');
    await cardOf(chat, 'p2').getByText('In /home/ada/shop/packages/date').waitFor();
    await chat.play(
      request('p3', { title: 'Docs', toolKind: 'fetch', rawInput: '{"url":"https://example.com/\\u202Ea"}' }),
      request('p4', {
        title: 'Move',
        toolKind: 'move',
        content: [fileDiff('/home/ada/shop/b.ts', 1)],
        locations: [{ path: '/home/ada/shop/a.ts' }, { path: '/home/ada/shop/b.ts' }],
      }),
      request('p5', { title: 'mystery' }),
    );
    await cardOf(chat, 'p3')
      .getByText(String.raw`https://example.com/\u{202E}a`, { exact: true })
      .waitFor();
    assert.deepEqual(await cardOf(chat, 'p4').locator('.ask-path').allInnerTexts(), ['/home/ada/shop/a.ts']);
    await cardOf(chat, 'p5').getByText('The agent sent no details.').waitFor();
  });

  it('PE-10 offers to stop the turn where the agent offers no answer', async () => {
    const chat = await open('calm');
    await chat.play(request('p1', { title: 'x' }, { options: [] }));
    await cardOf(chat, 'p1').getByRole('button', { name: 'Stop this turn' }).click();
    await expectIntents({ type: 'cancelTurn' });
  });

  it('FS-5 offers the folder that was refused, for this session', async () => {
    const chat = await open('refused');
    const notice = chat.page.locator('[data-entry="notice"]');
    await notice.getByText('/home/ada/other').waitFor();
    await notice.locator('[data-ready]').click();
    await expectIntents({ type: 'allowFolder', folder: '/home/ada/other' });
    await chat.play({ type: 'folderAllowed', folder: '/home/ada/other' });
    await notice.getByText('Allowed for this session', { exact: true }).waitFor();
    assert.equal(await notice.getByRole('button').count(), 0);
  });

  it('PE-8 leads to other sessions that wait', async () => {
    const chat = await open('sessions');
    const { page } = chat;
    const strip = page.locator('[data-parley="waiting-sessions"]');
    await strip.getByRole('button', { name: /^Waiting in: Rename the orders table/ }).waitFor();
    assert.equal(await strip.getByText(/more$/).count(), 0);
    await page.evaluate('window.harness.setBadge("k2", "waiting")');
    await strip.getByRole('button', { name: 'and 1 more' }).click();
    await page.locator('[data-parley="sessions"]').waitFor();
    assert.equal(await strip.count(), 0);
    await page.keyboard.press('Escape');
    await strip.getByRole('button', { name: /^Waiting in/ }).click();
    await expectIntents({ type: 'listSessions' }, { type: 'showSession', key: 'k3' });
    await strip.getByRole('button', { name: /^Waiting in: Move the checkout/ }).waitFor();
  });

  it('PE-9 leads to the question that the extension asks for, with the focus on no answer', async () => {
    const chat = await open('editing');
    await ready(chat, 'p1');
    await chat.page.getByRole('button', { name: 'Sessions' }).first().click();
    await cardOf(chat, 'p1').waitFor({ state: 'hidden' });
    await chat.post({ type: 'revealQuestion', requestId: 'p1' });
    await cardOf(chat, 'p1').waitFor();
    await expectFocus('[data-permission="p1"]');
  });

  it('PE-8 announces each new question once', async () => {
    const chat = await open('calm');
    const said = chat.page.locator('.unseen[role="status"]');
    await chat.play(command('p1', 'npm test'), command('p2', 'npm run lint'));
    const both = 'Copilot asks: Run this command? npm test Copilot asks: Run this command? npm run lint';
    await said.getByText(both, { exact: true }).waitFor({ state: 'attached' });
    await chat.play(command('p3', 'ls'));
    await said
      .getByText('Copilot asks: Run this command? ls', { exact: true })
      .waitFor({ state: 'attached' });
  });
});
