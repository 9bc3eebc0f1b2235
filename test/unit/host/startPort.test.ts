import assert from 'node:assert/strict';
import { PROTOCOL_ID, type HostToPage } from '../../../src/core/chat/protocol';
import { FakePage } from './fakePage';

describe('the start of a conversation on its way to the page', () => {
  const start: HostToPage = {
    type: 'start',
    view: { found: null, models: null, folder: true, trusted: true },
  };

  it('goes to every page that listens', () => {
    const page = new FakePage();
    page.toPages.fire(start);
    assert.deepEqual(page.ofType('start'), []);
    page.send({ type: 'ready', protocol: PROTOCOL_ID });
    page.toPages.fire(start);
    assert.deepEqual(page.ofType('start'), [start]);
    page.channel.dispose();
    page.toPages.fire(start);
    assert.equal(page.ofType('start').length, 1);
  });

  it('is asked for by the page, which must say whether to look again', () => {
    const page = FakePage.ready();
    page.send({ type: 'lookAround', anew: false });
    page.send({ type: 'lookAround', anew: true });
    page.sendRaw({ type: 'lookAround', anew: 'yes' });
    page.sendRaw({ type: 'lookAround' });
    assert.deepEqual(page.looked, [false, true]);
    page.channel.dispose();
  });
});
