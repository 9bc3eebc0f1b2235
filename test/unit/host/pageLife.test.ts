import assert from 'node:assert/strict';
import { PROTOCOL_ID, type Intent } from '../../../src/core/chat/protocol';
import { PageStart } from '../../../src/host/chat/pageStart';
import { pageFor } from '../../../src/host/chat/pages';
import { text, tool } from '../../support/session';
import { FakePage } from './fakePage';

describe('the life of a page', () => {
  it('gets nothing while it is hidden, and all of it from the snapshot when it is back', async () => {
    const page = FakePage.ready();
    page.wire(tool('a'));
    page.channel.setVisible(false);
    page.wire(tool('b'), text('more'));
    page.sessions.changeList('meanwhile');
    page.channel.focusComposer();
    page.channel.flush();
    await FakePage.frame();
    assert.deepEqual(page.types, ['snapshot'], 'nothing is posted');
    assert.equal(page.ofType('sessions').length, 1);
    page.send({ type: 'ready', protocol: PROTOCOL_ID });
    assert.deepEqual(page.types, ['snapshot', 'snapshot', 'focusComposer']);
    assert.deepEqual(page.state, page.store.state);
    assert.equal(page.ofType('sessions').at(-1)?.list.problem, 'meanwhile');
    page.wire(tool('c'));
    await page.until(() => page.ofType('actions').length === 1);
    assert.deepEqual(page.state, page.store.state);
    page.channel.dispose();
  });

  it('asks a page that was kept while it was hidden whether it is there', () => {
    const page = FakePage.ready();
    page.channel.setVisible(true);
    assert.equal(page.ofType('shown').length, 0, 'it was not hidden');
    page.channel.setVisible(false);
    page.channel.setVisible(true);
    assert.deepEqual(page.types, ['snapshot', 'shown']);
    page.wire(tool('a'));
    assert.equal(page.begun, 1);
    page.send({ type: 'resync' });
    assert.equal(page.begun, 2, 'it is not made anew');
    assert.deepEqual(page.types, ['snapshot', 'shown', 'snapshot']);
    assert.deepEqual(page.state, page.store.state);
    page.channel.dispose();
  });

  it('waits for nobody to paint while it is hidden', async () => {
    const page = FakePage.ready();
    const painted = page.channel.painted();
    page.channel.setVisible(false);
    await painted;
    await page.channel.painted();
    page.channel.dispose();
  });

  it('is told only what belongs to it: a page of another build gets nothing', async () => {
    const page = new FakePage();
    page.send({ type: 'ready', protocol: 'of another build' });
    page.wire(tool('a'));
    await FakePage.frame();
    assert.deepEqual(page.posts, []);
    assert.deepEqual(page.log, ['a page of of another build']);
    page.send({ type: 'ready', protocol: PROTOCOL_ID });
    assert.deepEqual(page.types, ['snapshot']);
    page.channel.dispose();
  });

  it('gets its first snapshot when its session has been opened', () => {
    const page = new FakePage();
    const session = page.sessions.current;
    page.sessions.current = undefined as never;
    page.channel.focusComposer();
    page.send({ type: 'ready', protocol: PROTOCOL_ID });
    assert.deepEqual(page.posts, []);
    page.sessions.show(session);
    assert.deepEqual(page.types, ['snapshot', 'focusComposer']);
    page.channel.dispose();
  });

  it('answers a wish that is not known with a sentence, and does nothing', () => {
    const seen: Intent[] = [];
    const page = FakePage.ready((intent) => {
      seen.push(intent);
      return Promise.resolve();
    });
    page.sendRaw({ type: 'intent', id: 7, intent: { type: 'formatDisk' } });
    page.sendRaw({ type: 'intent', id: 8, intent: { type: 'openFile', path: 5 } });
    assert.deepEqual(page.ofType('reply'), [
      { type: 'reply', id: 7, error: 'not known here' },
      { type: 'reply', id: 8, error: 'not known here' },
    ]);
    assert.deepEqual(seen, []);
    assert.equal(page.log.length, 2);
    page.channel.dispose();
  });

  it('logs what failed in it, but not without end', () => {
    const page = FakePage.ready();
    for (let index = 0; index < 100; index++) page.send({ type: 'failed', report: `no ${index}` });
    assert.equal(page.log[0], 'the page failed: no 0');
    assert.ok(page.log.length >= 10 && page.log.length <= 50, String(page.log.length));
    const before = page.log.length;
    page.send({ type: 'ready', protocol: PROTOCOL_ID });
    page.send({ type: 'failed', report: 'again' });
    assert.equal(page.log.length, before + 1, 'a page that is made anew may tell again');
    page.channel.dispose();
  });

  it('says when the person turns to it', () => {
    const page = FakePage.ready();
    page.send({ type: 'focused' });
    assert.equal(page.focused, 1);
    page.channel.dispose();
  });
});

describe('the start of a page', () => {
  class Watched {
    loads = 0;
    readonly log: string[] = [];
    failed: () => void = () => undefined;
    readonly told = new Promise<void>((resolve) => (this.failed = resolve));
    readonly start = new PageStart({
      load: () => this.loads++,
      failed: () => this.failed(),
      log: (line) => this.log.push(line),
      within: 5,
    });
  }

  it('makes a page anew that does not begin, once, and then tells the person', async () => {
    const stuck = new Watched();
    stuck.start.load(true);
    await stuck.told;
    assert.equal(stuck.loads, 2);
    assert.deepEqual(stuck.log, ['the page did not begin', 'the page did not begin']);
    stuck.start.dispose();

    const good = new Watched();
    good.start.load(true);
    assert.equal(good.start.begun(PROTOCOL_ID), true);
    const later = new Watched();
    later.start.load(true);
    await later.told;
    assert.equal(good.loads, 1);
    assert.deepEqual(good.log, []);
    later.start.dispose();
  });

  it('does not wait for a page that is hidden', async () => {
    const hidden = new Watched();
    hidden.start.load(false);
    const later = new Watched();
    later.start.load(true);
    await later.told;
    assert.equal(hidden.loads, 1);
    hidden.start.setVisible(true);
    await hidden.told;
    assert.equal(hidden.loads, 2);
    hidden.start.dispose();
    later.start.dispose();
  });

  it('makes a page of another build anew once', async () => {
    const page = new Watched();
    page.start.load(true);
    assert.equal(page.start.begun('parley-0'), false);
    assert.equal(page.loads, 2);
    assert.equal(page.start.begun('parley-0'), false);
    await page.told;
    assert.equal(page.loads, 2);
    page.start.load(true);
    assert.equal(page.start.begun(PROTOCOL_ID), true, 'the person may try again');
    page.start.dispose();
  });
});

describe('the page for what no page asked for', () => {
  it('is the active one, else one in sight, else the active one all the same', () => {
    const among = (...visible: string[]) =>
      pageFor(['tab-2', 'view', 'tab-1'], (page) => visible.includes(page));
    assert.equal(among('tab-2', 'view'), 'tab-2');
    assert.equal(among('tab-1', 'view'), 'view');
    assert.equal(among('tab-1'), 'tab-1');
    assert.equal(among(), 'tab-2');
  });
});
