import assert from 'node:assert/strict';
import type { SessionAction } from '../../../src/core/session/actions';
import type { ChatPage } from '../../support/pageHarness/chatPage';
import { describePage, soon } from '../../support/pageHarness/describePage';
import { heard, LISTEN } from '../../support/pageHarness/liveRegions';
import { request } from '../../support/pageHarness/questionScenes';
import { say, text, tool } from '../../support/pageHarness/sceneParts';

const ask: SessionAction = { type: 'promptSubmitted', blocks: [text('go')], at: 1 };
const runs = (terminalId: string): SessionAction[] => [
  tool('test', { title: 'Run tests', toolKind: 'execute', content: [{ type: 'terminal', terminalId }] }, 1),
  { type: 'terminalStarted', terminalId, command: 'npm test', cwd: '/w', at: 1 },
];

describePage('the line about a long wait', ({ open, expectIntents, expectFocus }) => {
  const line = (chat: ChatPage) => chat.page.locator('[data-parley="watchdog"]');

  /** A turn that has begun, on a page whose clock stands in the hands of the test. */
  async function begin(...actions: SessionAction[]): Promise<ChatPage> {
    const chat = await open('ready', LISTEN);
    await chat.page.clock.install();
    await chat.play(ask, ...actions);
    await chat.page.locator('[data-turn]:not([data-turn="idle"])').waitFor();
    return chat;
  }

  /** Lets the time of the page pass until the line says what it waits for. */
  async function waitsFor(chat: ChatPage, what: string): Promise<void> {
    const wanted = chat.page.locator(`[data-parley="watchdog"][data-waits-for="${what}"]`);
    await soon(`the wait for ${what}`, async () => {
      await chat.page.clock.fastForward(5_000);
      await chat.drawn();
      return (await wanted.count()) === 1;
    });
  }

  const secondsOf = async (chat: ChatPage): Promise<number> =>
    Number(/(\d+) s/.exec(await line(chat).innerText())?.[1]);

  const press = async (chat: ChatPage, name: string): Promise<void> =>
    line(chat).getByRole('button', { name, exact: true }).click();

  it('CA-6 appears after a silence, counts, and is gone as soon as something arrives', async () => {
    const chat = await begin();
    await chat.page.clock.fastForward(5_000);
    await chat.drawn();
    assert.equal(await line(chat).count(), 0);
    await waitsFor(chat, 'model');
    await line(chat).getByText('Waiting for the model').waitFor();
    const before = await secondsOf(chat);
    await soon('the time to count', async () => {
      await chat.page.clock.fastForward(1_000);
      return (await secondsOf(chat)) > before;
    });
    await chat.play({ type: 'queueChanged', queue: { paused: false, items: [] } });
    await chat.drawn();
    assert.equal(await line(chat).count(), 1);
    await chat.play(say('Here I am.', 2));
    await line(chat).waitFor({ state: 'detached' });
    await waitsFor(chat, 'model');
    await press(chat, 'Restart agent');
    await expectIntents({ type: 'restartAgent' });
  });

  it('is read out once for each wait, not with each second', async () => {
    const chat = await begin();
    await waitsFor(chat, 'model');
    await soon('the saying', async () => (await heard(chat)).length > 0);
    for (let i = 0; i < 3; i++) await chat.page.clock.fastForward(1_000);
    await chat.drawn();
    const said = await heard(chat);
    assert.equal(said.length, 1);
    assert.match(said[0] ?? '', /^Waiting for the model, \d+ s$/);
  });

  it('names a command without output and stops it, or cancels the turn', async () => {
    const chat = await begin(...runs('t3'));
    await waitsFor(chat, 'terminal');
    await line(chat).getByText('No output from npm test').waitFor();
    await press(chat, 'Stop tool');
    await press(chat, 'Cancel turn');
    await expectIntents({ type: 'stopTerminal', terminalId: 't3' }, { type: 'cancelTurn' });
  });

  it('names a call that runs, without a way to stop it alone', async () => {
    const chat = await begin(tool('a', { title: 'Count\u202E the stars', toolKind: 'other' }, 1));
    await waitsFor(chat, 'tool');
    await line(chat).getByText('Still running: Count\\u{202E} the stars').waitFor();
    assert.deepEqual(await line(chat).getByRole('button').allInnerTexts(), ['Cancel turn', 'Restart agent']);
  });

  it('says that it waits for the person', async () => {
    const chat = await begin(request('p1', { title: 'git push', command: 'git push', toolKind: 'execute' }));
    await waitsFor(chat, 'answer');
    assert.deepEqual(await line(chat).getByRole('button').allInnerTexts(), ['Cancel turn']);
  });

  it('CA-6 offers force where a cancel gets no answer, in one place', async () => {
    const chat = await begin({ type: 'cancelRequested', at: 2 });
    await waitsFor(chat, 'agent');
    await line(chat).getByText('Waiting for Copilot to stop').waitFor();
    const force = chat.page.getByRole('button', { name: 'Force stop' });
    await soon('one way to force', async () => (await force.count()) === 1);
    await force.focus();
    await chat.play({ type: 'turnEnded', turn: 1, stopReason: 'cancelled', at: 3 });
    await line(chat).waitFor({ state: 'detached' });
    await expectFocus('[data-parley="composer"]');
  });

  it('TR-9 tells at once on a page that comes late how long the start has lasted', async () => {
    const chat = await open('ready');
    await chat.show('k2', 'slowStart');
    await line(chat).getByText('Waiting for Copilot to start').waitFor();
    await press(chat, 'Restart agent');
    await expectIntents({ type: 'restartAgent' });
  });
});
