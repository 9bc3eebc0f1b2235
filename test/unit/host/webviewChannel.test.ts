import assert from 'node:assert/strict';
import { PROTOCOL_ID, type HostToPage, type Intent, type PageToHost } from '../../../src/core/chat/protocol';
import { Replica } from '../../../src/core/chat/sync';
import { Emitter } from '../../../src/core/emitter';
import { applyAction } from '../../../src/core/session/reduce';
import type { SessionState } from '../../../src/core/session/state';
import { performIntent, type IntentActions } from '../../../src/host/chat/intents';
import { WebviewChannel } from '../../../src/host/chat/webviewChannel';
import { SessionStore } from '../../../src/host/session/sessionStore';
import { TestSession, text, tool } from '../../support/session';

/** A page that keeps what it is told, as copies, and what it makes of it. */
class FakePage {
  readonly posts: HostToPage[] = [];
  readonly store = new SessionStore('Test');
  readonly log: string[] = [];
  readonly draft = { text: '' };
  readonly channel: WebviewChannel;
  state: SessionState | undefined;
  private readonly replica = new Replica();
  private readonly toHost = new Emitter<unknown>();
  private wake: () => void = () => undefined;
  private readonly source = new TestSession();

  constructor(perform: (intent: Intent) => Promise<void> = () => Promise.resolve()) {
    this.channel = new WebviewChannel({
      page: {
        postMessage: (message) => {
          this.take(structuredClone(message));
          return Promise.resolve(true);
        },
        onDidReceiveMessage: this.toHost.event,
      },
      state: this.store.state,
      draft: this.draft,
      onDidDispatch: this.store.onDidDispatch,
      perform,
      log: (line) => this.log.push(line),
    });
  }

  /** A page that is ready. */
  static ready(perform?: (intent: Intent) => Promise<void>): FakePage {
    const page = new FakePage(perform);
    page.send({ type: 'ready', protocol: PROTOCOL_ID });
    return page;
  }

  send(message: PageToHost): void {
    this.toHost.fire(message);
  }

  sendRaw(message: unknown): void {
    this.toHost.fire(message);
  }

  /** The agent sends updates. */
  wire(...updates: object[]): void {
    for (const update of updates) this.store.dispatch(this.source.action(update));
  }

  ofType<T extends HostToPage['type']>(type: T): Extract<HostToPage, { type: T }>[] {
    return this.posts.filter((post): post is Extract<HostToPage, { type: T }> => post.type === type);
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => (this.wake = resolve));
  }

  /** Waits for a frame that begins after everything before, so that a post that was due has been made. */
  static async frame(): Promise<void> {
    const clock = FakePage.ready();
    clock.wire(text('tick'));
    await clock.until(() => clock.ofType('actions').length > 0);
    clock.channel.dispose();
  }

  private take(message: HostToPage): void {
    this.posts.push(message);
    if (message.type === 'snapshot') {
      this.replica.snapshot(message.seq);
      this.state = message.state;
    } else if (message.type === 'actions') {
      assert.ok(this.state && this.replica.accepts(message), 'the actions follow what the page holds');
      for (const action of message.actions) applyAction(this.state, action, () => undefined);
    }
    this.wake();
  }
}

describe('channel to the page', () => {
  it('posts nothing before the page is ready, then one snapshot that holds it all', async () => {
    const page = new FakePage();
    page.wire(text('one '), text('two'));
    await FakePage.frame();
    assert.deepEqual(page.posts, []);
    page.send({ type: 'ready', protocol: PROTOCOL_ID });
    assert.deepEqual(
      page.posts.map(({ type }) => type),
      ['snapshot'],
    );
    assert.deepEqual(page.state, page.store.state);
    await FakePage.frame();
    assert.equal(page.posts.length, 1);
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

  it('keeps the draft of the page and gives it back with the snapshot', () => {
    const page = FakePage.ready();
    page.send({ type: 'draft', text: 'half a sent' });
    assert.equal(page.draft.text, 'half a sent');
    page.send({ type: 'resync' });
    assert.deepEqual(
      page.ofType('snapshot').map(({ draft }) => draft),
      ['', 'half a sent'],
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
    assert.deepEqual(
      page.posts.map(({ type }) => type),
      ['snapshot', 'actions', 'reply'],
    );
    page.channel.dispose();
  });

  it('PT-6 replies to a prompt when it is taken, not when its turn ends', async () => {
    let take: () => void = () => undefined;
    let endTurn: () => void = () => undefined;
    const controller = {
      prompt: (_text: string, taken: () => void) =>
        new Promise<void>((resolve) => {
          take = taken;
          endTurn = resolve;
        }),
    };
    const actions = { controller } as unknown as IntentActions;
    const page = FakePage.ready((intent) => performIntent(intent, actions));
    page.send({ type: 'intent', id: 4, intent: { type: 'prompt', text: 'go' } });
    await FakePage.frame();
    assert.deepEqual(page.ofType('reply'), []);
    take();
    await page.until(() => page.ofType('reply').length === 1);
    assert.deepEqual(page.ofType('reply'), [{ type: 'reply', id: 4, error: null }]);
    endTurn();
    await FakePage.frame();
    assert.equal(page.ofType('reply').length, 1);
    page.channel.dispose();
  });

  it('PT-7 replies with the reason when a prompt is not taken', async () => {
    const controller = { prompt: () => Promise.reject(new Error('A turn is running.')) };
    const actions = { controller } as unknown as IntentActions;
    const page = FakePage.ready((intent) => performIntent(intent, actions));
    page.send({ type: 'intent', id: 4, intent: { type: 'prompt', text: 'go' } });
    await page.until(() => page.ofType('reply').length === 1);
    assert.deepEqual(page.ofType('reply'), [{ type: 'reply', id: 4, error: 'A turn is running.' }]);
    page.channel.dispose();
  });

  it('logs what it does not understand and answers nothing', () => {
    const page = new FakePage();
    for (const message of [undefined, 7, {}, { type: 'intent', id: '1', intent: { type: 'copy' } }])
      page.sendRaw(message);
    assert.equal(page.log.length, 4);
    page.send({ type: 'ready', protocol: 'of another build' });
    assert.equal(page.log.length, 5);
    assert.deepEqual(
      page.posts.map(({ type }) => type),
      ['snapshot'],
    );
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
    assert.equal(page.posts.length, 3);
  });
});
