import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPicture, TaskQueue } from '../../../src/host/chat/images';
import { until } from '../../vscode/until';
import { PIXEL } from '../../support/pageHarness/turnScenes';

const png = Buffer.from(PIXEL, 'base64');
const HEADS: Readonly<Record<string, Buffer>> = {
  'a.jpg': Buffer.from('ffd8ffe000104a464946', 'hex'),
  'a.gif': Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00', 'latin1'),
  'a.webp': Buffer.from('RIFF\x04\x00\x00\x00WEBPVP8 ', 'latin1'),
};

describe('pictures in messages', () => {
  let folder: string;
  let root: string;
  const read = (path: string, cwd: string | null = root): Promise<string | null> =>
    readPicture(path, { cwd, roots: [root] });

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-pictures-'));
    root = join(folder, 'work');
    mkdirSync(join(root, 'docs'), { recursive: true });
    writeFileSync(join(root, 'docs', 'cart.png'), png);
    writeFileSync(join(folder, 'outside.png'), png);
    for (const [name, bytes] of Object.entries(HEADS)) writeFileSync(join(root, name), bytes);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('are read from the folders of the session, by relative and by absolute paths', async () => {
    const data = `data:image/png;base64,${PIXEL}`;
    assert.equal(await read('docs/cart.png'), data);
    assert.equal(await read('./docs/../docs/cart.png'), data);
    assert.equal(await read(join(root, 'docs/cart.png'), null), data);
    assert.equal(await read('docs/cart.png', null), null, 'relative to nothing');
  });

  it('are known by their bytes, whatever their names say', async () => {
    for (const [name, type] of [
      ['a.jpg', 'jpeg'],
      ['a.gif', 'gif'],
      ['a.webp', 'webp'],
    ] as const) {
      const data = await read(name);
      assert.ok(data?.startsWith(`data:image/${type};base64,`), name);
    }
    const others = {
      'a.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'text.png': 'no picture',
      'empty.png': '',
    };
    for (const [name, text] of Object.entries(others)) {
      writeFileSync(join(root, name), text);
      assert.equal(await read(name), null, name);
    }
  });

  it('SE-24 are not read outside those folders, nor by a link that leads there', async function () {
    assert.equal(await read('../outside.png'), null);
    assert.equal(await read(join(folder, 'outside.png')), null);
    assert.equal(await readPicture(join(root, 'docs/cart.png'), { cwd: root, roots: [] }), null);
    if (process.platform === 'win32') return this.skip();
    symlinkSync(join(folder, 'outside.png'), join(root, 'link.png'));
    symlinkSync(folder, join(root, 'up'));
    assert.equal(await read('link.png'), null);
    assert.equal(await read('up/outside.png'), null);
    symlinkSync(join(root, 'docs', 'cart.png'), join(root, 'inside.png'));
    assert.ok(await read('inside.png'), 'a link that stays inside');
  });

  it('SE-24 are looked for only where their names are inside: no other machine is asked for one (links, so not on Windows)', async function () {
    if (process.platform === 'win32') return this.skip();
    symlinkSync(join(root, 'docs', 'cart.png'), join(folder, 'leads-in.png'));
    assert.equal(await read(join(folder, 'leads-in.png')), null);
    assert.equal(await read('../leads-in.png'), null);
    symlinkSync(root, join(folder, 'alias'));
    const roots = [join(folder, 'alias')];
    assert.ok(
      await readPicture('docs/cart.png', { cwd: join(folder, 'alias'), roots }),
      'by the name of the root',
    );
    assert.ok(await readPicture(join(root, 'docs/cart.png'), { cwd: null, roots }), 'by where the root is');
  });

  it('are read a few at a time, the others in their turn, also after one that fails', async () => {
    const queue = new TaskQueue(3);
    const ends: (() => void)[] = [];
    let running = 0;
    let most = 0;
    const task = (at: number) => async (): Promise<number> => {
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => ends.push(resolve));
      running--;
      if (at === 1) throw new Error('one fails');
      return at;
    };
    const all = Promise.allSettled([0, 1, 2, 3, 4, 5, 6].map((at) => queue.run(task(at))));
    for (let ended = 0; ended < 7; ended++) {
      await until('a task that runs', () => ends[ended] !== undefined || undefined);
      ends[ended]?.();
    }
    const results = await all;
    assert.equal(most, 3);
    assert.deepEqual(
      results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed')),
      [0, 'failed', 2, 3, 4, 5, 6],
    );
    assert.equal(await queue.run(() => Promise.resolve('free again')), 'free again');
  });

  it('are at most 5 MB', async () => {
    const limit = 5 * 1024 * 1024;
    writeFileSync(join(root, 'most.png'), Buffer.concat([png, Buffer.alloc(limit - png.length)]));
    writeFileSync(join(root, 'more.png'), Buffer.concat([png, Buffer.alloc(limit + 1 - png.length)]));
    assert.ok(await read('most.png'));
    assert.equal(await read('more.png'), null);
  });

  it('are files: what is missing, a folder or a pipe gives none, and keeps nobody waiting', async function () {
    assert.equal(await read('none.png'), null);
    assert.equal(await read('docs'), null);
    assert.equal(await read('docs/cart.png/x.png'), null);
    if (process.platform === 'win32') return this.skip();
    execFileSync('mkfifo', [join(root, 'pipe.png')]);
    assert.equal(await read('pipe.png'), null);
  });
});
