import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { TrackedFolder } from './trackedFolder';

describe('The changes of a turn in a git work tree', () => {
  let folder: TrackedFolder;
  beforeEach(() => (folder = new TrackedFolder()));
  afterEach(() => folder.end());

  it('has the committed text of a file that was clean', async () => {
    folder.write('a.txt', 'one\n');
    folder.write('b.txt', 'other\n');
    folder.commitAll();
    const files = await folder.turn(() => folder.write('a.txt', 'two\n'));
    assert.deepEqual(await folder.told(files), ['a.txt: one\n → two\n']);
    assert.deepEqual(files[0]?.base, files[0]?.before);
    assert.equal(files[0]?.binary, false);
  });

  it('has the text that the person had not committed, and of a file that git does not know', async () => {
    folder.write('a.txt', 'one\n');
    folder.commitAll();
    folder.write('a.txt', 'uncommitted\n');
    folder.write('new.txt', 'untracked\n');
    const files = await folder.turn(() => {
      folder.write('a.txt', 'two\n');
      folder.write('new.txt', 'changed\n');
    });
    assert.deepEqual(await folder.told(files), [
      'a.txt: uncommitted\n → two\n',
      'new.txt: untracked\n → changed\n',
    ]);
  });

  it('does not list what was changed before the turn and not in it', async () => {
    folder.write('a.txt', 'one\n');
    folder.commitAll();
    folder.write('a.txt', 'uncommitted\n');
    folder.write('new.txt', 'untracked\n');
    folder.git('add', 'a.txt');
    assert.deepEqual(await folder.turn(() => undefined), []);
    assert.deepEqual(await folder.records(), []);
  });

  it('has the earlier text of what the agent staged or committed', async () => {
    folder.write('staged.txt', 'one\n');
    folder.write('committed.txt', 'one\n');
    folder.commitAll();
    const files = await folder.turn(() => {
      folder.write('committed.txt', 'two\n');
      folder.write('made.txt', 'made\n');
      folder.git('add', '-A');
      folder.git('commit', '-q', '-m', 'By the agent');
      folder.write('staged.txt', 'two\n');
      folder.git('add', '-A');
    });
    assert.deepEqual(await folder.told(files), [
      'committed.txt: one\n → two\n',
      'made.txt: absent → made\n',
      'staged.txt: one\n → two\n',
    ]);
  });

  it('has made, deleted and renamed files, in a folder that is deleted too', async () => {
    folder.write('gone.txt', 'gone\n');
    folder.write('old.txt', 'moved\n');
    folder.write('deep/er/file.txt', 'deep\n');
    folder.commitAll();
    folder.write('deep/untracked.txt', 'untracked\n');
    const files = await folder.turn(() => {
      folder.remove('gone.txt');
      folder.remove('deep');
      renameSync(folder.path('old.txt'), folder.path('new.txt'));
      folder.write('made/it.txt', 'made\n');
    });
    assert.deepEqual(await folder.told(files), [
      'deep/er/file.txt: deep\n → absent',
      'deep/untracked.txt: untracked\n → absent',
      'gone.txt: gone\n → absent',
      'made/it.txt: absent → made\n',
      'new.txt: absent → moved\n',
      'old.txt: moved\n → absent',
    ]);
  });

  it('has a change of the same size in the same instant', async () => {
    folder.write('a.txt', 'one\n');
    folder.commitAll();
    const files = await folder.turn(() => folder.write('a.txt', 'two\n'));
    const again = await folder.turn(() => folder.write('a.txt', 'six\n'));
    const third = await folder.turn(() => folder.write('a.txt', 'ten\n'));
    assert.deepEqual(await folder.told([...files, ...again, ...third]), [
      'a.txt: one\n → two\n',
      'a.txt: six\n → ten\n',
      'a.txt: two\n → six\n',
    ]);
  });

  it('looks into a file that was written when the index was, as its times tell nothing', async () => {
    const write = (text: string): void => utimesSync(folder.write('a.txt', text), 1_000, 1_000);
    write('one\n');
    folder.commitAll();
    folder.git('config', 'core.trustctime', 'false');
    write('two\n');
    utimesSync(folder.path('.git/index'), 1_000, 1_000);
    const files = await folder.turn(() => folder.write('a.txt', 'six\n'));
    assert.deepEqual(await folder.told(files), ['a.txt: two\n → six\n']);
  });

  it('drops a file that has its earlier bytes again, and one that was only touched', async () => {
    folder.write('a.txt', 'one\n');
    folder.write('b.txt', 'one\n');
    folder.commitAll();
    await folder.begin();
    folder.write('a.txt', 'two\n');
    utimesSync(folder.path('b.txt'), 5, 5);
    folder.folders.tellChanged(folder.path('a.txt'));
    folder.write('a.txt', 'one\n');
    await folder.tracker.end('key');
    assert.deepEqual(await folder.records(), []);
  });

  it('leaves out what git ignores, even when the rules change in the turn', async () => {
    folder.write('.gitignore', 'out/\n*.log\n.env\n');
    folder.commitAll();
    folder.write('.env', 'SECRET=1\n');
    folder.write('logs/a.log', 'log\n');
    const files = await folder.turn(() => {
      folder.write('out/a.js', 'built\n');
      folder.write('b.log', 'log\n');
      folder.write('logs/made.txt', 'made\n');
      folder.write('.gitignore', 'out/\n*.log\n');
    });
    assert.deepEqual(await folder.told(files), [
      '.gitignore: out/\n*.log\n.env\n → out/\n*.log\n',
      'logs/made.txt: absent → made\n',
    ]);
  });

  it('tracks an ignored file that a tool call named before it was changed', async () => {
    folder.write('.gitignore', '.env\n*.log\n');
    folder.commitAll();
    folder.write('.env', 'A=1\n');
    await folder.begin();
    folder.tracker.mentioned('key', folder.path('.env'));
    folder.tracker.mentioned('key', folder.path('made.log'));
    folder.tracker.mentioned('key', '/etc/hostname');
    await folder.tracker.settled();
    folder.write('.env', 'A=2\n');
    folder.write('made.log', 'made\n');
    await folder.tracker.end('key');
    assert.deepEqual(await folder.told(await folder.changesOf()), [
      '.env: A=1\n → A=2\n',
      'made.log: absent → made\n',
    ]);
  });

  it('gives a checked-out file its line ends back, whatever the settings say', async () => {
    folder.write('.gitattributes', 'crlf.txt text eol=crlf\n');
    folder.write('crlf.txt', 'one\r\ntwo\r\n');
    folder.write('lf.txt', 'one\ntwo\n');
    folder.commitAll();
    folder.git('config', 'core.autocrlf', 'true');
    const files = await folder.turn(() => {
      folder.write('crlf.txt', 'x\r\n');
      folder.write('lf.txt', 'x\n');
      folder.write('.gitattributes', '* -text\n');
    });
    assert.deepEqual((await folder.told(files)).slice(1), [
      'crlf.txt: one\r\ntwo\r\n → x\r\n',
      'lf.txt: one\ntwo\n → x\n',
    ]);
  });

  it('has the bytes of a file whose line ends are not those of the settings', async () => {
    folder.git('init', '-q');
    folder.git('config', 'core.autocrlf', 'true');
    folder.write('a.txt', 'one\r\ntwo\r\n');
    folder.git('add', '-A');
    folder.git('commit', '-q', '-m', 'All');
    // Clean for git, but not what it would check out.
    folder.write('a.txt', 'one\ntwo\n');
    const files = await folder.turn(() => folder.write('a.txt', 'x\n'));
    assert.deepEqual(await folder.told(files), ['a.txt: one\ntwo\n → x\n']);
  });

  it('gets the text through the filter of a file, and tells it is unknown where that fails', async () => {
    folder.write('.gitattributes', '*.up filter=up\n*.no filter=no\n');
    folder.git('init', '-q');
    folder.git('config', 'filter.up.clean', 'tr a-z A-Z');
    folder.git('config', 'filter.up.smudge', 'tr A-Z a-z');
    folder.git('config', 'filter.no.clean', 'cat');
    folder.git('config', 'filter.no.smudge', 'exit 1');
    folder.git('config', 'filter.no.required', 'true');
    folder.write('a.up', 'text\n');
    folder.write('a.no', 'text\n');
    folder.git('add', '-A');
    folder.git('commit', '-q', '-m', 'All');
    const files = await folder.turn(() => {
      folder.write('a.up', 'x\n');
      folder.write('a.no', 'x\n');
    });
    assert.deepEqual(await folder.told(files), ['a.no: unknown → x\n', 'a.up: text\n → x\n']);
  });

  it('keeps binary files and says so; the text of a huge one is unknown', async () => {
    folder.write('image.bin', Buffer.from([1, 0, 2]));
    folder.write('huge.txt', Buffer.alloc(9 << 20, 'a'));
    folder.write('huge-new.txt', 'x');
    folder.commitAll();
    folder.write('untracked.txt', Buffer.alloc(9 << 20, 'a'));
    folder.write('same.txt', Buffer.alloc(9 << 20, 'a'));
    const files = await folder.turn(() => {
      folder.write('image.bin', Buffer.from([1, 0, 3]));
      appendFileSync(folder.path('huge.txt'), 'b');
      appendFileSync(folder.path('untracked.txt'), 'b');
      folder.write('huge-new.txt', Buffer.alloc(9 << 20, 'a'));
    });
    assert.deepEqual(await folder.told(files), [
      'huge-new.txt: x → unknown',
      'huge.txt: unknown → unknown',
      'image.bin: \x01\0\x02 → \x01\0\x03',
      'untracked.txt: unknown → unknown',
    ]);
    assert.equal(files.find(({ path }) => path.endsWith('image.bin'))?.binary, true);
  });

  it('tracks repositories in the repository, and one that is made in the turn', async () => {
    folder.write('a.txt', 'one\n');
    folder.commitAll();
    const inner = folder.path('inner');
    folder.write('inner/tracked.txt', 'one\n');
    execFileSync('git', ['init', '-q', inner]);
    execFileSync('git', ['-C', inner, 'add', '-A']);
    folder.write('inner/untracked.txt', 'one\n');
    const files = await folder.turn(() => {
      folder.write('inner/tracked.txt', 'two\n');
      folder.write('inner/untracked.txt', 'two\n');
      execFileSync('git', ['init', '-q', folder.path('made')]);
      folder.write('made/a.txt', 'made\n');
    });
    assert.deepEqual(await folder.told(files), [
      'inner/tracked.txt: one\n → two\n',
      'inner/untracked.txt: one\n → two\n',
      'made/a.txt: absent → made\n',
    ]);
  });

  it('tracks a folder inside a work tree, and nothing beside it', async () => {
    folder.write('sub/a.txt', 'one\n');
    folder.write('beside.txt', 'one\n');
    folder.commitAll();
    await folder.begin('key', [folder.path('sub')]);
    folder.write('sub/a.txt', 'two\n');
    folder.write('sub/é b/new.txt', 'made\n');
    folder.write('beside.txt', 'two\n');
    await folder.tracker.end('key');
    assert.deepEqual(await folder.told(await folder.changesOf()), [
      'sub/a.txt: one\n → two\n',
      'sub/é b/new.txt: absent → made\n',
    ]);
  });

  it('copies the files of a folder that its work tree ignores', async () => {
    folder.write('.gitignore', 'scratch/\n');
    folder.commitAll();
    folder.write('scratch/a.txt', 'one\n', 'old');
    await folder.begin('key', [folder.path('scratch')]);
    folder.write('scratch/a.txt', 'two\n');
    await folder.tracker.end('key');
    assert.deepEqual(await folder.told(await folder.changesOf()), ['scratch/a.txt: one\n → two\n']);
  });

  it('does not follow links, in files or in folders', async () => {
    const outside = join(folder.home, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'a.txt'), 'outside\n');
    folder.write('dir/a.txt', 'one\n');
    symlinkSync(join(outside, 'a.txt'), folder.path('link.txt'));
    folder.commitAll();
    symlinkSync(join(outside, 'a.txt'), folder.path('untracked-link.txt'));
    const files = await folder.turn(() => {
      writeFileSync(join(outside, 'a.txt'), 'changed outside\n');
      folder.remove('dir');
      symlinkSync(outside, folder.path('dir'));
      unlinkSync(folder.path('link.txt'));
      folder.write('link.txt', 'no link any more\n');
    });
    assert.deepEqual(await folder.told(files), ['dir/a.txt: one\n → absent']);
  });

  it('knows a root by the name that the session has for it', async () => {
    folder.write('a.txt', 'one\n');
    folder.commitAll();
    const link = join(folder.home, 'link');
    symlinkSync(folder.root, link);
    await folder.begin('key', [link]);
    folder.write('a.txt', 'two\n');
    await folder.tracker.end('key');
    assert.deepEqual(
      (await folder.changesOf()).map(({ path }) => path),
      [join(link, 'a.txt')],
    );
  });

  it('runs no hook and no monitor of the repository, and leaves its index alone', async () => {
    folder.write('a.txt', 'one\n');
    folder.commitAll();
    const trap = folder.write('.git/trap', `#!/bin/sh\ntouch '${folder.home}/sprung'\n`);
    execFileSync('chmod', ['+x', trap]);
    for (const hook of ['post-index-change', 'pre-commit']) {
      mkdirSync(folder.path('.git/hooks'), { recursive: true });
      execFileSync('cp', [trap, folder.path(`.git/hooks/${hook}`)]);
    }
    folder.git('config', 'core.fsmonitor', trap);
    const before = folder.read('.git/index');
    utimesSync(folder.path('a.txt'), 5, 5);
    const files = await folder.turn(() => folder.write('a.txt', 'two\n'));
    assert.equal(files.length, 1);
    assert.equal(folder.read('.git/index'), before);
    assert.throws(() => execFileSync('ls', [join(folder.home, 'sprung')], { stdio: 'pipe' }));
  });

  it('begins quickly with 2,000 files, and finds 200 changes', async () => {
    for (let n = 0; n < 2_000; n++) folder.write(`src/${n % 50}/${n}.txt`, `file ${n}\n`.repeat(20));
    folder.commitAll();
    const start = performance.now();
    await folder.begin();
    const took = performance.now() - start;
    for (let n = 0; n < 200; n++) folder.write(`src/${n % 50}/${n}.txt`, `changed ${n}\n`);
    await folder.tracker.end('key');
    const files = await folder.changesOf();
    assert.equal(files.length, 200);
    for (const { path, before } of files) {
      const n = /(\d+)\.txt$/.exec(path)?.[1];
      assert.equal(await folder.text(before), `file ${n}\n`.repeat(20));
    }
    assert.ok(took < 20_000, `${took} ms`);
  });
});
