import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { findPrograms, ProgramsOnPath } from '../../src/host/agents/foundAgents';

const windows = process.platform === 'win32';

describe('programs on the PATH', () => {
  let root = '';
  beforeEach(() => (root = realpathSync(mkdtempSync(join(tmpdir(), 'parley-found-')))));
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const make = (path: string, mode = 0o755): string => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
    chmodSync(file, mode);
    return file;
  };
  const find = (folders: string[], except: string[] = []) =>
    findPrograms(['one', 'two'], {
      env: {
        PATH: folders.map((folder) => (folder.startsWith('.') ? folder : join(root, folder))).join(delimiter),
      },
      except: except.map((folder) => join(root, folder)),
      windows: false,
    });

  if (!windows) {
    it('are found where they come first, if they are files that can be run', async () => {
      make('a/one', 0o644);
      mkdirSync(join(root, 'a/two'));
      const one = make('b/one');
      make('c/one');
      const two = make('c/two');
      assert.deepEqual(Object.fromEntries(await find(['missing', 'a', 'b', 'c'])), {
        one: { path: one, byName: true },
        two: { path: two, byName: true },
      });
    });

    it('are never those of the workspace, even by a link; what lies behind is written by its path', async () => {
      make('work/bin/one');
      make('work/bin/two');
      symlinkSync(join(root, 'work/bin'), join(root, 'link'));
      make('a/one');
      const two = make('b/two');
      const found = await find(['a', 'work/bin', 'link', 'b'], ['work']);
      assert.deepEqual(found.get('one'), { path: join(root, 'a/one'), byName: true });
      assert.deepEqual(found.get('two'), { path: two, byName: false });
    });

    it('are not looked for in relative folders, which belong to the project and are no place for a name', async () => {
      const one = make('a/one');
      const found = await find(['./a', 'a']);
      assert.deepEqual(found.get('one'), { path: one, byName: true });
      assert.equal(found.size, 1);
    });
  }

  it('have the endings of PATHEXT on Windows', async () => {
    make('a/one');
    const two = make('a/two.cmd');
    const folders = join(root, 'a');
    const env = { Path: windows ? folders : `${folders};relative`, PathExt: '.EXE;.CMD' };
    const found = await findPrograms(['one', 'two'], { env, except: [], windows: true });
    assert.deepEqual(Object.fromEntries(found), { two: { path: two, byName: true } });
  });

  it('are given as far as they are known when time is up', async () => {
    make('a/one');
    const env = { PATH: join(root, 'a') };
    const late = Promise.resolve();
    assert.equal((await findPrograms(['one'], { env, except: [], late })).size, 0);
    assert.equal((await findPrograms(['one'], { env, except: [], windows: false })).size, 1);
  });

  it('are looked for once, and anew when asked to', async () => {
    let asked = 0;
    const environment = (): Promise<NodeJS.ProcessEnv> => {
      asked++;
      return Promise.resolve({ PATH: join(root, 'a'), PATHEXT: '.exe' });
    };
    const programs = new ProgramsOnPath(environment, () => []);
    const [first, second] = await Promise.all([programs.find(false), programs.find(false)]);
    assert.equal(first, second);
    assert.equal(first.size, 0);
    assert.equal(asked, 1);
    make(windows ? 'a/gemini.exe' : 'a/gemini');
    assert.equal((await programs.find(false)).size, 0);
    assert.deepEqual([...(await programs.find(true)).keys()], ['gemini']);
  });

  it('are looked for anew where other folders are open', async () => {
    make(windows ? 'a/gemini.exe' : 'a/gemini');
    const folders: string[] = [];
    const environment = (): Promise<NodeJS.ProcessEnv> =>
      Promise.resolve({ PATH: join(root, 'a'), PATHEXT: '.exe' });
    const programs = new ProgramsOnPath(environment, () => folders);
    assert.deepEqual([...(await programs.find(false)).keys()], ['gemini']);
    folders.push(root);
    assert.equal((await programs.find(false)).size, 0);
  });
});
