import assert from 'node:assert/strict';
import { sessionsOf } from '../../../src/host/chat/pages';
import { Pages, VIEW } from '../../../src/host/session/pages';
import { agentWith, SessionWindow } from './sessionWindow';

const isEmpty = (): boolean => true;

describe('pages and their sessions', () => {
  it('begin with the view, which shows nothing', () => {
    const pages = new Pages();
    assert.deepEqual([pages.active, pages.ids, pages.keyOf(VIEW)], [VIEW, [VIEW], undefined]);
    pages.remove(VIEW);
    assert.equal(pages.has(VIEW), true, 'the view stays');
  });

  it('give the page back that was active before the one that is closed', () => {
    const pages = new Pages();
    pages.set('one', 'a');
    pages.set('two', 'b');
    assert.deepEqual(pages.ids, ['two', 'one', VIEW]);
    assert.equal(pages.activate('one'), true);
    assert.equal(pages.activate('gone'), false);
    pages.remove('one');
    assert.equal(pages.active, 'two');
    assert.equal(pages.holderOf('a'), undefined);
  });

  it('let a session be in one page only', () => {
    const pages = new Pages();
    pages.set(VIEW, 'a');
    pages.set(VIEW, 'a');
    assert.throws(() => pages.set('one', 'a'), /in the page view already/);
    pages.set(VIEW, undefined);
    pages.set('one', 'a');
    assert.equal(pages.holderOf('a'), 'one');
  });
});

/** A window whose view shows one session and whose tab shows another. */
async function withTab(
  window = new SessionWindow(),
): Promise<{ window: SessionWindow; inView: string; inTab: string }> {
  const inView = (await window.use('in the view')).key;
  assert.equal(await window.sessions.openTab('tab'), true);
  return { window, inView, inTab: window.key };
}

describe('sessions in several pages', () => {
  it('SU-8 shows a new session in a new tab, and the person is with that', async () => {
    const { window, inView, inTab } = await withTab();
    assert.notEqual(inTab, inView);
    assert.equal(window.sessions.shownIn(VIEW)?.key, inView);
    assert.equal(window.sessions.shownIn('tab')?.key, inTab);
    assert.equal(window.sessions.shownIn('other'), undefined);
  });

  it('SU-8 is with the session of the page that the person turns to', async () => {
    const { window, inView, inTab } = await withTab();
    window.switches.length = 0;
    assert.equal(window.sessions.activate(VIEW), true);
    assert.equal(window.sessions.activate(VIEW), true);
    assert.equal(window.key, inView);
    window.sessions.activate('tab');
    assert.deepEqual(window.switches, [inView, inTab], 'told once each');
    assert.equal(window.sessions.activate('gone'), false);
    assert.equal(window.key, inTab);
  });

  it('SE-4 shows and begins sessions in the page that is asked for, and leaves the other one', async () => {
    const { window, inView } = await withTab();
    const { sessions } = window;
    await window.use('in the tab');
    await sessions.create();
    assert.equal(sessions.shownIn(VIEW)?.key, inView);
    const third = window.key;
    await window.use('third');
    await sessions.create(undefined, VIEW);
    assert.equal(window.key, third, 'the person is still with the tab');
    await sessions.show(inView, VIEW);
    assert.equal(sessions.shownIn(VIEW)?.key, inView);
    assert.equal(sessions.shownIn('tab')?.key, third);
  });

  it('SE-4 reveals the page that shows a session already, and moves it nowhere', async () => {
    const { window, inView, inTab } = await withTab();
    const { sessions } = window;
    const revealed: string[] = [];
    const shown: string[] = [];
    sessions.onDidReveal((page) => revealed.push(page));
    sessions.onDidShow((page) => shown.push(page));
    await sessions.show(inView);
    assert.deepEqual(revealed, [VIEW]);
    assert.equal(window.key, inView, 'the person is with that page');
    assert.equal(await sessions.openTab('tab-2', inTab), false);
    assert.deepEqual(revealed, [VIEW, 'tab']);
    assert.equal(sessions.pages.has('tab-2'), false);
    assert.equal(sessions.shownIn('tab')?.key, inTab);
    assert.deepEqual(shown, [], 'no page shows another session');
  });

  it('SE-4 puts a session into a page without waiting for its agent', async () => {
    const { window, inView } = await withTab();
    const { sessions } = window;
    await sessions.create(undefined, VIEW);
    const held = sessions.find(inView)?.controller;
    assert.ok(held);
    held.ensureConnected = () => assert.fail('connected');
    assert.equal((await sessions.put(inView, VIEW))?.key, inView);
    assert.equal(sessions.shownIn(VIEW)?.key, inView);
    assert.equal(await sessions.put('unknown', VIEW), undefined);
    assert.equal(sessions.shownIn(VIEW)?.key, inView);
  });

  it('SU-8 moves the session of the view into a tab, and the view gets an empty one of the same agent', async () => {
    const window = new SessionWindow({ memory: agentWith(), other: agentWith() });
    const { sessions } = window;
    await sessions.create('other');
    const { key } = await window.use('go on in a tab');
    assert.equal(await sessions.openTab('tab', key), true);
    assert.equal(window.key, key);
    const left = sessions.shownIn(VIEW);
    assert.notEqual(left?.key, key);
    assert.deepEqual([left?.store.state.entries, left?.store.state.agent.id], [[], 'other']);
    assert.deepEqual(
      window.archive.last,
      { key: left?.key, agentId: 'other' },
      'it is what the view brings back',
    );
  });

  it('keeps the session of a tab that is closed, but not one in which nothing happened', async () => {
    const { window, inView, inTab } = await withTab();
    const { sessions } = window;
    await sessions.closeTab('tab', () => false);
    assert.equal(window.key, inView);
    assert.ok(sessions.find(inTab), 'something was written there');
    await sessions.openTab('tab', inTab);
    await sessions.closeTab('tab', isEmpty);
    assert.equal(sessions.find(inTab), undefined);
    await sessions.openTab('tab');
    const { key } = await window.use('much happened');
    await sessions.closeTab('tab', isEmpty);
    assert.ok(sessions.find(key));
    assert.equal(window.badgeOf(key), 'idle');
  });

  it('SE-12 shows a session that no page shows where one is closed', async () => {
    const { window, inView, inTab } = await withTab();
    const { sessions } = window;
    await window.use('in the tab');
    await sessions.close(inTab);
    const next = sessions.shownIn('tab')?.key;
    assert.ok(next !== undefined && next !== inView && next !== inTab);
    assert.equal(sessions.shownIn(VIEW)?.key, inView);
  });

  it('SE-10 a tab of before the reload shows its session again, one that was never used too', async () => {
    const before = await withTab();
    const { key } = await before.window.use('kept');
    before.window.archive.keep(key, before.window.sessions.state);
    const window = new SessionWindow({ memory: agentWith(), other: agentWith() }, before.window.archive);
    await window.sessions.restore();
    assert.equal(await window.sessions.openTab('tab', key, 'memory'), true);
    assert.equal(window.sessions.shownIn('tab')?.store.state.entries[0]?.kind, 'user');
    assert.equal(window.sessions.shownIn(VIEW)?.key, before.inView);
    await window.sessions.openTab('tab-2', 'key-with-a-draft', 'other');
    assert.equal(window.key, 'key-with-a-draft');
    assert.equal(window.sessions.state.agent.id, 'other');
  });

  it('marks the row of its own session in the list of each page', async () => {
    const { window, inView, inTab } = await withTab();
    const { sessions } = window;
    const marked = (page?: string): (string | undefined)[] =>
      sessions.list(page).rows.flatMap(({ key, current }) => (current ? [key] : []));
    assert.deepEqual([marked(VIEW), marked('tab'), marked()], [[inView], [inTab], [inTab]]);
  });

  it('counts a session as seen in any page', async () => {
    const { window, inView } = await withTab();
    const { sessions } = window;
    await sessions.find(inView)?.controller.prompt({ text: 'not where the person is', attachments: [] });
    assert.equal(window.badgeOf(inView), 'idle');
    await sessions.create(undefined, VIEW);
    await sessions.find(inView)?.controller.prompt({ text: 'in no page', attachments: [] });
    assert.equal(window.badgeOf(inView), 'done');
  });

  it('tells a page of its own session alone', async () => {
    const { window } = await withTab();
    const told: string[] = [];
    for (const page of [VIEW, 'tab'])
      sessionsOf(window.sessions, page).onDidSwitch(() => void told.push(page));
    await window.use('so that the next one is another');
    await window.sessions.create();
    window.sessions.activate(VIEW);
    assert.deepEqual(told, ['tab']);
  });
});
