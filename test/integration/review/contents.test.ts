import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileChange, Version } from '../../../src/host/review/changeRecords';
import { ContentStore } from '../../../src/host/review/contents';
import { SessionRecords } from '../../../src/host/review/sessionRecords';

const DAY = 24 * 60 * 60 * 1000;

describe('The earlier texts on disk', () => {
  let folder: string;
  let now: number;
  let needed: Set<string>;
  const log: string[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-contents-'));
    now = Date.now();
    needed = new Set();
    log.length = 0;
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const open = (maxBytes?: number): ContentStore =>
    new ContentStore({
      folder,
      references: () => Promise.resolve(needed),
      log: (line) => log.push(line),
      now: () => now,
      ...(maxBytes === undefined ? {} : { maxBytes }),
    });
  const put = async (store: Pick<ContentStore, 'put'>, text: string): Promise<{ hash: string }> => {
    const version = await store.put(Buffer.from(text));
    return typeof version === 'object' ? version : assert.fail(`${text} is ${version}`);
  };
  const get = async (store: ContentStore, version: { hash: string }): Promise<string | undefined> => {
    const bytes = await store.get(version);
    return bytes && Buffer.from(bytes).toString();
  };

  it('are kept once each, and are there after a reload', async () => {
    const store = open();
    const [one, again, empty] = await Promise.all([put(store, 'one'), put(store, 'one'), put(store, '')]);
    assert.deepEqual(one, again);
    assert.equal(readdirSync(folder).length, 2);
    assert.equal(await get(open(), one), 'one');
    assert.equal(await get(open(), empty), '');
  });

  it('are undefined where a file is gone, cut or broken, and are kept anew', async () => {
    const store = open();
    const [gone, cut, broken] = [
      await put(store, 'gone'),
      await put(store, 'cut'),
      await put(store, 'broken'),
    ];
    rmSync(join(folder, gone.hash));
    writeFileSync(join(folder, cut.hash), '');
    writeFileSync(join(folder, broken.hash), 'BROKEN');
    for (const version of [gone, cut, broken]) assert.equal(await store.get(version), undefined);
    assert.equal(await store.get({ hash: '../../secret' }), undefined);
    assert.equal(await get(store, await put(store, 'gone')), 'gone');
    assert.equal(await get(store, await put(store, 'cut')), 'cut');
  });

  it('are unknown beyond 8 MB, and where the disk takes nothing', async () => {
    assert.equal(await open().put(Buffer.alloc((8 << 20) + 1)), 'unknown');
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'a file');
    assert.equal(await open().put(Buffer.from('x')), 'unknown');
    assert.equal(log.length, 1);
  });

  it('make room: first what no record names, then the oldest', async () => {
    const store = open(100);
    const old = await put(store, 'a'.repeat(30));
    const unnamed = await put(store, 'b'.repeat(30));
    const young = await put(store, 'c'.repeat(30));
    needed = new Set([old.hash, young.hash]);
    now += 120_000;
    await put(store, 'd'.repeat(30));
    assert.deepEqual([await get(store, unnamed), await get(store, old)], [undefined, 'a'.repeat(30)]);
    now += 1;
    await put(store, 'e'.repeat(30));
    assert.deepEqual([await get(store, old), await get(store, young)], [undefined, 'c'.repeat(30)]);
  });

  it('are at hand without the disk while a turn needs them, unless they are large', async () => {
    const store = open();
    const holder = store.hold();
    const [small, large] = [await put(holder, 'small'), await put(holder, 'l'.repeat(1 << 20))];
    for (const { hash } of [small, large]) rmSync(join(folder, hash));
    assert.deepEqual([await get(store, small), await get(store, large)], ['small', undefined]);
    holder.release();
    assert.equal(await get(store, small), undefined);
  });

  it('do not go while a turn needs them; what finds no room is unknown', async () => {
    const store = open(100);
    const holder = store.hold();
    const held = await put(holder, 'a'.repeat(90));
    now += 120_000;
    assert.equal(await store.put(Buffer.from('b'.repeat(30))), 'unknown');
    holder.release();
    const version: Version = await store.put(Buffer.from('b'.repeat(30)));
    assert.notEqual(version, 'unknown');
    assert.equal(await get(store, held), undefined);
  });

  it('are cleaned up: at once those of a session that goes, the rest after a day', async () => {
    const store = open();
    const [named, ofSession, left] = [await put(store, 'a'), await put(store, 'b'), await put(store, 'c')];
    needed = new Set([named.hash]);
    await store.clean(new Set([named.hash, ofSession.hash]));
    assert.deepEqual(
      [await get(store, named), await get(store, ofSession), await get(store, left)],
      ['a', undefined, 'c'],
    );
    now += 2 * DAY;
    await open().clean();
    assert.deepEqual([await get(store, named), await get(store, left)], ['a', undefined]);
  });

  it('leave no unfinished files for good', async () => {
    const unfinished = join(folder, 'x.tmp');
    writeFileSync(unfinished, '');
    utimesSync(unfinished, (now - 2 * DAY) / 1000, (now - 2 * DAY) / 1000);
    await put(open(), 'a');
    assert.equal(readdirSync(folder).length, 1);
  });
});

describe('The records of turns on disk', () => {
  let folder: string;
  const log: string[] = [];
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'parley-records-')), 'records');
    log.length = 0;
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const open = (now = Date.now()): SessionRecords =>
    new SessionRecords({ folder, log: (line) => log.push(line), now: () => now });
  const change = (path: string, hash: string): FileChange => ({
    path,
    before: 'absent',
    after: { hash },
    base: 'unknown',
    binary: false,
    shared: true,
  });

  it('are there after a reload, with what was undone', async () => {
    const records = open();
    const turns = [
      { number: 1, files: [change('/a', 'h1')] },
      {
        number: 2,
        files: [],
        undo: [{ path: '/a', from: { hash: 'h2' }, to: 'absent' as const }],
        undoOrder: 3,
      },
    ];
    await records.set('key', turns);
    await records.flush();
    assert.deepEqual(await open().turns('key'), turns);
    assert.deepEqual([...(await open().references())].sort(), ['h1', 'h2']);
  });

  it('tell when they are others, and lose no update that comes meanwhile', async () => {
    const records = open();
    const told: string[] = [];
    records.onDidChange((key) => told.push(key));
    const add = (number: number) =>
      records.update('key', (turns) => [...turns, { number, files: [change('/a', `h${number}`)] }]);
    await Promise.all([add(1), add(2), add(3)]);
    assert.deepEqual(
      (await records.turns('key')).map(({ number }) => number),
      [1, 2, 3],
    );
    assert.deepEqual(told, ['key', 'key', 'key']);
    await records.flush();
  });

  it('are none where the file is broken; what is no turn in it is left out', async () => {
    const records = open();
    await records.set('one', [{ number: 1, files: [change('/a', 'h')] }]);
    await records.flush();
    writeFileSync(join(folder, 'broken.json'), '[{');
    writeFileSync(join(folder, 'odd.json'), '[1,{"number":2,"files":[{"path":3},{"path":"/b"}]}]');
    assert.deepEqual(await open().turns('broken'), []);
    assert.equal(log.length, 1, log.join('\n'));
    const [turn] = await open().turns('odd');
    assert.deepEqual(turn?.files, [
      { path: '/b', before: 'unknown', after: 'unknown', base: 'unknown', binary: false, shared: false },
    ]);
    assert.deepEqual(await open().turns('../one'), []);
  });

  it('go with their session; those of sessions that are no more go after a day', async () => {
    const records = open();
    for (const key of ['one', 'two', 'three'])
      await records.set(key, [{ number: 1, files: [change('/a', key)] }]);
    assert.deepEqual([...(await records.remove('one'))], ['one']);
    await records.flush();
    assert.deepEqual(readdirSync(folder).sort(), ['three.json', 'two.json']);
    await open().prune(['two']);
    assert.equal(readdirSync(folder).length, 2);
    await open(Date.now() + 2 * DAY).prune(['two']);
    assert.deepEqual(readdirSync(folder), ['two.json']);
  });
});
