import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/core/emitter';
import type { ChangeRecords, TurnRecord } from '../../../../src/host/review/changeRecords';
import { PendingIndex } from '../../../../src/host/review/pendingIndex';

const turn = (...paths: string[]): TurnRecord => ({
  number: 1,
  files: paths.map((path) => ({
    path,
    before: { hash: 'a' },
    after: { hash: 'b' },
    base: { hash: 'a' },
    binary: false,
    shared: false,
  })),
});

/** Records in memory, and the sessions that are open. */
class Window {
  readonly turns = new Map<string, TurnRecord[]>();
  keys: string[] = [];
  changes = 0;
  readonly recordsChanged = new Emitter<string>();
  readonly keysChanged = new Emitter<void>();
  readonly index: PendingIndex;

  constructor(...keys: string[]) {
    this.keys = keys;
    const records: ChangeRecords = {
      onDidChange: this.recordsChanged.event,
      turns: (key) => Promise.resolve(this.turns.get(key) ?? []),
      set: () => assert.fail('not expected'),
      update: () => assert.fail('not expected'),
    };
    this.index = new PendingIndex({
      records,
      keys: () => this.keys,
      onDidChangeKeys: this.keysChanged.event,
    });
    this.index.onDidChange(() => this.changes++);
  }

  /** What the records say is read. */
  async set(key: string, ...turns: TurnRecord[]): Promise<void> {
    this.turns.set(key, turns);
    this.recordsChanged.fire(key);
    await new Promise(setImmediate);
  }

  async open(...keys: string[]): Promise<void> {
    this.keys = keys;
    this.keysChanged.fire();
    await new Promise(setImmediate);
  }

  found(): string[] {
    return this.index.files().map(({ key, path }) => `${key}:${path}`);
  }
}

describe('the files that wait for a review', () => {
  it('are those of the open sessions, each once, by the first session that changed it', async () => {
    const window = new Window('shown', 'other');
    await window.set('other', turn('/a', '/b'));
    await window.set('shown', turn('/b', '/c'));
    await window.set('closed', turn('/d'));
    assert.deepEqual(window.found(), ['shown:/b', 'shown:/c', 'other:/a']);
    assert.equal(window.index.find('/b')?.key, 'shown');
    assert.equal(window.index.find('/d'), undefined);
  });

  it('follow the sessions that are opened, shown and closed', async () => {
    const window = new Window('one');
    await window.set('one', turn('/a'));
    window.turns.set('two', [turn('/a', '/b')]);
    await window.open('two', 'one');
    assert.deepEqual(window.found(), ['two:/a', 'two:/b']);
    await window.open('one');
    assert.deepEqual(window.found(), ['one:/a']);
    await window.open();
    assert.deepEqual(window.found(), []);
  });

  it('are not read anew when only the state of a session changes', async () => {
    const window = new Window('one');
    await window.set('one', turn('/a'));
    const { changes } = window;
    await window.open('one');
    assert.equal(window.changes, changes);
  });

  it('are none after the end', async () => {
    const window = new Window('one');
    window.index.dispose();
    await window.set('one', turn('/a'));
    assert.deepEqual(window.found(), []);
  });
});
