import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { until } from '../vscode/until';
import { type ChatDriver, useChat } from './support/chatDriver';
import { staysSo } from './support/staysSo';

/** Long enough to hide the chat while the agent counts. */
const COUNT = 'count slowly to 12';

/** ms after which a notification would have come. */
const QUIET = 2_500;

const toasts = ({ page }: ChatDriver): Locator => page.locator('.notification-toast');
const statusItem = ({ page }: ChatDriver): Locator =>
  page.locator('.statusbar-item:visible[id="parley.parley.parley.status"]');
const sideBar = ({ page }: ChatDriver): Locator => page.locator('.part.auxiliarybar');

async function hide(chat: ChatDriver): Promise<void> {
  await chat.window.runCommand('View: Toggle Secondary Side Bar Visibility');
  await sideBar(chat).waitFor({ state: 'hidden' });
}

/** The page is made anew when it comes back in sight. */
async function inSight(chat: ChatDriver): Promise<void> {
  await sideBar(chat).waitFor();
  chat.frame = await chat.window.chat();
}

/** Sends a prompt that takes a while, and others that wait in the queue; then nobody looks at the chat. */
async function sendAndHide(chat: ChatDriver, ...queued: string[]): Promise<void> {
  await chat.send(COUNT);
  await chat.waitTurn('running');
  for (const text of queued) {
    await chat.send(text);
    await chat.frame.locator('[data-queue-id]').getByText(text).waitFor();
  }
  await hide(chat);
}

async function expectNoToast(chat: ChatDriver, holdMs = QUIET): Promise<void> {
  await staysSo('no notification', async () => assert.equal(await toasts(chat).count(), 0), { holdMs });
}

/** Waits for the one notification and gives it. */
async function theToast(chat: ChatDriver): Promise<Locator> {
  await toasts(chat).first().waitFor({ timeout: 30_000 });
  assert.equal(await toasts(chat).count(), 1, 'one notification');
  return toasts(chat);
}

describe('what waits for the person', function () {
  this.timeout(120_000);

  describe('in a chat out of sight', () => {
    const chat = useChat(() => ({ settings: { 'parley.permission.prompt': 'card' } }));
    const file = (): string => join(chat().folder, 'new.txt');

    it('PE-9 is told once, in the status bar and on the view, and the notification leads to the question but grants nothing', async () => {
      await staysSo('the agent in the status bar', async () =>
        assert.match(await statusItem(chat()).innerText({ timeout: 1_000 }), /\w/),
      );
      await sendAndHide(chat(), 'create new.txt with "x"');
      await statusItem(chat()).locator('.codicon-loading').waitFor();

      const toast = await theToast(chat());
      assert.match(await toast.innerText(), /asks for permission: .*new\.txt/);
      assert.deepEqual(await toast.locator('.monaco-button:not(.monaco-dropdown-button)').allInnerTexts(), [
        'Show',
      ]);
      assert.match(await statusItem(chat()).innerText(), /1 permission waits/);
      assert.match((await statusItem(chat()).getAttribute('class')) ?? '', /warning-kind/);

      await toast.locator('.monaco-button', { hasText: 'Show' }).click();
      await inSight(chat());
      await chat().questions().first().waitFor();
      await sideBar(chat()).locator('.badge-content', { hasText: '1' }).first().waitFor();
      assert.ok(!existsSync(file()), 'nothing is granted by the way');
      await chat().page.keyboard.press('Enter');
      assert.ok(await chat().questions().first().isVisible());
      assert.ok(!existsSync(file()));

      await chat().choose('reject_once');
      assert.equal(await chat().nextEnd(1), 'end_turn');
      await expectNoToast(chat());
      await until('no number on the chat', async () => {
        const numbers = sideBar(chat()).locator('.badge-content:visible', { hasText: '1' });
        return (await numbers.count()) === 0 || undefined;
      });
    });

    it('tells once of the end of a turn, and not of one that a queued prompt follows', async () => {
      await sendAndHide(chat(), 'count to 3');
      const toast = await theToast(chat());
      assert.match(await toast.innerText(), / has ended its turn\./);
      await statusItem(chat()).locator('.codicon-comment-discussion').waitFor();
      await staysSo('one notification', async () => assert.equal(await toasts(chat()).count(), 1), {
        holdMs: QUIET,
      });
      await statusItem(chat()).click();
      await inSight(chat());
      await chat().composer.waitFor();
      await until('both turns', async () => (await chat().entries('end').count()) === 2 || undefined);
    });
  });

  describe('where rules answer the questions', () => {
    const chat = useChat(() => ({
      settings: { 'parley.permission.rules': [{ effect: 'allow', kind: 'edit' }] },
    }));

    it('is the end alone, with the way to what the turn changed', async () => {
      await sendAndHide(chat(), 'create new.txt with "x"');
      const toast = await theToast(chat());
      assert.match(await toast.innerText(), / has ended its turn\./);
      await toast.locator('.monaco-button', { hasText: 'Review changes' }).click();
      await chat()
        .page.locator('.tab.active', { hasText: /change|new\.txt/i })
        .waitFor();
    });
  });

  describe('in a chat in sight', () => {
    const chat = useChat(() => ({ settings: { 'parley.permission.prompt': 'card' } }));

    it('is told by no notification', async () => {
      await chat().send('create new.txt with "x"');
      await chat().questions().first().waitFor();
      await expectNoToast(chat());
      await chat().choose('reject_once');
      await chat().nextEnd(0);
      await expectNoToast(chat());
    });
  });

  describe('with notifications turned off', () => {
    const chat = useChat(() => ({
      settings: { 'parley.permission.prompt': 'card', 'parley.notifications': 'off' },
    }));

    it('is in the status bar alone, whose item leads to the question', async () => {
      await sendAndHide(chat(), 'create new.txt with "x"');
      await until(
        'the question in the status bar',
        async () => /1 permission waits/.test(await statusItem(chat()).innerText()) || undefined,
      );
      await expectNoToast(chat());
      await statusItem(chat()).click();
      await inSight(chat());
      await chat().questions().first().waitFor();
    });
  });
});
