import assert from 'node:assert/strict';
import { Persisted } from '../../../src/webview/persisted';

function host(state: unknown): {
  saved: unknown;
  getState: () => unknown;
  setState: (state: unknown) => void;
  postMessage: () => void;
} {
  const it = {
    saved: state,
    getState: () => it.saved,
    setState: (next: unknown) => void (it.saved = next),
    postMessage: () => undefined,
  };
  return it;
}

describe('what the page keeps', () => {
  it('is the place in each conversation, as an entry and where it was', () => {
    const vscode = host(undefined);
    const first = new Persisted(vscode);
    first.enter('a', 'Built-in');
    first.place = { id: 7, offset: -12 };
    first.enter('b', 'Built-in');
    assert.equal(first.place, null);
    first.setOpen('tool:1', true);
    const next = new Persisted(vscode);
    next.enter('a', 'Built-in');
    assert.deepEqual(next.place, { id: 7, offset: -12 });
    next.place = null;
    const last = new Persisted(vscode);
    last.enter('a', 'Built-in');
    assert.equal(last.place, null);
    last.enter('b', 'Built-in');
    assert.equal(last.isOpen('tool:1'), true);
  });

  it('takes what an earlier version kept, and anything else, for the end of the conversation', () => {
    for (const place of [undefined, null, 5, { id: 'x', offset: 1 }, { id: 3 }]) {
      const kept = new Persisted(
        host({ sessions: [{ key: 'a', scrollTop: 120, place, toggled: { t: true } }] }),
      );
      kept.enter('a', 'Built-in');
      assert.equal(kept.place, null);
      assert.equal(kept.isOpen('t'), true);
    }
  });
});
