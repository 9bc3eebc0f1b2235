import assert from 'node:assert/strict';
import type { SessionUpdate } from '../../../src/core/session/actions';
import type { ChatPage } from '../../support/pageHarness/chatPage';
import { describePage, soon } from '../../support/pageHarness/describePage';

const update = (chat: ChatPage, change: SessionUpdate): Promise<void> =>
  chat.play({ type: 'update', at: 1, update: change });

describePage('the ends of turns in the chat page', ({ open, expectIntents, expectFocus }) => {
  it('PT-10 offers to go on after a limit, until something else happens', async () => {
    for (const stopReason of ['max_tokens', 'max_turn_requests']) {
      const chat = await open('ready');
      await chat.play(
        { type: 'promptSubmitted', blocks: [{ type: 'text', text: 'go' }], at: 1 },
        { type: 'turnEnded', turn: 1, stopReason, at: 2 },
      );
      const end = chat.page.locator(`[data-entry="end"][data-stop-reason="${stopReason}"]`);
      await end.getByRole('button', { name: 'Continue' }).click();
      await expectIntents({ type: 'prompt', text: 'Continue.', attachments: [] });
      await end.getByRole('button').waitFor({ state: 'detached' });
      if (stopReason === 'max_tokens') await chat.page.close();
    }
  });

  it('PT-9 marks a prompt that was refused, and gives it back with what was attached', async () => {
    const chat = await open('turnEnds');
    const dropped = chat.page.locator('[data-entry="user"][data-dropped]');
    await dropped.getByText('The agent does not remember this message').waitFor();
    assert.equal(await dropped.count(), 1);
    assert.equal(await chat.page.locator('[data-entry="end"][data-stop-reason="refusal"]').count(), 1);
    await chat.composer.fill('mine');
    await dropped.getByRole('button', { name: 'Edit and send again' }).click();
    assert.equal(await chat.composer.inputValue(), 'mine\n\nDelete the production database.');
    await expectFocus('[data-parley="composer"]');
    await chat.page.locator('[data-attachment="file"]').getByText('db.sql').waitFor();
    assert.deepEqual(await chat.intents(), []);
  });

  it('PT-8 shows an unknown stop reason as it is, without a way to go on', async () => {
    const chat = await open('ready');
    await chat.play(
      { type: 'promptSubmitted', blocks: [{ type: 'text', text: 'go' }], at: 1 },
      { type: 'turnEnded', turn: 1, stopReason: 'tired', at: 2 },
    );
    const end = chat.page.locator('[data-entry="end"][data-stop-reason="tired"]');
    await end.getByText('The turn ended: tired').waitFor();
    assert.equal(await end.getByRole('button').count(), 0);
  });

  it('PT-11 draws no empty box below an error that has no details', async () => {
    const chat = await open('ready');
    for (const detail of ['why it failed', '']) {
      await chat.play(
        { type: 'promptSubmitted', blocks: [{ type: 'text', text: 'go' }], at: 1 },
        { type: 'turnFailed', turn: detail ? 1 : 2, at: 2, error: { message: 'Refused', code: 400, detail } },
      );
    }
    const errors = chat.page.locator('[data-entry="error"]');
    await soon('both errors', async () => (await errors.count()) === 2);
    assert.equal(await errors.first().locator('pre').innerText(), 'why it failed');
    assert.equal(await errors.last().locator('pre').count(), 0);
  });

  it('NO-3 NO-4 shows each state of a compaction, and its summary on demand', async () => {
    const chat = await open('turnEnds');
    const compaction = chat.page.locator('[data-entry="compaction"]');
    await soon('five of them', async () => (await compaction.count()) === 5);
    const statuses = await Promise.all(
      [0, 1, 2, 3, 4].map((i) => compaction.nth(i).getAttribute('data-status')),
    );
    assert.deepEqual(statuses, ['completed', 'failed', 'cancelled', 'postponed', 'in_progress']);
    await compaction.nth(1).getByText('The model was busy.').waitFor();
    await compaction.nth(3).getByText('postponed').waitFor();
    const summary = compaction.first().getByRole('button', { name: 'Summary' });
    assert.equal(await compaction.first().locator('.markdown').count(), 0);
    await summary.press('Enter');
    assert.equal(await compaction.first().locator('strong').textContent(), 'Goal:');
    const last = compaction.nth(4);
    const block = { type: 'text', text: 'Part one' } as const;
    await update(chat, { kind: 'compactionChunk', compactionId: 'c5', block });
    await last.getByRole('button', { name: 'Summary' }).click();
    await last.getByText('Part one').waitFor();
    await update(chat, {
      kind: 'compactionChunk',
      compactionId: 'c5',
      block: { ...block, text: ' and two' },
    });
    await update(chat, { kind: 'compaction', compactionId: 'c5', status: 'completed' });
    await last.getByText('Part one and two').waitFor();
    await last.getByText('Conversation compacted').waitFor();
  });

  it('NO-2 shows a notice of an unknown severity like any other', async () => {
    const chat = await open('turnEnds');
    const notice = chat.page.locator('[data-entry="notice"][data-severity="celebration"]');
    await notice.getByText('Your plan was renewed.').waitFor();
    assert.equal(await notice.locator('.codicon-info').count(), 1);
  });

  it('CO-6 keeps what is for the model alone behind a disclosure', async () => {
    const chat = await open('turnEnds');
    const hidden = chat.page.locator('[data-audience="assistant"]');
    await hidden.waitFor();
    assert.equal(await chat.page.getByText('Raw notes').count(), 0);
    await hidden.getByRole('button', { name: 'For the agent only' }).press('Enter');
    await hidden.getByText('Raw notes').waitFor();
  });

  it('CO-7 shows what was attached to a prompt', async () => {
    const chat = await open('turnEnds');
    const user = chat.page.locator('[data-entry="user"]').nth(1);
    await user.getByRole('button', { name: 'date.ts:18-22' }).click();
    assert.equal(await user.locator('img.picture').count(), 1);
    await user.getByText('Audio (audio/wav)').waitFor();
    await expectIntents({ type: 'openFile', path: '/home/ada/shop/src/date.ts', line: 18 });
  });
});
