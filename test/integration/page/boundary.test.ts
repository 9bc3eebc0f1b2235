import assert from 'node:assert/strict';
import type { HostToPage, PageToHost } from '../../../src/core/chat/protocol';
import type { SessionAction } from '../../../src/core/session/actions';
import type { ChatPage } from '../../support/pageHarness/chatPage';
import { describePage, soon } from '../../support/pageHarness/describePage';

/** A notice that no view can draw. */
const broken = { type: 'noticeShown', title: 7, severity: 'info' } as unknown as SessionAction;
const after: SessionAction = { type: 'noticeShown', title: 'after it', severity: 'info' };

async function sent(chat: ChatPage): Promise<PageToHost[]> {
  return chat.page.evaluate<PageToHost[]>('window.harness.sent');
}

const reportsOf = async (chat: ChatPage): Promise<string[]> =>
  (await sent(chat)).flatMap((message) => (message.type === 'failed' ? [message.report] : []));

describePage('a page in which something fails', ({ open, expectIntents }) => {
  it('shows a quiet line in the place of the entry, and all the others', async () => {
    const chat = await open('turn');
    const before = await chat.page.locator('[data-entry]').count();
    await chat.play(broken, after);
    await chat.page.getByText('after it').waitFor();
    const line = chat.page.locator('[data-broken]');
    await line.waitFor();
    assert.equal(await line.count(), 1);
    assert.match(await line.innerText(), /This entry can't be shown/);
    assert.equal(await chat.page.locator('[data-entry]').count(), before + 1);
    const [report, ...more] = await reportsOf(chat);
    assert.match(report ?? '', /^notice \d+: TypeError/);
    assert.deepEqual(more, []);
    await line.getByRole('button', { name: 'Copy details' }).click();
    await expectIntents({ type: 'copy', text: report ?? '' });
    await chat.composer.fill('still works');
    assert.equal(await chat.composer.inputValue(), 'still works');
  });

  it('keeps to the parts that can be shown where another one fails', async () => {
    const chat = await open('turn');
    const list = { rows: [{ key: 'k', agentTitle: 7 }], loading: false, problem: null };
    await chat.post({ type: 'sessions', list } as unknown as HostToPage);
    await chat.page.locator('[data-parley="sessions-button"]').click();
    await chat.page.locator('[data-broken]').waitFor();
    assert.equal(await chat.page.locator('[data-broken]').count(), 1);
    assert.ok(await chat.composer.isVisible());
    await chat.post({ type: 'sessions', list: { ...list, rows: [] } });
    await chat.page.locator('[data-parley="sessions-button"]').click();
    await chat.transcript.waitFor();
    await chat.page.locator('[data-parley="sessions-button"]').click();
    await chat.page.locator('[data-parley="sessions"]').waitFor();
    assert.equal(
      await chat.page.locator('[data-broken]').count(),
      0,
      'it is drawn anew when it is opened again',
    );
  });

  it('tells the extension of errors that nothing caught, but not without end', async () => {
    const chat = await open('turn');
    await chat.page.evaluate('void Promise.reject(new Error("nobody waits"))');
    await soon('the report', async () => (await reportsOf(chat)).length > 0);
    assert.match((await reportsOf(chat))[0] ?? '', /^unhandled: Error: nobody waits/);
    await chat.page.evaluate(
      'for (let i = 0; i < 100; i++) setTimeout(() => { throw new Error("again " + i) })',
    );
    await soon('more reports', async () => (await reportsOf(chat)).length >= 20);
    await chat.drawn();
    assert.equal((await reportsOf(chat)).length, 20);
    chat.problems.length = 0;
  });

  it('asks for a snapshot where it was kept while it was hidden', async () => {
    const chat = await open('turn');
    await chat.post({ type: 'shown' });
    await soon('the question', async () => (await sent(chat)).some(({ type }) => type === 'resync'));
  });

  it('keeps the session that it shows, for a tab to come back with', async () => {
    const chat = await open('turn');
    const kept = await chat.page.evaluate<{ key: string; agentId: string }>(
      `JSON.parse(sessionStorage.getItem('saved'))`,
    );
    assert.deepEqual([kept.key, kept.agentId], ['k1', 'Copilot']);
  });
});
