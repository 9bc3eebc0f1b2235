import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, symlinkSync, unlinkSync, utimesSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { BaselineTaker } from '../../../src/host/review/takeBaselines';
import { Copies } from '../../../src/host/review/copies';
import { TrackedFolder } from './trackedFolder';

describe('The changes of a turn in a folder without git', () => {
  let folder: TrackedFolder;
  beforeEach(() => (folder = new TrackedFolder()));
  afterEach(() => folder.end());

  it('has the earlier text of changed, deleted and made files', async () => {
    folder.write('a.txt', 'one\n');
    folder.write('deep/gone.txt', 'gone\n');
    folder.write('same.txt', 'same\n');
    const files = await folder.turn(() => {
      folder.write('a.txt', 'two\n');
      folder.remove('deep');
      folder.write('made/new.txt', 'made\n');
      utimesSync(folder.path('same.txt'), 5, 5);
    });
    assert.deepEqual(await folder.told(files), [
      'a.txt: one\n → two\n',
      'deep/gone.txt: gone\n → absent',
      'made/new.txt: absent → made\n',
    ]);
  });

  it('has the text of each turn, where a file is written again at once', async () => {
    folder.write('a.txt', '1\n');
    const told: string[] = [];
    for (const text of ['2\n', '3\n', '4\n'])
      told.push(...(await folder.told(await folder.turn(() => folder.write('a.txt', text)))));
    assert.deepEqual(told, ['a.txt: 1\n → 2\n', 'a.txt: 2\n → 3\n', 'a.txt: 3\n → 4\n']);
  });

  it('tells that the text of large and of binary files is unknown, and lists none that is as it was', async () => {
    folder.write('large.txt', Buffer.alloc(2 << 20, 'a'));
    folder.write('large-same.txt', Buffer.alloc(2 << 20, 'a'));
    folder.write('image.bin', Buffer.from([1, 0, 2]));
    folder.write('image-gone.bin', Buffer.from([1, 0, 2]));
    const files = await folder.turn(() => {
      appendFileSync(folder.path('large.txt'), 'b');
      folder.write('image.bin', Buffer.from([1, 0, 3]));
      folder.remove('image-gone.bin');
    });
    const told = (await folder.told(files)).map((line) => line.slice(0, 30));
    assert.deepEqual(
      told.map((line) => line.replace(/a{2,}/, '')),
      ['image-gone.bin: unknown → abse', 'image.bin: unknown → \x01\0\x03', 'large.txt: unknown → '],
    );
  });

  it('leaves out installed packages, unless a tool call names a file of them', async () => {
    folder.write('node_modules/p/index.js', 'one\n');
    folder.write('node_modules/p/other.js', 'one\n');
    await folder.begin();
    folder.tracker.mentioned('key', folder.path('node_modules/p/index.js'));
    await folder.tracker.settled();
    folder.write('node_modules/p/index.js', 'two\n');
    folder.write('node_modules/p/other.js', 'two\n');
    await folder.tracker.end('key');
    assert.deepEqual(await folder.told(await folder.changesOf()), ['node_modules/p/index.js: one\n → two\n']);
  });

  it('keeps a large file that a tool call named before it was changed', async () => {
    folder.write('large.txt', 'a'.repeat(2 << 20));
    await folder.begin();
    folder.tracker.mentioned('key', folder.path('large.txt'));
    await folder.tracker.settled();
    folder.write('large.txt', 'small\n');
    await folder.tracker.end('key');
    const [file] = await folder.changesOf();
    assert.equal(await folder.text(file?.before ?? 'unknown'), 'a'.repeat(2 << 20));
  });

  it('does not take a file for a new one where a link was', async () => {
    folder.write('target.txt', 'target\n');
    symlinkSync(folder.path('target.txt'), folder.path('link.txt'));
    mkdirSync(folder.path('dir'));
    symlinkSync(folder.path('dir'), folder.path('dirlink'));
    const files = await folder.turn(() => {
      unlinkSync(folder.path('link.txt'));
      folder.write('link.txt', 'file\n');
      unlinkSync(folder.path('dirlink'));
      folder.write('dirlink/a.txt', 'file\n');
    });
    assert.deepEqual(files, []);
  });

  it('uses git for the repositories in the folder', async () => {
    folder.write('repo/a.txt', 'one\n');
    execFileSync('git', ['init', '-q', folder.path('repo')]);
    execFileSync('git', ['-C', folder.path('repo'), 'add', '-A']);
    folder.write('repo/.gitignore', 'out/\n');
    const files = await folder.turn(() => {
      folder.write('repo/a.txt', 'two\n');
      folder.write('repo/out/a.js', 'built\n');
      folder.write('b.txt', 'made\n');
      execFileSync('git', ['init', '-q', folder.path('made')]);
      folder.write('made/a.txt', 'made\n');
    });
    assert.deepEqual(await folder.told(files), [
      'b.txt: absent → made\n',
      'made/a.txt: absent → made\n',
      'repo/a.txt: one\n → two\n',
    ]);
  });

  it('copies where git is not installed', async () => {
    await folder.end();
    folder = new TrackedFolder({ environment: () => Promise.resolve({ PATH: '/nowhere' }) });
    folder.write('a.txt', 'one\n');
    folder.commitAll();
    const files = await folder.turn(() => folder.write('a.txt', 'two\n'));
    assert.deepEqual(await folder.told(files), ['a.txt: one\n → two\n']);
  });

  it('reads in the next turn only what was written since', async () => {
    for (let n = 0; n < 10; n++) folder.write(`${n}.txt`, `text ${n}\n`);
    const now = Date.now() + 60_000;
    const copies = new Copies({ folder: join(folder.home, 'copies'), now: () => now });
    const paths = Array.from({ length: 10 }, (_, n) => folder.path(`${n}.txt`));
    const rules = { maxFile: 1_000, textOnly: true };
    const { signal } = new AbortController();
    const first = await copies.take(paths, rules, signal);
    folder.write('3.txt', 'other\n');
    const second = await copies.take(paths, rules, signal);
    const same = paths.filter((path) => first.files.get(path) === second.files.get(path));
    assert.deepEqual(
      same,
      paths.filter((path) => !path.endsWith('3.txt')),
    );
    await Promise.all([first.release(), second.release(), copies.dispose()]);
  });

  it('keeps no more than the limits, and gives the rest without bytes', async () => {
    const paths = Array.from({ length: 6 }, (_, n) => folder.write(`${n}.txt`, 'x'.repeat(100)));
    const options = { folder: join(folder.home, 'copies'), now: () => 0, maxTotal: 250, maxFiles: 4 };
    const copies = new Copies(options);
    const rules = { maxFile: 1_000, textOnly: true };
    const taken = await copies.take(paths, rules, new AbortController().signal);
    const withBytes = [...taken.files.values()].filter((file) => file !== 'absent' && file.place);
    assert.equal(taken.files.size, 4);
    assert.equal(withBytes.length, 2);
    await Promise.all([taken.release(), copies.dispose()]);
  });

  it('gives up at once when the time is over', async () => {
    folder.write('a.txt', 'one\n');
    const taker = new BaselineTaker({
      git: { run: () => Promise.resolve(undefined), names: () => Promise.resolve(undefined) } as never,
      storage: join(folder.home, 'baselines'),
      now: Date.now,
      log: (line) => folder.log.push(line),
    });
    const [baseline] = await taker.take(folder.root, AbortSignal.abort());
    const path = folder.path('a.txt');
    assert.deepEqual((await baseline?.earlier([path]))?.get(path), { kind: 'unknown' });
    await baseline?.dispose();
    await taker.dispose();
  });
});
