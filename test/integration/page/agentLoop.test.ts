import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { SessionAction } from '../../../src/core/session/actions';
import type { ChatPage } from '../../support/pageHarness/chatPage';
import { describePage, soon } from '../../support/pageHarness/describePage';
import { heard, LISTEN } from '../../support/pageHarness/liveRegions';
import { doneTurn, NUDGE, nudgedTurn } from '../../support/pageHarness/loopScenes';
import { tool } from '../../support/pageHarness/sceneParts';
import { asked } from '../../support/pageHarness/sayings';

const end = (chat: ChatPage, index: number): Locator => chat.page.locator('[data-entry="end"]').nth(index);
const timelineOf = (entry: Locator): Locator =>
  entry.getByRole('button', { name: '3 model calls: timeline' });

describePage('what the page shows of the agent loop', ({ open, expectFocus, expectIntents }) => {
  it('opens the timeline of a turn by key, and draws it only then', async () => {
    const chat = await open('loop');
    const done = end(chat, 0);
    await done.getByText('Done: The checkout uses the new router.').waitFor();
    const button = timelineOf(done);
    assert.equal(await button.getAttribute('aria-expanded'), 'false');
    assert.equal(await chat.page.locator('.timeline').count(), 0);
    await button.press('Enter');
    assert.equal(await button.getAttribute('aria-expanded'), 'true');
    const calls = done.locator('[data-timeline-call]');
    assert.equal(await calls.count(), 3);
    assert.match(await calls.nth(0).innerText(), /Model call 1\s+4\.2 s\s+10,480 tokens in, 312 out/);
    assert.match(await calls.nth(1).innerText(), /^Model call 2\s+7\.0 s\s*$/);
    const tools = calls.nth(0).locator('[data-timeline-tool]');
    assert.deepEqual(
      (await tools.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim()),
      ['Read src/routes.ts 0.4 s', 'Search for a very long name of a router that is used nowhere 1.4 s'],
    );
    await tools.nth(1).getByRole('img', { name: 'Failed' }).waitFor();
    await button.press('Enter');
    await chat.page.locator('.timeline').waitFor({ state: 'detached' });
  });

  it('draws each bar where its call stood in the turn', async () => {
    const chat = await open('loop');
    await timelineOf(end(chat, 0)).click();
    const shares = await chat.page.evaluate<
      number[][]
    >(`[...document.querySelectorAll('.time-track')].map((track) => {
      const [all, bar] = [track.getBoundingClientRect(), track.firstElementChild.getBoundingClientRect()];
      return [(bar.left - all.left) / all.width, bar.width / all.width].map((share) => Math.round(share * 12_600));
    })`);
    const expected = [
      [300, 4200],
      [2500, 400],
      [3000, 1400],
      [4600, 7000],
      [11_700, 800],
    ];
    assert.equal(shares.length, 6);
    expected.forEach(([from = 0, length = 0], i) => {
      assert.ok(Math.abs((shares[i]?.[0] ?? 0) - from) < 400, `bar ${i} begins at ${shares[i]?.[0]}`);
      assert.ok(Math.abs((shares[i]?.[1] ?? 0) - length) < 400, `bar ${i} is ${shares[i]?.[1]} long`);
    });
  });

  it('folds the timeline by the keys of the conversation, and remembers it', async () => {
    const chat = await open('loop');
    await timelineOf(end(chat, 0)).focus();
    await chat.page.keyboard.press('ArrowUp');
    await chat.page.keyboard.press('ArrowDown');
    await expectFocus('[data-entry="end"]');
    await chat.page.keyboard.press('ArrowRight');
    await chat.page.locator('.timeline').waitFor();
    await chat.page.reload();
    await chat.page.locator('.timeline').waitFor();
  });

  it('says "Done" for none but a turn that the agent calls done', async () => {
    const chat = await open('loop');
    await end(chat, 1).getByText('did not mark the task as complete, after 2 reminders.').waitFor();
    await end(chat, 2).getByText('Ended after 1.0 s').waitFor();
    assert.equal(await end(chat, 2).getByRole('button').count(), 0);
    await end(chat, 3).getByText('The turn was interrupted').waitFor();
    assert.equal(await chat.page.locator('[data-entry="end"]', { hasText: 'Done' }).count(), 1);
  });

  it('shows a reminder as what it is, and opens it', async () => {
    const chat = await open('loop');
    const nudges = chat.page.locator('[data-entry="synthetic"]');
    assert.equal(await nudges.count(), 2);
    assert.equal(await chat.page.locator('[data-entry="user"]').count(), 3);
    assert.equal(await nudges.locator('.plain').count(), 0);
    const button = nudges.first().getByRole('button');
    assert.equal(
      (await button.innerText()).trim(),
      'Autopilot: reminded the agent that the task is not marked complete (1)',
    );
    await button.press('Enter');
    assert.equal(await nudges.first().locator('.plain').innerText(), NUDGE);
  });

  it('leaves a reminder out of the earlier prompts, and a forged one draws no markup', async () => {
    const chat = await open('ready');
    const evil = '<img src=x onerror="alert(1)"> **bold** [x](command:evil)';
    await chat.play(asked('mine'), {
      type: 'update',
      at: 1,
      update: { kind: 'synthetic', block: { type: 'text', text: evil }, reason: evil },
    });
    const entry = chat.page.locator('[data-entry="synthetic"]');
    await entry.getByRole('button', { name: 'A message that the agent wrote for itself' }).click();
    assert.equal(await entry.locator('.plain').innerText(), evil);
    assert.equal(await entry.locator('img, a, strong').count(), 0);
    await chat.composer.focus();
    await chat.page.keyboard.press('ArrowUp');
    assert.equal(await chat.composer.inputValue(), 'mine');
    await expectIntents();
  });

  it('finds the text of a reminder and unfolds it', async () => {
    const chat = await open('loop');
    await chat.composer.focus();
    await chat.page.keyboard.press('Control+f');
    await chat.page.locator('[data-parley="find"] input').fill('say that it is done');
    await chat.page.locator('[data-parley="find"]').getByText('1 of 2', { exact: true }).waitFor();
    await chat.page.locator('[data-entry="synthetic"] .plain').first().waitFor();
  });

  it('says the end of such a turn once, and nothing of what it shows beside', async () => {
    const chat = await open('ready', LISTEN);
    const [prompt, ...rest] = nudgedTurn(1, 1_000);
    await chat.play(prompt as SessionAction);
    for (const action of rest) {
      await chat.play(action);
      await chat.drawn();
    }
    const last = 'Stopped: the agent did not mark the task as complete, after 2 reminders.';
    await soon('the end', async () => (await heard(chat)).includes(last));
    await timelineOf(end(chat, 0)).click();
    await chat.drawn();
    assert.deepEqual(await heard(chat), [
      'Copilot says: The tests are.',
      'Copilot says: They are still left.',
      'Copilot says: As I said.',
      last,
    ]);
  });

  it('lists at most so many tools and counts what was too much', async () => {
    const chat = await open('ready');
    const [prompt, ...rest] = doneTurn(1, 1_000);
    const last = rest.at(-1);
    assert.ok(last?.type === 'turnEnded');
    await chat.play(
      prompt as SessionAction,
      { type: 'modelCallStarted', id: 'm', at: 1_000 },
      ...Array.from({ length: 60 }, (_, i) => tool(`t${i}`, { title: `T ${i}`, modelCallId: 'm' }, 1_100)),
      ...Array.from({ length: 202 }, (_, i) => ({
        type: 'modelCallStarted' as const,
        id: `c${i}`,
        at: 1_200,
      })),
      { ...last, modelCalls: 203 },
    );
    await end(chat, 0).getByRole('button', { name: '203 model calls' }).click();
    await end(chat, 0).getByText('And 10 more tool calls').waitFor();
    await end(chat, 0).getByText('And 3 more model calls').waitFor();
    assert.equal(await chat.page.locator('[data-timeline-call]').count(), 200);
    await chat.page.locator('[data-timeline-call="1"]').getByText('not finished').waitFor();
  });

  it('fits at 300 px in every theme and in Chinese', async () => {
    for (const theme of ['dark', 'light', 'high-contrast', 'high-contrast-light'] as const) {
      const chat = await open('loop', '', { theme, width: 300, height: 1400, lang: 'zh-cn' });
      for (const folded of await chat.page.locator('.end-calls, .synthetic .fold').all())
        await folded.click();
      await chat.drawn();
      await chat.page.getByText('模型调用 1', { exact: true }).first().waitFor();
      const wide = await chat.page.evaluate<
        string[]
      >(`[...document.querySelectorAll('.transcript, [data-entry-id], .time-line')]
        .filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => box.className)`);
      assert.deepEqual(wide, []);
    }
  });
});
