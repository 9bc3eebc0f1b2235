import assert from 'node:assert/strict';
import type { SessionAction } from '../../../src/core/session/actions';
import type { ChatPage } from '../../support/pageHarness/chatPage';
import { describePage, soon } from '../../support/pageHarness/describePage';
import { heard, LISTEN } from '../../support/pageHarness/liveRegions';
import { request } from '../../support/pageHarness/questionScenes';

const say = (text: string): SessionAction => ({
  type: 'update',
  update: { kind: 'chunk', role: 'agent', block: { type: 'text', text } },
  at: 2,
});
const ask: SessionAction = { type: 'promptSubmitted', blocks: [{ type: 'text', text: 'go' }], at: 1 };
const call: SessionAction = {
  type: 'update',
  update: {
    kind: 'toolCall',
    patch: { toolCallId: 'c', title: 'Read', toolKind: 'read', status: 'completed' },
  },
  at: 3,
};
const end = (turn: number, stopReason = 'end_turn'): SessionAction => ({
  type: 'turnEnded',
  turn,
  stopReason,
  at: 4,
});
const queued = (count: number, paused = false): SessionAction => ({
  type: 'queueChanged',
  queue: {
    paused,
    items: Array.from({ length: count }, (_, i) => ({ id: `q${i}`, text: `later ${i}`, attachments: [] })),
  },
});

describePage('what is read out', ({ open }) => {
  async function expectHeard(chat: ChatPage, ...texts: string[]): Promise<void> {
    await soon(`${texts.length} sayings`, async () => (await heard(chat)).length >= texts.length);
    await chat.drawn();
    assert.deepEqual(await heard(chat), texts);
  }

  it('is each message once when it is finished, as it looks and not as it was written, and the end of the turn', async () => {
    const chat = await open('ready', LISTEN);
    await chat.play(ask);
    for (const part of ['I **look** at ', '`date.ts`', ' now.']) {
      await chat.play(say(part));
      await chat.drawn();
    }
    assert.deepEqual(await heard(chat), [], 'nothing while it is being written');
    await chat.play(call);
    await expectHeard(chat, 'Copilot says: I look at date.ts now.');
    await chat.play(say('It '), say('passes.'));
    await chat.drawn();
    await chat.play(end(1));
    await expectHeard(
      chat,
      'Copilot says: I look at date.ts now.',
      'Copilot says: It passes.',
      'The turn ended.',
    );
  });

  it('is the end of each turn, though the words are the same', async () => {
    const chat = await open('ready', LISTEN);
    for (const turn of [1, 2]) {
      await chat.play(ask);
      await chat.play(end(turn));
      await chat.drawn();
    }
    const words = 'The agent ended the turn without an answer.';
    await expectHeard(chat, words, words);
  });

  it('is why a turn ended, where it did not end as usual, and an error', async () => {
    const chat = await open('ready', LISTEN);
    await chat.play(ask);
    await chat.play(end(1, 'refusal'));
    await chat.drawn();
    await chat.play(ask);
    await chat.play({ type: 'turnFailed', turn: 2, at: 5, error: { message: 'Overloaded.' } });
    await expectHeard(chat, 'The agent declined to go on with this request.', 'Error: Overloaded.');
  });

  it('is a question once, and what is queued and held back', async () => {
    const chat = await open('ready', LISTEN);
    await chat.play(ask, request('p1', { title: 'ls', command: 'ls', toolKind: 'execute' }));
    await chat.drawn();
    await chat.play(queued(1));
    await chat.drawn();
    await chat.play(queued(2));
    await chat.drawn();
    await chat.play(queued(1));
    await chat.play(queued(1, true));
    await expectHeard(
      chat,
      'Copilot asks: Run this command? ls',
      'Message queued (1 waiting)',
      'Message queued (2 waiting)',
      'The queue is paused (1 waiting)',
    );
  });

  it('is that something was copied, each time', async () => {
    const chat = await open('sessions', LISTEN);
    const copy = chat.page.getByRole('button', { name: 'Copy message' }).last();
    await copy.focus();
    await chat.page.keyboard.press('Enter');
    await expectHeard(chat, 'Copied');
    await chat.page.keyboard.press('Enter');
    await expectHeard(chat, 'Copied', 'Copied');
  });

  it('is nothing of a session that is shown, switched to, or shown again after a reload', async () => {
    const chat = await open('gallery', LISTEN);
    await chat.show('k2', 'past');
    await chat.page.locator('[data-entry="user"]').first().waitFor();
    await chat.drawn();
    await chat.show('k1', 'gallery');
    await chat.drawn();
    assert.deepEqual(await heard(chat), []);
    await chat.page.reload();
    await chat.page.locator('[data-permission]').waitFor();
    await chat.drawn();
    assert.deepEqual(await heard(chat), []);
  });
});
