import assert from 'node:assert/strict';
import { emptySession, type Entry } from '../../../src/core/session/state';
import { Find } from '../../../src/webview/find/find';
import { inSlices } from '../../../src/webview/find/slices';
import { createParser } from '../../../src/webview/markdown/parser';
import { Store } from '../../../src/webview/store';
import { until } from '../../vscode/until';

const say = (id: number, text: string): Entry => ({
  kind: 'agent',
  id,
  version: 1,
  turn: 1,
  blocks: [{ type: 'text', text }],
  startedAt: 0,
  lastAt: 0,
});

describe('work in slices', () => {
  const now = performance.now.bind(performance);
  beforeEach(() => {
    let time = 0;
    // Each look at the clock is 1 ms later.
    performance.now = () => time++;
  });
  afterEach(() => {
    performance.now = now;
  });

  it('pauses after a few ms, goes on by itself, and says when it is done', async () => {
    const slices: [number, boolean][] = [];
    let steps = 0;
    const work = function* (): Generator<void> {
      while (steps < 20) {
        steps++;
        yield;
      }
    };
    inSlices(work(), (done) => slices.push([steps, done]));
    assert.equal(slices.length, 1);
    assert.ok(steps < 10, `${steps} steps at once`);
    await until('the end', () => slices.at(-1)?.[1] || undefined, 5_000);
    assert.ok(slices.length >= 3);
    assert.deepEqual(slices.at(-1), [20, true]);
  });

  it('ends when it is stopped', async () => {
    let steps = 0;
    const work = function* (): Generator<void> {
      for (;;) {
        steps++;
        yield;
      }
    };
    const stop = inSlices(work(), () => undefined);
    await until('a second slice', () => steps > 10 || undefined, 5_000);
    stop();
    const before = steps;
    await new Promise((resolve) => setTimeout(resolve));
    await new Promise((resolve) => setTimeout(resolve));
    assert.equal(steps, before);
  });

  it('leads to the first match before a long conversation has been looked through, and keeps the one that was gone to', async () => {
    const state = emptySession('a');
    state.entries = Array.from({ length: 200 }, (_, i) => say(i + 1, `a needle ${i}`));
    const store = new Store((run) => run());
    store.receive({ type: 'snapshot', seq: 0, key: 'k', state, draft: { text: '', attachments: [] } });
    const find = new Find(store, createParser());
    find.open.value = true;
    find.setQuery('needle');
    const first = find.result.peek();
    assert.deepEqual([first.current, first.settled], [0, false]);
    assert.ok(first.matches.length < 50);
    assert.equal(find.led.peek(), 1);
    find.go(1);
    // What arrives meanwhile is counted afterwards.
    find.refresh();
    await until('the count', () => find.result.peek().settled || undefined, 5_000);
    assert.deepEqual([find.result.peek().matches.length, find.result.peek().current], [200, 1]);
    find.setQuery('needle 19');
    find.setQuery('nothing');
    assert.deepEqual([find.result.peek().matches.length, find.result.peek().settled], [0, false]);
    await until('the count', () => find.result.peek().settled || undefined, 5_000);
    assert.equal(find.result.peek().matches.length, 0);
  });
});
