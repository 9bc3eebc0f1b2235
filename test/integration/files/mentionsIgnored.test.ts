import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ignoredIn } from '../../../src/host/chat/mentions/mentionsIgnored';
import { Git } from '../../../src/host/review/git';

describe('what git leaves out of the list of files', () => {
  const log: string[] = [];
  const git = new Git(
    () => Promise.resolve(process.env),
    (line) => log.push(line),
  );
  let folder: string;
  const write = (path: string, text = ''): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  beforeEach(() => {
    log.length = 0;
    folder = mkdtempSync(join(tmpdir(), 'parley-ignored-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is what the rules name, in all folders, but no file that git keeps', async () => {
    write('.gitignore', 'build/\n*.log\nsecret{1}.txt\n');
    write('sub/.gitignore', '/out\n');
    for (const path of [
      'build/a/b.js',
      'sub/out/x.js',
      'a.log',
      'kept.log',
      'src/a.ts',
      'new.ts',
      'secret{1}.txt',
    ])
      write(path);
    execFileSync('git', ['init', '-q'], { cwd: folder });
    execFileSync('git', ['add', '-f', 'kept.log'], { cwd: folder });
    const { has, patterns } = await ignoredIn(git, folder);
    const out = ['build/a/b.js', 'sub/out/x.js', 'a.log', 'secret{1}.txt'];
    assert.deepEqual(out.filter(has), out);
    assert.deepEqual(['kept.log', 'src/a.ts', 'new.ts', 'sub/.gitignore'].filter(has), []);
    assert.deepEqual([...patterns].sort(), ['build/**', 'sub/out/**']);
  });

  it('is told for a folder inside a repository by its own paths', async () => {
    write('.gitignore', 'dist\n');
    write('app/dist/x.js');
    write('app/a.ts');
    execFileSync('git', ['init', '-q'], { cwd: folder });
    const { has } = await ignoredIn(git, join(folder, 'app'));
    assert.deepEqual(['dist/x.js', 'a.ts'].map(has), [true, false]);
  });

  it('is nothing where the opened folder is left out as a whole, and where git is not in charge', async () => {
    write('.gitignore', 'sandbox\n');
    write('sandbox/a.ts');
    execFileSync('git', ['init', '-q'], { cwd: folder });
    const inside = await ignoredIn(git, join(folder, 'sandbox'));
    assert.deepEqual([inside.has('a.ts'), inside.patterns], [false, []]);
    rmSync(join(folder, '.git'), { recursive: true });
    const outside = await ignoredIn(git, folder);
    assert.deepEqual([outside.has('sandbox/a.ts'), outside.patterns], [false, []]);
    assert.match(log.join(), /not a git repository/);
  });
});
