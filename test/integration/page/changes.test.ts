import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { ChangedFileView, ChangesView } from '../../../src/core/review/changes';
import type { ChatPage } from '../../support/pageHarness/chatPage';
import { describePage, soon } from '../../support/pageHarness/describePage';

const ROOT = '/home/ada/shop';
const PAYMENT = `${ROOT}/packages/checkout/src/components/payment/PaymentMethodSelector.tsx`;
const fileAt = (name: string, added = 1): ChangedFileView => ({
  path: `${ROOT}/${name}`,
  name,
  change: 'modified',
  added,
  removed: 0,
});
const viewOf = (number: number, files: ChangedFileView[], undone = false): ChangesView => ({
  turn: { number, files, undone },
  session: undone ? [] : files,
});

describePage('the changed files in the chat page', ({ open, expectIntents, expectFocus }) => {
  const dock = (chat: ChatPage): Locator => chat.page.locator('[data-parley="changes"]');
  const head = (chat: ChatPage): Locator => dock(chat).locator('button.strip-head');
  const rows = (chat: ChatPage): Locator => dock(chat).locator('[data-path]');
  const row = (chat: ChatPage, path: string): Locator => dock(chat).locator(`[data-path="${path}"]`);
  const button = (chat: ChatPage, name: string): Locator =>
    dock(chat).getByRole('button', { name, exact: true });
  const show = (chat: ChatPage, changes: ChangesView): Promise<void> =>
    chat.play({ type: 'changesShown', changes });
  const prompt = (chat: ChatPage): Promise<void> =>
    chat.play({ type: 'promptSubmitted', blocks: [{ type: 'text', text: 'go' }], at: 1 });
  const headIs = (chat: ChatPage, text: string): Promise<boolean> =>
    soon(`the head "${text}"`, async () => (await head(chat).innerText()).replace(/\s+/g, ' ') === text);
  const openList = async (scene: string): Promise<ChatPage> => {
    const chat = await open(scene);
    await head(chat).click();
    await rows(chat).first().waitFor();
    return chat;
  };

  it('is not there where nothing was changed, and is one folded line where something was', async () => {
    const chat = await open('ready');
    await chat.composer.waitFor();
    assert.equal(await dock(chat).count(), 0);
    await show(chat, viewOf(1, [fileAt('src/date.ts', 12)]));
    await headIs(chat, '1 file changed +12');
    assert.equal(await rows(chat).count(), 0);
    await show(chat, viewOf(1, [fileAt('src/date.ts', 14), fileAt('b.ts')]));
    await headIs(chat, '2 files changed +15');
    await show(chat, { turn: null, session: [] });
    await dock(chat).waitFor({ state: 'detached' });
  });

  it('lists each file with letter, path and lines, and says what is special about it', async () => {
    const chat = await openList('changes');
    await headIs(chat, '6 files changed +134 −62');
    const names = await dock(chat)
      .locator('.change-main')
      .evaluateAll((items: { ariaLabel: string }[]) => items.map(({ ariaLabel }) => ariaLabel));
    assert.deepEqual(names, [
      'src/date.ts, Modified, 12 lines added, 4 lines removed',
      'packages/checkout/src/components/payment/PaymentMethodSelector.tsx, Added, 118 lines added',
      'src/legacy/tz.ts, Deleted, 57 lines removed',
      'README.md, Modified, 1 line added, 1 line removed, also another session',
      'media/logo.png, Modified, binary',
      'data/old.csv, Modified, 3 lines added, earlier text unknown',
    ]);
    const seen = async (name: string): Promise<string> =>
      (await row(chat, `${ROOT}/${name}`).locator('.change-main').innerText()).replace(/\s+/g, ' ');
    assert.equal(await seen('src/date.ts'), 'M src / date.ts +12 −4');
    assert.equal(await seen('README.md'), 'M README.md +1 −1 also another session');
    assert.equal(await seen('media/logo.png'), 'M media / logo.png binary');
    assert.equal(await seen('data/old.csv'), 'M data / old.csv +3 earlier text unknown');
  });

  it('cuts a path in its middle and never the name of the file, without scrolling sideways at 300 px', async () => {
    const chat = await open('changes');
    await chat.page.setViewportSize({ width: 300, height: 700 });
    await head(chat).click();
    const item = row(chat, PAYMENT);
    await item.waitFor();
    const wide = (selector: string): Promise<boolean> =>
      chat.page.evaluate<boolean>(
        `[...document.querySelectorAll('${selector}')].some((e) => e.scrollWidth > e.clientWidth + 1)`,
      );
    assert.equal(await wide(`[data-path="${PAYMENT}"] .change-folder`), true);
    assert.equal(await wide('.change-file, .change-scroll, .changes, .change-head'), false);
    assert.equal(await item.locator('.change-file').innerText(), 'PaymentMethodSelector.tsx');
    for (const name of ['Review all changes', 'Keep all', 'Undo turn']) {
      assert.ok(await button(chat, name).isVisible(), name);
      assert.equal(await button(chat, name).getAttribute('title'), name);
      assert.equal(await button(chat, name).locator('.action-text').isVisible(), false, name);
    }
    await chat.page.setViewportSize({ width: 620, height: 700 });
    assert.ok(await button(chat, 'Undo turn').getByText('Undo turn').isVisible());
  });

  it('asks for what each button says, for one file and for all', async () => {
    const chat = await openList('changes');
    const path = `${ROOT}/src/date.ts`;
    await row(chat, path).locator('.change-main').click();
    await row(chat, path).hover();
    await button(chat, 'Keep src/date.ts').click();
    await button(chat, 'Revert src/date.ts').click();
    for (const name of ['Review all changes', 'Keep all', 'Undo turn', 'Revert all…'])
      await button(chat, name).click();
    const scope = 'session';
    await expectIntents(
      { type: 'openChanges', scope, path },
      { type: 'keepChanges', scope, path },
      { type: 'revertChanges', scope, path },
      { type: 'openChanges', scope },
      { type: 'keepChanges', scope },
      { type: 'undoTurn' },
      { type: 'revertChanges', scope },
    );
  });

  it('offers no revert where the earlier text is unknown, and says why', async () => {
    const chat = await openList('changes');
    const revert = button(chat, 'Revert data/old.csv');
    assert.equal(await revert.getAttribute('aria-disabled'), 'true');
    assert.match((await revert.getAttribute('title')) ?? '', /The earlier text was not kept/);
    await revert.press('Enter');
    await button(chat, 'Revert media/logo.png').press('Enter');
    const path = `${ROOT}/media/logo.png`;
    await expectIntents({ type: 'revertChanges', scope: 'session', path });
    const unknown: ChangedFileView = { ...fileAt('a.txt'), special: 'unknown' };
    await show(chat, viewOf(1, [unknown]));
    await headIs(chat, '1 file changed +1');
    for (const name of ['Undo turn', 'Revert all…'])
      assert.equal(await button(chat, name).getAttribute('aria-disabled'), 'true', name);
  });

  it('goes through the list by keyboard: one stop of Tab, arrow keys, Enter, Escape', async () => {
    const chat = await openList('changesOfTurn');
    const main = (path: string): string => `[data-path="${path}"] .change-main`;
    const { keyboard } = chat.page;
    assert.equal(await dock(chat).locator('.change-main[tabindex="0"]').count(), 1);
    await button(chat, 'Undo turn').focus();
    await keyboard.press('Tab');
    await expectFocus(main(`${ROOT}/src/date.ts`));
    await keyboard.press('ArrowDown');
    await expectFocus(main(PAYMENT));
    await keyboard.press('Enter');
    await keyboard.press('End');
    await expectFocus(main(`${ROOT}/src/legacy/tz.ts`));
    await keyboard.press('Home');
    await keyboard.press('ArrowUp');
    await expectFocus(main(`${ROOT}/src/legacy/tz.ts`));
    await keyboard.press('Tab');
    await expectFocus('[aria-label="Keep src/legacy/tz.ts"]');
    assert.equal(
      await chat.page.evaluate(`getComputedStyle(document.activeElement.closest('.change-actions')).opacity`),
      '1',
    );
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await keyboard.press('Escape');
    await expectFocus('[data-parley="changes"] button.strip-head');
    await expectIntents(
      { type: 'openChanges', scope: 'session', path: PAYMENT },
      { type: 'revertChanges', scope: 'session', path: `${ROOT}/src/legacy/tz.ts` },
    );
  });

  it('gives the focus to the next row when one leaves, and to the composer after the last', async () => {
    const chat = await openList('changesOfTurn');
    const [a, b, c] = [fileAt('a.ts'), fileAt('b.ts'), fileAt('c.ts')];
    await show(chat, viewOf(1, [a, b, c]));
    await button(chat, 'Keep b.ts').focus();
    await show(chat, viewOf(1, [a, c]));
    await expectFocus(`[data-path="${c.path}"] .change-main`);
    await show(chat, viewOf(1, [a]));
    await expectFocus(`[data-path="${a.path}"] .change-main`);
    await show(chat, { turn: null, session: [] });
    await expectFocus('[data-parley="composer"]');
  });

  it('leaves the focus where the person took it when rows change', async () => {
    const chat = await openList('changesOfTurn');
    await rows(chat).first().locator('.change-main').focus();
    await chat.composer.focus();
    await show(chat, viewOf(1, [fileAt('z.ts')]));
    await headIs(chat, '1 file changed +1');
    await expectFocus('[data-parley="composer"]');
  });

  it('switches between the turn and the session where they differ', async () => {
    const chat = await openList('changes');
    const session = button(chat, 'Session');
    assert.equal(await session.getAttribute('aria-pressed'), 'true');
    assert.equal(await rows(chat).count(), 6);
    await button(chat, 'This turn').click();
    await headIs(chat, '3 files changed · This turn +130 −61');
    assert.equal(await rows(chat).count(), 3);
    await button(chat, 'Keep all').click();
    await expectIntents({ type: 'keepChanges', scope: 'turn' });
    await session.click();
    await headIs(chat, '6 files changed +134 −62');
    await show(chat, viewOf(1, [fileAt('a.ts')]));
    await session.waitFor({ state: 'detached' });
    await headIs(chat, '1 file changed +1');
  });

  it('says that a turn is undone, and offers to redo it', async () => {
    const chat = await open('changesUndone');
    await dock(chat).getByText('Turn undone', { exact: true }).waitFor();
    assert.equal(await head(chat).count(), 0);
    assert.equal(await button(chat, 'Keep all').count(), 0);
    await button(chat, 'Redo turn').click();
    await expectIntents({ type: 'redoTurn' });
    await show(chat, { turn: { number: 1, files: [], undone: true }, session: [fileAt('a.ts')] });
    await headIs(chat, 'Turn undone · 1 file changed +1');
    await show(chat, viewOf(1, [fileAt('a.ts')]));
    await headIs(chat, '1 file changed +1');
    await expectFocus('[aria-label="Undo turn"]');
  });

  it('follows a running turn, during which it can’t be undone', async () => {
    const chat = await openList('changes');
    await prompt(chat);
    const undo = button(chat, 'Undo turn');
    await soon('a disabled Undo', async () => (await undo.getAttribute('aria-disabled')) === 'true');
    assert.match((await undo.getAttribute('title')) ?? '', /Not while a turn runs/);
    await undo.press('Enter');
    await show(chat, viewOf(2, [fileAt('a.ts'), fileAt('b.ts')]));
    await soon('two rows', async () => (await rows(chat).count()) === 2);
    await chat.play({ type: 'turnEnded', turn: 2, stopReason: 'end_turn', at: 2 });
    await soon('an enabled Undo', async () => (await undo.getAttribute('aria-disabled')) === 'false');
    await undo.press('Enter');
    await expectIntents({ type: 'undoTurn' });
  });

  it('says once after a turn how many files it changed, also where the last are found late', async () => {
    const chat = await open(
      'ready',
      `window.heard = [];
       addEventListener('DOMContentLoaded', () => new MutationObserver(() => {
         const said = document.querySelector('[data-said="changes"]')?.textContent;
         if (said && said !== window.heard.at(-1)) window.heard.push(said);
       }).observe(document.body, { subtree: true, childList: true, characterData: true }));`,
    );
    const heard = (): Promise<string[]> => chat.page.evaluate<string[]>('window.heard');
    await prompt(chat);
    await show(chat, viewOf(1, [fileAt('a.ts')]));
    await show(chat, viewOf(1, [fileAt('a.ts'), fileAt('b.ts')]));
    await headIs(chat, '2 files changed +2');
    await chat.play({ type: 'turnEnded', turn: 1, stopReason: 'end_turn', at: 2 });
    await show(chat, viewOf(1, [fileAt('a.ts'), fileAt('b.ts'), fileAt('c.ts')]));
    await soon('an announcement', async () => (await heard()).length > 0);
    await show(chat, viewOf(1, [fileAt('a.ts')]));
    await headIs(chat, '1 file changed +1');
    await prompt(chat);
    await show(chat, viewOf(2, [fileAt('d.ts')]));
    await chat.play({ type: 'turnEnded', turn: 2, stopReason: 'end_turn', at: 3 });
    await soon('another one', async () => (await heard()).length > 1);
    assert.deepEqual(await heard(), ['3 files changed', '1 file changed']);
  });

  it('draws the list again only when the changes change, not with each chunk', async () => {
    const chat = await openList('changes');
    await prompt(chat);
    await chat.page.locator('[data-turn="running"]').waitFor();
    await chat.drawn();
    await chat.page.evaluate(
      `window.drawn = 0;
       new MutationObserver((all) => (window.drawn += all.length)).observe(
         document.querySelector('[data-parley="changes"]'),
         { subtree: true, childList: true, attributes: true, characterData: true },
       );
       document.querySelector('.change-rows').dataset.mark = 'kept';`,
    );
    for (let i = 0; i < 20; i++)
      await chat.play({
        type: 'update',
        at: 1,
        update: { kind: 'chunk', role: 'agent', block: { type: 'text', text: `word${i} ` } },
      });
    await chat.transcript.getByText('word19').waitFor();
    await chat.drawn();
    assert.equal(await chat.page.evaluate('window.drawn'), 1, 'The mark is the only change.');
  });

  it('stays quick with 2,000 files: draws 200 and leads to the rest', async () => {
    const chat = await openList('manyChanges');
    await headIs(chat, '2000 files changed +5995 −1999');
    assert.equal(await rows(chat).count(), 200);
    const more = dock(chat).getByRole('button', { name: 'and 1800 more Review', exact: true });
    await more.click();
    await expectIntents({ type: 'openChanges', scope: 'session' });
    const box = await dock(chat).boundingBox();
    assert.ok(box && box.height < 400, 'The list scrolls by itself.');
  });

  it('shows what could hide or reorder a name', async () => {
    const chat = await openList('oddChanges');
    await button(chat, 'Keep src/evil\\u{202E}gpj.ts').waitFor();
    assert.equal(await rows(chat).first().locator('.change-file').innerText(), 'evil\\u{202E}gpj.ts');
    await button(chat, 'Keep src/two lines.ts').waitFor();
  });

  it('keeps for each session whether it is folded, and shows another session its own changes', async () => {
    const chat = await openList('changes');
    await button(chat, 'This turn').click();
    await chat.show('k2', 'changesOfTurn');
    await headIs(chat, '3 files changed +130 −61');
    assert.equal(await rows(chat).count(), 0);
    await chat.show('k3', 'ready');
    await dock(chat).waitFor({ state: 'detached' });
    await chat.show('k1', 'changes');
    await headIs(chat, '3 files changed · This turn +130 −61');
    assert.equal(await rows(chat).count(), 3);
    await chat.page.reload();
    await soon('three rows', async () => (await rows(chat).count()) === 3);
  });
});
