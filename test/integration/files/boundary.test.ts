import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { locate, OutsideError } from '../../../src/host/files/boundary';
import { makeFolders, type Folders } from './folders';

describe('locate', () => {
  let folders: Folders;
  let root: string;
  let outside: string;
  beforeEach(async () => {
    folders = await makeFolders();
    ({ root, outside } = folders);
  });
  afterEach(() => folders.remove());

  const real = async (path: string, roots = [root]): Promise<string> => (await locate(path, roots)).real;
  const refused = (path: string, roots = [root]): Promise<void> =>
    assert.rejects(locate(path, roots), OutsideError);

  it('FS-11 takes what is inside, existing or not', async () => {
    await writeFile(join(root, 'a.txt'), '');
    assert.equal(await real(join(root, 'a.txt')), join(root, 'a.txt'));
    assert.equal(await real(join(root, 'new', 'deep er', '新.txt')), join(root, 'new', 'deep er', '新.txt'));
    assert.equal(await real(root), root);
  });

  it('FS-11 refuses what is outside, also by .. and by a name that begins like the root', async () => {
    await refused('/etc/passwd');
    await refused(join(outside, 'a.txt'));
    await refused(`${root}/../root-outside/a.txt`);
    await refused(`${root}/missing/../../root-outside/a.txt`);
    await refused(`${root}/..`);
  });

  it('FS-11 never hands on a path with .., so that system and editor agree on it', async () => {
    await mkdir(join(outside, 'deep'));
    await symlink(join(outside, 'deep'), join(root, 'link'));
    // By its names this is root/a.txt, for the system it would be outside/a.txt.
    assert.deepEqual(await locate(`${root}/link/../a.txt`, [root]), {
      path: join(root, 'a.txt'),
      real: join(root, 'a.txt'),
    });
    await refused(`${root}/missing/../link/a.txt`);
  });

  it('SE-24 refuses a link that leads outside: to a file, to a folder, and below one', async () => {
    await writeFile(join(outside, 'secret'), '');
    await symlink(join(outside, 'secret'), join(root, 'file'));
    await symlink(outside, join(root, 'folder'));
    await refused(join(root, 'file'));
    await refused(join(root, 'folder', 'secret'));
    await refused(join(root, 'folder', 'new', 'new.txt'));
  });

  it('SE-24 refuses a link to what does not exist outside, also a relative one and a chain', async () => {
    await symlink(join(outside, 'new.txt'), join(root, 'absolute'));
    await symlink('../root-outside/new.txt', join(root, 'relative'));
    await symlink('relative', join(root, 'chain'));
    await symlink('../root-outside/folder', join(root, 'parent'));
    for (const name of ['absolute', 'relative', 'chain', 'parent/new.txt']) await refused(join(root, name));
  });

  it('SE-24 takes a link that stays inside, also to what does not exist yet', async () => {
    await mkdir(join(root, 'sub'));
    await symlink('sub', join(root, 'link'));
    await symlink('sub/new.txt', join(root, 'dangling'));
    assert.equal(await real(join(root, 'link', 'x')), join(root, 'sub', 'x'));
    assert.equal(await real(join(root, 'dangling')), join(root, 'sub', 'new.txt'));
  });

  it('SE-24 resolves the roots too, and knows several', async () => {
    await symlink(outside, join(root, 'link'));
    assert.equal(await real(join(outside, 'a'), [join(root, 'link')]), join(outside, 'a'));
    assert.equal(await real(join(outside, 'a'), [root, outside]), join(outside, 'a'));
  });

  it('SE-24 refuses what it can not decide on: a circle of links, a file as a folder, a missing root, no root', async () => {
    await symlink('b', join(root, 'a'));
    await symlink('a', join(root, 'b'));
    await writeFile(join(root, 'file'), '');
    await refused(join(root, 'a'));
    await refused(join(root, 'file', 'x'));
    await refused(join(root, 'x'), [join(root, 'missing')]);
    await refused(join(root, 'x'), []);
  });
});
