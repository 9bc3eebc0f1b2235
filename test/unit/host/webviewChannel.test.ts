import assert from 'node:assert/strict';
import type { Attachment } from '../../../src/core/chat/attachment';
import { PROTOCOL_ID, type Draft, type Intent } from '../../../src/core/chat/protocol';
import { performIntent, type IntentActions } from '../../../src/host/chat/intents';
import { TestSession, text, tool } from '../../support/session';
import { FakePage } from './fakePage';

const FILE: Attachment = { kind: 'file', path: '/proj/a.ts', name: 'a.ts' };
const GO: Intent = { type: 'prompt', text: 'go', attachments: [] };

describe('channel to the page', () => {
  it('posts nothing before the page is ready, then one snapshot that holds it all', async () => {
    const page = new FakePage();
    page.wire(text('one '), text('two'));
    await FakePage.frame();
    assert.deepEqual(page.posts, []);
    page.send({ type: 'ready', protocol: PROTOCOL_ID });
    assert.deepEqual(
      page.posts.map(({ type }) => type),
      ['snapshot', 'sessions'],
    );
    assert.deepEqual(page.state, page.store.state);
    await FakePage.frame();
    assert.equal(page.posts.length, 2);
    page.channel.dispose();
  });

  it('SU-7 posts once a frame, with chunks joined and the rest in order', async () => {
    const page = FakePage.ready();
    page.wire(
      text('one '),
      text('two '),
      text('three'),
      tool('a'),
      text('four '),
      text('hm', 'agent_thought'),
      text(' hm', 'agent_thought'),
    );
    assert.equal(page.ofType('actions').length, 0, 'nothing is posted at once');
    await page.until(() => page.ofType('actions').length > 0);
    await FakePage.frame();
    const [post, ...more] = page.ofType('actions');
    assert.deepEqual(more, []);
    assert.equal(post?.seq, 0);
    assert.equal(post.actions.length, 4);
    assert.deepEqual(page.state, { ...page.store.state, entries: page.state?.entries });
    assert.deepEqual(
      page.state?.entries.map((entry) => ('blocks' in entry ? entry.blocks : entry.kind)),
      page.store.state.entries.map((entry) => ('blocks' in entry ? entry.blocks : entry.kind)),
    );
    page.channel.dispose();
  });

  it('numbers the actions of later frames on from those before', async () => {
    const page = FakePage.ready();
    page.wire(tool('a'), tool('b'));
    await page.until(() => page.ofType('actions').length === 1);
    page.wire(tool('c'));
    await page.until(() => page.ofType('actions').length === 2);
    assert.deepEqual(
      page.ofType('actions').map(({ seq }) => seq),
      [0, 2],
    );
    assert.deepEqual(page.state, page.store.state);
    page.channel.dispose();
  });

  it('answers a resync with a snapshot and drops what the snapshot holds', async () => {
    const page = FakePage.ready();
    page.wire(tool('a'));
    await page.until(() => page.ofType('actions').length === 1);
    page.wire(tool('b'));
    page.send({ type: 'resync' });
    const [, snapshot] = page.ofType('snapshot');
    assert.equal(snapshot?.seq, 1);
    await FakePage.frame();
    assert.equal(page.ofType('actions').length, 1, 'the snapshot holds the second tool');
    page.wire(tool('c'));
    await page.until(() => page.ofType('actions').length === 2);
    assert.deepEqual(page.state, page.store.state);
    page.channel.dispose();
  });

  it('gives the snapshot to a page that is loaded anew', () => {
    const page = FakePage.ready();
    page.wire(tool('a'));
    page.send({ type: 'ready', protocol: PROTOCOL_ID });
    assert.equal(page.ofType('snapshot').length, 2);
    assert.deepEqual(page.state, page.store.state);
    page.channel.dispose();
  });

  it('keeps the draft of each session by its key and gives it back with the snapshot', () => {
    const page = FakePage.ready();
    const other = page.sessions.add('other');
    const draft: Draft = { text: 'half a sent', attachments: [FILE] };
    page.send({ type: 'draft', key: 'first', draft });
    page.send({ type: 'draft', key: 'other', draft: { text: 'of the other', attachments: [] } });
    page.send({ type: 'resync' });
    page.sessions.show(other);
    assert.deepEqual(
      page.ofType('snapshot').map(({ key, draft: given }) => [key, given]),
      [
        ['first', { text: '', attachments: [] }],
        ['first', draft],
        ['other', { text: 'of the other', attachments: [] }],
      ],
    );
    page.channel.dispose();
  });

  it('replies to each intent, with the sentence of what went wrong', async () => {
    const seen: Intent[] = [];
    const page = FakePage.ready((intent) => {
      seen.push(intent);
      if (intent.type === 'copy') return Promise.reject(new Error('no clipboard'));
      // Some rejections are no errors.
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
      if (intent.type === 'openLink') return Promise.reject('not this one');
      return Promise.resolve();
    });
    page.send({ type: 'intent', id: 0, intent: { type: 'newSession' } });
    page.send({ type: 'intent', id: 1, intent: { type: 'copy', text: 'x' } });
    page.send({ type: 'intent', id: 2, intent: { type: 'openLink', href: 'x:y' } });
    await page.until(() => page.ofType('reply').length === 3);
    assert.deepEqual(
      page.ofType('reply').toSorted((a, b) => a.id - b.id),
      [
        { type: 'reply', id: 0, error: null },
        { type: 'reply', id: 1, error: 'no clipboard' },
        { type: 'reply', id: 2, error: 'not this one' },
      ],
    );
    assert.equal(seen.length, 3);
    page.channel.dispose();
  });

  it('posts what an intent changed before its reply', async () => {
    const page: FakePage = FakePage.ready(() => {
      page.wire(tool('a'));
      return Promise.resolve();
    });
    page.send({ type: 'intent', id: 1, intent: { type: 'cancelTurn' } });
    await page.until(() => page.ofType('reply').length === 1);
    assert.deepEqual(page.types, ['snapshot', 'actions', 'reply']);
    page.channel.dispose();
  });

  it('PT-6 replies to a prompt when it is taken, not when its turn ends', async () => {
    let take: () => void = () => undefined;
    let endTurn: () => void = () => undefined;
    const controller = {
      prompt: (_content: unknown, taken: () => void) =>
        new Promise<void>((resolve) => {
          take = taken;
          endTurn = resolve;
        }),
    };
    const cleared: unknown[] = [];
    const actions = {
      sessions: { current: { key: 'a', controller } },
      sentDraft: (key: string, sent: unknown) => cleared.push([key, sent]),
    } as unknown as IntentActions;
    const page = FakePage.ready((intent) => performIntent(intent, actions));
    page.send({ type: 'intent', id: 4, intent: GO });
    await FakePage.frame();
    assert.deepEqual(page.ofType('reply'), []);
    assert.deepEqual(cleared, [], 'the draft is kept until the session has the prompt');
    take();
    assert.deepEqual(cleared, [['a', { text: GO.text, attachments: GO.attachments }]]);
    await page.until(() => page.ofType('reply').length === 1);
    assert.deepEqual(page.ofType('reply'), [{ type: 'reply', id: 4, error: null }]);
    endTurn();
    await FakePage.frame();
    assert.equal(page.ofType('reply').length, 1);
    page.channel.dispose();
  });

  it('PT-7 replies with the reason when a prompt is not taken', async () => {
    const controller = { prompt: () => Promise.reject(new Error('A turn is running.')) };
    const actions = { sessions: { current: { controller } } } as unknown as IntentActions;
    const page = FakePage.ready((intent) => performIntent(intent, actions));
    page.send({ type: 'intent', id: 4, intent: GO });
    await page.until(() => page.ofType('reply').length === 1);
    assert.deepEqual(page.ofType('reply'), [{ type: 'reply', id: 4, error: 'A turn is running.' }]);
    page.channel.dispose();
  });

  it('logs what it does not understand and answers nothing', () => {
    const page = new FakePage();
    for (const message of [undefined, 7, {}, { type: 'intent', id: '1', intent: { type: 'copy' } }])
      page.sendRaw(message);
    assert.equal(page.log.length, 4);
    assert.deepEqual(page.posts, []);
    page.channel.dispose();
  });

  it('posts at once where it is told to, and nothing after the page is gone', async () => {
    const page = FakePage.ready();
    page.wire(tool('a'));
    page.channel.flush();
    assert.equal(page.ofType('actions').length, 1);
    page.channel.flush();
    assert.equal(page.ofType('actions').length, 1, 'nothing waits');
    page.channel.focusComposer();
    assert.equal(page.ofType('focusComposer').length, 1);
    page.wire(tool('b'));
    page.channel.dispose();
    page.wire(tool('c'));
    page.send({ type: 'resync' });
    await FakePage.frame();
    assert.deepEqual(page.types, ['snapshot', 'actions', 'focusComposer']);
    assert.equal(page.ofType('sessions').length, 1);
  });

  it('SU-8 gives a snapshot of the session that is shown next, and drops what waited of the one before', async () => {
    const page = FakePage.ready();
    const other = page.sessions.add('other');
    page.wireTo(other, text('of the other'));
    page.wire(tool('a'));
    page.sessions.show(other);
    assert.deepEqual(page.types, ['snapshot', 'snapshot']);
    assert.equal(page.ofType('snapshot')[1]?.key, 'other');
    assert.deepEqual(page.state, other.store.state);
    page.wire(tool('b'));
    await page.until(() => page.ofType('actions').length === 1);
    assert.deepEqual(page.state, other.store.state);
    page.channel.dispose();
  });

  it('SE-8 gives a snapshot when the shown session has another state altogether', async () => {
    const page = FakePage.ready();
    page.wire(tool('a'));
    page.store.reset(new TestSession().wire(text('replayed')).state);
    assert.deepEqual(page.types, ['snapshot', 'snapshot']);
    page.wire(tool('b'));
    await page.until(() => page.ofType('actions').length === 1);
    assert.deepEqual(page.state, page.store.state);
    assert.equal(page.state?.entries.length, 2);
    page.channel.dispose();
  });

  it('SU-8 posts nothing of sessions that are not shown', async () => {
    const page = FakePage.ready();
    const other = page.sessions.add('other');
    page.wireTo(other, text('hidden'), tool('a'));
    await FakePage.frame();
    assert.deepEqual(page.types, ['snapshot']);
    page.wire(tool('b'));
    await page.until(() => page.ofType('actions').length === 1);
    assert.equal(page.ofType('actions')[0]?.seq, 0);
    assert.deepEqual(page.state, page.store.state);
    page.channel.dispose();
  });

  it('SE-15 posts the list once a frame at most, as it is by then', async () => {
    const page = FakePage.ready();
    assert.equal(page.ofType('sessions').length, 1);
    for (const problem of ['one', 'two', 'three']) page.sessions.changeList(problem);
    assert.equal(page.ofType('sessions').length, 1, 'nothing is posted at once');
    await page.until(() => page.ofType('sessions').length === 2);
    await FakePage.frame();
    assert.deepEqual(
      page.ofType('sessions').map(({ list }) => list.problem),
      [null, 'three'],
    );
    page.wire(tool('a'));
    await page.until(() => page.ofType('actions').length === 1);
    assert.equal(page.ofType('sessions').length, 2, 'an action alone does not bring the list again');
    page.channel.dispose();
  });

  it('SE-15 posts no list before the page is ready', async () => {
    const page = new FakePage();
    page.sessions.changeList('early');
    await FakePage.frame();
    assert.deepEqual(page.posts, []);
    page.send({ type: 'ready', protocol: PROTOCOL_ID });
    assert.deepEqual(
      page.ofType('sessions').map(({ list }) => list.problem),
      ['early'],
    );
    page.channel.dispose();
  });

  it('keeps what a page should do until it is there, once and after the snapshot', () => {
    const page = new FakePage();
    page.channel.showSessions();
    page.channel.attach([FILE]);
    page.channel.focusComposer();
    assert.deepEqual(page.posts, []);
    page.send({ type: 'ready', protocol: PROTOCOL_ID });
    assert.deepEqual(page.types, ['snapshot', 'showSessions', 'attach', 'focusComposer']);
    assert.deepEqual(page.ofType('attach')[0]?.attachments, [FILE]);
    page.send({ type: 'resync' });
    assert.equal(page.types.length, 5, 'only the snapshot comes again');
    page.channel.attach([]);
    assert.equal(page.types.at(-1), 'attach', 'a page that is there is told at once');
    page.channel.dispose();
  });

  it('answers for each picture of a message, also where it can not be read', async () => {
    const page = FakePage.ready();
    page.readPicture = (key, path) =>
      path === 'bad.png'
        ? Promise.reject(new Error('disk'))
        : Promise.resolve(`data:image/png;base64,${key}${path}`);
    page.send({ type: 'readPicture', key: 'k1', path: 'a.png' });
    page.send({ type: 'readPicture', key: 'k1', path: 'bad.png' });
    page.sendRaw({ type: 'readPicture', key: 'k1', path: 7 });
    await page.until(() => page.ofType('picture').length === 2);
    assert.deepEqual(page.ofType('picture'), [
      { type: 'picture', key: 'k1', path: 'a.png', data: 'data:image/png;base64,k1a.png' },
      { type: 'picture', key: 'k1', path: 'bad.png', data: null },
    ]);
    assert.ok(page.log.includes('picture: disk'));
    page.channel.dispose();
  });

  it('PT-8 waits until the page has painted what came before, if there is a page', async () => {
    const page = new FakePage();
    await page.channel.painted();
    page.send({ type: 'ready', protocol: PROTOCOL_ID });
    page.wire(text('last words'));
    let done = false;
    const painted = page.channel.painted().then(() => (done = true));
    assert.deepEqual(page.types.slice(-2), ['actions', 'paint'], 'the words go first');
    await FakePage.frame();
    assert.equal(done, false);
    page.send({ type: 'painted', id: page.ofType('paint')[0]?.id ?? -1 });
    await painted;
    const late = page.channel.painted();
    page.channel.dispose();
    await late;
  });
});
