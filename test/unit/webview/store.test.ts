import { effect } from '@preact/signals';
import assert from 'node:assert/strict';
import type { SessionAction } from '../../../src/core/session/actions';
import { emptySession } from '../../../src/core/session/state';
import { Store, type Part } from '../../../src/webview/store';

const draft = { text: '', attachments: [] };

const chunk = (text: string): SessionAction => ({
  type: 'update',
  at: 1,
  update: { kind: 'chunk', role: 'agent', block: { type: 'text', text } },
});

function setUp() {
  const frames: (() => void)[] = [];
  const store = new Store((run) => frames.push(run));
  const drawn: Part[] = [];
  const watch = (part: Part): unknown =>
    effect(() => {
      store.follow(part);
      drawn.push(part);
    });
  let seq = 0;
  const send = (...actions: SessionAction[]): boolean => {
    const accepted = store.receive({ type: 'actions', seq, actions });
    seq += actions.length;
    return accepted;
  };
  const frame = (): void => {
    for (const run of frames.splice(0)) run();
  };
  return { store, frames, drawn, watch, send, frame };
}

describe('the store of the page', () => {
  it('asks for a snapshot when actions come before one, or with a gap', () => {
    const { store, send, frame } = setUp();
    assert.equal(send(chunk('a')), false);
    store.receive({ type: 'snapshot', seq: 5, key: 'k', state: emptySession('a'), draft });
    frame();
    assert.equal(store.receive({ type: 'actions', seq: 6, actions: [chunk('a')] }), false);
    assert.equal(store.receive({ type: 'actions', seq: 5, actions: [chunk('a')] }), true);
  });

  it('draws once per frame, and only what changed', () => {
    const { store, drawn, frames, watch, send, frame } = setUp();
    store.receive({ type: 'snapshot', seq: 0, key: 'k', state: emptySession('a'), draft });
    send(chunk('a'), { type: 'promptSubmitted', blocks: [{ type: 'text', text: 'q' }], at: 1 }, chunk('b'));
    frame();
    const [first, , last] = store.state.entries;
    for (const part of ['entries', 'plan', `entry:${first?.id ?? 0}`, `entry:${last?.id ?? 0}`] as const)
      watch(part);
    drawn.length = 0;
    send(chunk('c'));
    send(chunk('d'));
    assert.equal(frames.length, 1);
    frame();
    assert.deepEqual(drawn, [`entry:${last?.id ?? 0}`]);
  });

  it('tells of questions when a card with one changes', () => {
    const { store, drawn, watch, send, frame } = setUp();
    store.receive({ type: 'snapshot', seq: 0, key: 'k', state: emptySession('a'), draft });
    frame();
    watch('permissions');
    drawn.length = 0;
    send({ type: 'permissionRequested', requestId: 'p', patch: { toolCallId: 't' }, options: [], at: 1 });
    frame();
    assert.deepEqual(drawn, ['permissions']);
  });

  it('draws everything again when the conversation is another one, though ids are the same', () => {
    const { store, drawn, watch, send, frame } = setUp();
    store.receive({ type: 'snapshot', seq: 0, key: 'k', state: emptySession('a'), draft });
    send(chunk('a'));
    frame();
    watch('entry:1');
    const { epoch } = store;
    drawn.length = 0;
    store.receive({ type: 'snapshot', seq: 1, key: 'other', state: emptySession('a'), draft });
    send(chunk('other'));
    frame();
    assert.notEqual(store.epoch, epoch);
    assert.deepEqual(drawn, ['entry:1']);
    assert.equal(store.entry(1)?.kind, 'agent');
  });
});
