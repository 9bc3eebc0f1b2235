import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { ChangedFileView } from '../../../src/core/review/changes';
import { ChangeViews } from '../../../src/host/review/changeViews';
import { SessionStore } from '../../../src/host/session/sessionStore';
import { until } from '../../vscode/until';
import { TrackedFolder } from './trackedFolder';

describe('The list of changed files', () => {
  let folder: TrackedFolder;
  let views: ChangeViews;
  let store: SessionStore;
  let counted: number;
  let open: boolean;
  beforeEach(() => {
    folder = new TrackedFolder();
    folder.write('a.txt', 'one\ntwo\n');
    folder.write('src/b.txt', 'b\n');
    folder.commitAll();
    counted = 0;
    open = true;
    store = new SessionStore('agent');
    store.dispatch({ type: 'sessionOpened', sessionId: 's', cwd: folder.root, config: [], fresh: true });
    views = build();
  });
  afterEach(async () => {
    views.dispose();
    await folder.end();
  });

  const build = (): ChangeViews =>
    new ChangeViews({
      records: folder.tracker.records,
      contents: folder.tracker.contents,
      countChanges: (before, after) => {
        counted++;
        const lines = (bytes: Uint8Array): number => Buffer.from(bytes).toString().split('\n').length - 1;
        return Promise.resolve({ added: lines(after), removed: lines(before), binary: after.includes(0) });
      },
      session: () => (open ? store : undefined),
      log: (line) => folder.log.push(line),
    });
  const told = (rows: readonly ChangedFileView[] = []): string[] =>
    rows.map(({ name, change, added, removed, special, shared }) =>
      [name, change, `+${added}`, `-${removed}`, special, shared && 'shared'].filter(Boolean).join(' '),
    );
  /** What is shown when the list has as many rows for the session. */
  const shown = async (rows: number) => {
    await until(`${rows} rows`, () => store.state.changes.session.length === rows || undefined);
    const { turn, session } = store.state.changes;
    return { number: turn?.number, turn: told(turn?.files), session: told(session), undone: turn?.undone };
  };

  it('has the newest turn and all turns together', async () => {
    await folder.turn(() => {
      folder.write('a.txt', '1\n');
      folder.write('new.txt', 'new\n');
      folder.remove('src/b.txt');
    });
    await folder.turn(() => folder.write('a.txt', '1\n2\n3\n'));
    await views.show('key');
    assert.deepEqual(await shown(3), {
      number: 2,
      turn: ['a.txt modified +3 -1'],
      session: ['a.txt modified +3 -2', 'new.txt added +1 -0', 'src/b.txt deleted +0 -1'],
      undone: false,
    });
    assert.deepEqual(folder.log, []);
  });

  it('counts a file again only when it is another one', async () => {
    await folder.turn(() => {
      folder.write('a.txt', '1\n');
      folder.write('new.txt', 'new\n');
    });
    await views.show('key');
    await shown(2);
    const before = counted;
    await folder.turn(() => folder.write('third.txt', 'x\n'));
    await views.show('key');
    await shown(3);
    assert.equal(counted - before, 1);
  });

  it('leaves out what was kept, and what has its earlier text again', async () => {
    await folder.turn(() => folder.write('a.txt', '1\n'));
    await folder.turn(() => {
      folder.write('a.txt', 'one\ntwo\n');
      folder.write('src/b.txt', 'changed\n');
    });
    await views.show('key');
    assert.deepEqual((await shown(1)).session, ['src/b.txt modified +1 -1']);
    const turns = await folder.records();
    await folder.tracker.records.set(
      'key',
      turns.map((turn) => ({ ...turn, files: turn.files.map((file) => ({ ...file, base: file.after })) })),
    );
    assert.deepEqual(await shown(0), { number: 2, turn: [], session: [], undone: false });
  });

  it('says what is binary, unknown, shared or undone', async () => {
    await folder.turn(() => {
      folder.write('image.bin', Buffer.from([1, 0]));
      folder.write('huge.txt', Buffer.alloc(9 << 20));
    });
    await folder.tracker.records.update('key', (turns) =>
      turns.map((turn) => ({ ...turn, files: turn.files.map((file) => ({ ...file, shared: true })) })),
    );
    await views.show('key');
    assert.deepEqual((await shown(2)).session, [
      'huge.txt added +0 -0 unknown shared',
      'image.bin added +0 -0 binary shared',
    ]);
    await folder.tracker.records.update('key', (turns) => turns.map((turn) => ({ ...turn, undo: [] })));
    const { turn, undone, session } = await shown(0);
    assert.deepEqual([turn.length, undone, session], [2, true, []]);
  });

  it('is made for a session that is opened, and not for one that is not open', async () => {
    open = false;
    await folder.turn(() => folder.write('a.txt', '1\n'));
    await views.show('key');
    assert.equal(counted, 0);
    await folder.tracker.flush();
    folder.build();
    views.dispose();
    views = build();
    open = true;
    await views.show('key');
    assert.deepEqual((await shown(1)).session, ['a.txt modified +1 -2']);
  });

  it('is not made anew for each of many files that change at once', async () => {
    await folder.turn(() => folder.write('a.txt', '1\n'));
    await views.show('key');
    let actions = 0;
    store.onDidDispatch(() => actions++);
    for (let number = 0; number < 50; number++) {
      const [turn] = await folder.records();
      const [file] = turn?.files ?? [];
      const files = file ? [{ ...file, path: folder.path(`${number}.txt`) }] : [];
      await folder.tracker.records.update('key', (turns) =>
        turns.map((known) => ({ ...known, files: [...known.files, ...files] })),
      );
      await setImmediate();
    }
    assert.ok(actions < 25, `${actions} lists`);
    await shown(51);
  });

  it('does not tell the page what it has already', async () => {
    await folder.turn(() => folder.write('a.txt', '1\n'));
    await views.show('key');
    let actions = 0;
    store.onDidDispatch(() => actions++);
    await views.show('key');
    assert.equal(actions, 0);
  });
});
