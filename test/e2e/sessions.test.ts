import assert from 'node:assert/strict';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { agentFile } from '../support/fakeAgents';
import { until } from '../vscode/until';
import { ChatDriver, picture, useChat } from './support/chatDriver';

const agent = (name: string, ...args: string[]): object => ({
  command: process.execPath,
  args: [agentFile(name), ...args],
});
const fresh = (): string => mkdtempSync(join(tmpdir(), 'parley-agent-'));

const list = (chat: ChatDriver): Locator => chat.frame.locator('[data-parley="sessions"]');
const rows = (chat: ChatDriver): Locator => list(chat).locator('[data-session-id]');

async function openList(chat: ChatDriver): Promise<void> {
  if ((await list(chat).count()) === 0) await chat.frame.locator('[data-parley="sessions-button"]').click();
  await rows(chat).first().waitFor();
}

/** Waits until the list shows these badges, in any order. */
async function expectBadges(chat: ChatDriver, ...badges: string[]): Promise<void> {
  await until(`the badges ${badges.join(', ')}`, async () => {
    const shown = await rows(chat).evaluateAll((items) =>
      items.map((item) => (item as unknown as { dataset: Record<string, string> }).dataset['sessionState']),
    );
    return shown.toSorted().join() === badges.toSorted().join() || undefined;
  });
}

const userTexts = (chat: ChatDriver): Promise<string[]> => chat.entries('user').allInnerTexts();

describe('several sessions', function () {
  this.timeout(120_000);
  const chat = useChat(() => ({ files: { 'a.txt': 'one\n' } }));

  it('SE-4 SU-8 runs two at once, tells how each is, and switches without touching either', async () => {
    await chat().send('count slowly to 400');
    await chat().waitText('2');
    await chat().button('New chat').first().click();
    await chat().waitTurn('idle');
    assert.equal(await chat().entries().count(), 0);
    await chat().send('run node -e "console.log(1)"');
    await chat().frame.locator('[data-permission]').waitFor();
    await openList(chat());
    await expectBadges(chat(), 'running', 'waiting');

    await rows(chat()).filter({ hasText: 'count slowly' }).click();
    await chat().waitTurn('running');
    await chat().waitText('12');
    assert.deepEqual(await userTexts(chat()), ['count slowly to 400']);
    await chat().button('Stop').click();
    assert.equal(await chat().nextEnd(0), 'cancelled');

    await openList(chat());
    await rows(chat()).filter({ hasText: 'console.log' }).click();
    await chat().choose('allow_once');
    assert.equal(await chat().nextEnd(0), 'end_turn');
  });

  it('PT-7 queues prompts during a turn, and Stop holds them back', async () => {
    const queue = chat().frame.locator('[data-parley="queue"]');
    const items = queue.locator('[data-queue-id]');
    await chat().send('count slowly to 400');
    await chat().waitText('2');
    await chat().send('list .');
    await chat().send('read a.txt');
    await until('two prompts to wait', async () => (await items.count()) === 2 || undefined);
    await items
      .nth(1)
      .getByRole('button', { name: /^Move up/ })
      .click();
    await items.first().getByText('read a.txt').waitFor();
    await chat().button('Stop').click();
    assert.equal(await chat().nextEnd(0), 'cancelled');
    await queue.getByText('Paused').waitFor();
    assert.equal(await items.count(), 2, 'nothing was sent');
    await items
      .nth(1)
      .getByRole('button', { name: /^Remove/ })
      .click();
    await queue.getByRole('button', { name: 'Resume queue' }).click();
    assert.equal(await chat().nextEnd(1), 'end_turn');
    assert.deepEqual(await userTexts(chat()), ['count slowly to 400', 'read a.txt']);
    await queue.waitFor({ state: 'hidden' });
  });

  it('PT-7 keeps the queue over a reload, once, and sends nothing by itself', async () => {
    const items = chat().frame.locator('[data-queue-id]');
    await chat().send('count slowly to 400');
    await chat().waitText('2');
    await chat().send('read a.txt');
    await items.getByText('read a.txt').waitFor();
    await chat().reload();
    await chat().waitConnection('ready');
    const again = chat().frame.locator('[data-queue-id]');
    await again.getByText('read a.txt').waitFor();
    assert.equal(await again.count(), 1);
    assert.deepEqual(await userTexts(chat()), ['count slowly to 400']);
    // The agent goes on with the session that it has kept.
    assert.doesNotMatch(
      await chat().frame.locator('[data-parley="transcript"]').innerText(),
      /no memory of the conversation/,
    );
    await chat().frame.getByRole('button', { name: 'Resume queue' }).click();
    assert.equal(await chat().nextEnd(0), 'end_turn');
    assert.deepEqual(await userTexts(chat()), ['count slowly to 400', 'read a.txt']);
  });

  it('SE-20 deletes a session only after a yes', async () => {
    assert.equal(await chat().prompt('list .'), 'end_turn');
    await openList(chat());
    const row = rows(chat()).filter({ hasText: 'list .' });
    const remove = row.locator('xpath=..').getByRole('button', { name: /^Delete/ });
    const dialog = chat().page.locator('.monaco-dialog-box');
    await row.hover();
    await remove.click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await row.count(), 1);
    await row.hover();
    await remove.click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
  });
});

describe('sessions that last', function () {
  this.timeout(120_000);

  for (const [way, without] of [
    ['SE-11 by resume', 'load'],
    ['SE-8 by load', 'resume'],
  ] as const) {
    it(`${way}: shows the session at once after a reload and goes on in it`, async () => {
      const store = join(fresh(), 'sessions.json');
      const agents = { Lasting: agent('sessions', '--store', store, '--without', without) };
      const chat = await ChatDriver.open({ agents });
      try {
        assert.equal(await chat.prompt('remember this'), 'end_turn');
        const before = await chat.entries('agent').allInnerTexts();
        await chat.reload();
        await chat.waitConnection('ready');
        assert.deepEqual(await userTexts(chat), ['remember this']);
        assert.deepEqual(await chat.entries('agent').allInnerTexts(), before);
        assert.equal(await chat.prompt('and this'), 'end_turn');
        const ids = chat.tap
          .lines('client')
          .flat()
          .map((line) => JSON.parse(line) as { method?: string; params?: { sessionId?: string } })
          .filter(({ method }) => method === 'session/prompt')
          .map(({ params }) => params?.sessionId);
        assert.equal(ids.length, 2);
        assert.equal(ids[0], ids[1]);
      } catch (error) {
        await picture(chat, way);
        throw error;
      } finally {
        await chat.close();
      }
    });
  }

  it('AU-6 AU-8 AU-9 signs in in a real terminal, starts the agent again and opens the session', async () => {
    const state = join(fresh(), 'login');
    const chat = await ChatDriver.open({
      agents: { Guarded: agent('authRequired', '--state', state) },
      connection: 'auth',
    });
    try {
      await chat.frame.locator('[data-auth-method="terminal"]').click();
      const terminal = chat.page.locator('.terminal-wrapper.active .xterm-rows');
      await terminal.getByText('Password:').waitFor();
      await chat.page.locator('.terminal-wrapper.active').click();
      await chat.page.keyboard.type('right');
      await chat.page.keyboard.press('Enter');
      await chat.waitConnection('ready');
      assert.ok(existsSync(state));
      assert.equal(await chat.prompt('who'), 'end_turn');
      assert.match(await chat.said(), /terminal/);
    } catch (error) {
      await picture(chat, 'sign in in a terminal');
      throw error;
    } finally {
      await chat.close();
    }
  });

  it('EL-10 EL-11 asks by a form, checks it, and hands the answers over', async () => {
    const chat = await ChatDriver.open({ agents: { Asking: agent('elicits') } });
    try {
      await chat.send('form');
      const form = chat.frame.locator('[data-entry="elicitation"]');
      await form.locator('[data-field="name"]').fill('x');
      const submit = form.getByRole('button', { name: 'Submit' });
      await until('the form to refuse', async () => {
        await submit.click();
        return (await form.locator('[aria-invalid="true"]').count()) > 0 || undefined;
      });
      await form.locator('[data-field="name"]').fill('parley');
      await until('the answer to be taken', async () => {
        if ((await submit.count()) > 0) await submit.click({ timeout: 1_000 }).catch(() => undefined);
        return (await submit.count()) === 0 || undefined;
      });
      assert.equal(await chat.nextEnd(0), 'end_turn');
      assert.match(await chat.said(), /"name":"parley"/);
    } catch (error) {
      await picture(chat, 'elicitation form');
      throw error;
    } finally {
      await chat.close();
    }
  });
});
