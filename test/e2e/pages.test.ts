import assert from 'node:assert/strict';
import type { Frame, Locator } from 'playwright-core';
import { until } from '../vscode/until';
import { type ChatDriver, useChat } from './support/chatDriver';
import { pickRow } from './support/workbench';

/** The same window, seen through the page in another frame. */
const through = (chat: ChatDriver, frame: Frame): ChatDriver =>
  Object.assign(Object.create(chat) as ChatDriver, { frame });

async function isChat(frame: Frame): Promise<boolean> {
  const panel = frame.locator('[data-parley="panel"]');
  return (await panel.count().catch(() => 0)) > 0;
}

/** The frames of the chat pages that are in sight. */
async function chatFrames(chat: ChatDriver): Promise<Frame[]> {
  const frames = chat.page.frames().filter((frame) => frame.parentFrame() !== null && !frame.isDetached());
  const found = await Promise.all(frames.map(isChat));
  return frames.filter((_, index) => found[index]);
}

/** Waits for a page of the chat that is none of those. */
async function newPage(chat: ChatDriver, ...known: ChatDriver[]): Promise<ChatDriver> {
  const frame = await until('another page of the chat', async () =>
    (await chatFrames(chat)).find((one) => !known.some((page) => page.frame === one)),
  );
  return through(chat, frame);
}

/** Waits for the page whose conversation begins with that prompt. */
async function pageOf(chat: ChatDriver, prompt: string): Promise<ChatDriver> {
  const frame = await until(`the page of "${prompt}"`, async () => {
    for (const one of await chatFrames(chat)) {
      const first = one.locator('[data-entry="user"]').first();
      if ((await first.count().catch(() => 0)) > 0 && (await first.innerText()).trim() === prompt) return one;
    }
    return undefined;
  });
  return through(chat, frame);
}

const userTexts = (chat: ChatDriver): Promise<string[]> => chat.entries('user').allInnerTexts();
const tabs = (chat: ChatDriver): Locator => chat.page.locator('.tabs-container .tab');
const draftOf = (chat: ChatDriver): Promise<string> => chat.composer.inputValue();

/** Loads the window anew as a person does, by which VS Code writes down which tabs there are. */
async function reloadWindow(chat: ChatDriver): Promise<void> {
  await chat.window.runCommand('Developer: Reload Window');
  await until('the window to be gone', () => (chat.frame.isDetached() ? true : undefined));
}

/** Begins to move the chat view; the palette does not put that command first. */
async function moveView({ page }: ChatDriver): Promise<void> {
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget .quick-input-box input').fill('>View: Move View');
  await page.locator('.quick-input-list').getByText('View: Move View', { exact: true }).click();
  await page.locator('.quick-input-list').getByText('Chat', { exact: true }).click();
}

/** Writes without sending. */
async function write(chat: ChatDriver, text: string): Promise<void> {
  await chat.composer.click();
  await chat.page.keyboard.insertText(text);
}

/** The last number that the agent counted. */
async function counted(chat: ChatDriver): Promise<number> {
  return Number(/(\d+)\D*$/.exec(await chat.said())?.[1] ?? 0);
}

/** Waits until the agent counts further than that. */
async function countsOn(chat: ChatDriver, from: number): Promise<void> {
  await until(`a number above ${from}`, async () => ((await counted(chat)) > from ? true : undefined));
}

/** ms from the moment at which a page listens until its conversation is on screen, of the newest frame that can tell. */
async function timeToReturn(frame: Frame): Promise<number | undefined> {
  return frame.evaluate(() => {
    const seen = (globalThis as { parleySeen?: { panel?: number; entry?: number } }).parleySeen;
    return seen?.panel !== undefined && seen.entry !== undefined ? seen.entry - seen.panel : undefined;
  });
}

// As text, for this side of the test has no types of the page's world.
const watchReturn = `(() => {
  const seen = (globalThis.parleySeen = {});
  const look = () => {
    if (seen.panel === undefined && document.querySelector('[data-parley="panel"]')) seen.panel = performance.now();
    if (seen.entry === undefined && document.querySelector('[data-entry]')) {
      seen.entry = Infinity;
      requestAnimationFrame(() => setTimeout(() => (seen.entry = performance.now())));
    }
    if (seen.entry === undefined) setTimeout(look, 1);
  };
  if (globalThis !== top) look();
})()`;

describe('pages of the chat', function () {
  this.timeout(120_000);
  const chat = useChat(() => ({ files: { 'a.txt': 'one\n' } }));

  it('SU-8 shows two sessions at once, in a tab and in the view, and neither touches the other', async () => {
    const view = through(chat(), chat().frame);
    await view.send('count slowly to 400');
    await view.waitText('2');
    await view.window.runCommand('Parley: Open Chat in Editor');
    const tab = await newPage(chat(), view);
    await tab.waitTurn('running');
    await until('the title of the tab', async () =>
      (await tabs(chat()).allInnerTexts()).some((text) => text.includes('count slowly to 400'))
        ? true
        : undefined,
    );
    await view.waitTurn('idle');
    await view.waitConnection('ready');
    assert.equal(await view.entries().count(), 0, 'the view has an empty session');

    await view.send('count slowly to 300');
    await view.waitText('2');
    await countsOn(tab, await counted(tab));
    await countsOn(view, await counted(view));
    await write(tab, 'written in the tab');
    await write(view, 'written in the view');
    assert.equal(await draftOf(tab), 'written in the tab');
    await tab.button('Stop').click();
    assert.equal(await tab.nextEnd(0), 'cancelled');
    assert.deepEqual(await userTexts(tab), ['count slowly to 400']);
    assert.deepEqual(await userTexts(view), ['count slowly to 300']);
    await view.waitTurn('running');
    await countsOn(view, await counted(view));
    await view.button('Stop').click();
    assert.equal(await view.nextEnd(0), 'cancelled');
    assert.equal(await draftOf(view), 'written in the view');
  });

  it('SE-4 leads to the page that shows a session already', async () => {
    const view = through(chat(), chat().frame);
    assert.equal(await view.prompt('list .'), 'end_turn');
    await view.window.runCommand('Parley: Open Chat in Editor');
    const tab = await newPage(chat(), view);
    await view.waitConnection('ready');
    await view.frame.locator('[data-parley="sessions-button"]').click();
    const row = view.frame.locator('[data-session-id]').filter({ hasText: 'list .' });
    await row.locator('.session-main').click();
    await until('the tab to have the focus', async () =>
      (await tab.frame.evaluate('document.hasFocus()')) === true ? true : undefined,
    );
    assert.equal(await view.entries().count(), 0, 'the view keeps its own session');
    assert.equal((await chatFrames(chat())).length, 2);
  });

  it('SE-10 brings tabs back after a reload of the window, with sessions and drafts', async () => {
    const view = through(chat(), chat().frame);
    assert.equal(await view.prompt('read a.txt'), 'end_turn');
    await view.window.runCommand('Parley: Open Chat in Editor');
    const tab = await newPage(chat(), view);
    await view.waitConnection('ready');
    assert.equal(await view.prompt('list .'), 'end_turn');
    await write(tab, 'draft of the tab');
    await write(view, 'draft of the view');
    await reloadWindow(view);
    const tabAgain = await pageOf(chat(), 'read a.txt');
    const viewAgain = await pageOf(chat(), 'list .');
    await until(
      'the draft of the tab',
      async () => (await draftOf(tabAgain)) === 'draft of the tab' || undefined,
    );
    await until(
      'the draft of the view',
      async () => (await draftOf(viewAgain)) === 'draft of the view' || undefined,
    );
    await tabAgain.waitConnection('ready');
    chat().frame = viewAgain.frame;
    await until('the title of the tab', async () =>
      (await tabs(chat()).allInnerTexts()).some((text) => text.includes('read a.txt')) ? true : undefined,
    );
    await tabAgain.composer.fill('');
    assert.equal(await tabAgain.prompt('list .'), 'end_turn');
    assert.deepEqual(await userTexts(viewAgain), ['list .']);
  });

  it('goes on where it was when it is hidden during a turn and shown again', async () => {
    await chat().page.context().addInitScript(watchReturn);
    const view = through(chat(), chat().frame);
    await view.send('count slowly to 400');
    await view.waitText('2');
    await write(view, 'half a sent');
    await chat().window.runCommand('View: Toggle Secondary Side Bar Visibility');
    await until('the page to be gone', () => (view.frame.isDetached() ? true : undefined));
    const before = Date.now();
    await chat().window.runCommand('View: Toggle Secondary Side Bar Visibility');
    const again = await newPage(chat());
    await again.waitTurn('running');
    assert.equal(await draftOf(again), 'half a sent');
    await countsOn(again, await counted(again));
    assert.deepEqual(await userTexts(again), ['count slowly to 400']);
    const time = await timeToReturn(again.frame);
    console.log(
      `      back on screen ${Math.round(time ?? -1)} ms after its ready, ${Date.now() - before} ms after the command`,
    );
    await again.button('Stop').click();
    assert.equal(await again.nextEnd(0), 'cancelled');
  });

  it('goes on where it was when its page is loaded anew during a turn', async () => {
    const view = through(chat(), chat().frame);
    await view.send('count slowly to 400');
    await view.waitText('2');
    await write(view, 'half a sent');
    await chat().window.runCommand('Developer: Reload Webviews');
    await until('the page to be gone', () => (view.frame.isDetached() ? true : undefined));
    const again = await newPage(chat(), view);
    await again.waitTurn('running');
    await countsOn(again, await counted(again));
    assert.equal(await draftOf(again), 'half a sent');
    await again.button('Stop').click();
    assert.equal(await again.nextEnd(0), 'cancelled');
  });

  it('keeps conversation and draft when the person moves the view to the side bar', async () => {
    const view = through(chat(), chat().frame);
    assert.equal(await view.prompt('list .'), 'end_turn');
    await write(view, 'on the move');
    await moveView(chat());
    await pickRow(chat(), 'New Side Bar Entry');
    await chat().page.locator('.part.sidebar .composite.title, .part.sidebar .pane-header').first().waitFor();
    const again = await newPage(chat(), ...(view.frame.isDetached() ? [] : [view]));
    await until('the draft', async () => (await draftOf(again)) === 'on the move' || undefined);
    assert.deepEqual(await userTexts(again), ['list .']);
    await again.composer.fill('');
    assert.equal(await again.prompt('read a.txt'), 'end_turn');
  });
});
