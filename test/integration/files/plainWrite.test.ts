import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PathQueue } from '../../../src/host/files/pathQueue';
import { createFile, overwriteFile } from '../../../src/host/files/plainWrite';
import { decodeText, encodeText, type Encoding } from '../../../src/host/files/textCodec';
import { makeFolders, type Folders } from './folders';

describe('plainWrite', () => {
  let folders: Folders;
  let file: string;
  beforeEach(async () => {
    folders = await makeFolders();
    file = join(folders.root, 'a.txt');
  });
  afterEach(() => folders.remove());

  it('FS-8 makes a file, but leaves one alone that somebody else made meanwhile', async () => {
    assert.equal(await createFile(file, Buffer.from('new')), true);
    assert.equal(await createFile(file, Buffer.from('newer')), false);
    assert.equal(await readFile(file, 'utf8'), 'new');
  });

  it('FS-8 leaves a file alone that somebody else made, also where the system opens no more files', async () => {
    if (process.platform === 'win32') return;
    await writeFile(file, 'theirs');
    const script = join(import.meta.dirname, 'fewHandles.ts');
    const command = `ulimit -n 256; exec "${process.execPath}" --import tsx "${script}" "${file}"`;
    assert.match(execFileSync('bash', ['-c', command], { encoding: 'utf8' }), /EMFILE/);
    assert.equal(await readFile(file, 'utf8'), 'theirs');
  });

  it('FS-9 replaces a file by a longer and by a shorter one', async () => {
    await writeFile(file, 'old');
    assert.equal(await overwriteFile(file, Buffer.from('old'), Buffer.from('longer')), true);
    assert.equal(await readFile(file, 'utf8'), 'longer');
    assert.equal(await overwriteFile(file, Buffer.from('longer'), Buffer.from('')), true);
    assert.equal(await readFile(file, 'utf8'), '');
  });

  it('FS-9 leaves a file alone that changed meanwhile', async () => {
    await writeFile(file, 'other');
    assert.equal(await overwriteFile(file, Buffer.from('old'), Buffer.from('new')), false);
    assert.equal(await readFile(file, 'utf8'), 'other');
  });

  it('fails for a folder and for what is gone, and leaves them alone', async () => {
    await mkdir(file);
    await assert.rejects(overwriteFile(file, Buffer.of(), Buffer.from('x')));
    assert.equal(await createFile(file, Buffer.from('x')), false);
    await assert.rejects(overwriteFile(join(file, 'gone'), Buffer.of(), Buffer.from('x')));
    assert.deepEqual(await readdir(file), []);
  });
});

describe('decodeText', () => {
  it('FS-6 knows text with and without a mark from what is no text', () => {
    for (const encoding of ['utf8', 'utf8bom', 'utf16le', 'utf16be'] as Encoding[])
      assert.equal(decodeText(encodeText('é漢\n', encoding)), 'é漢\n');
    assert.equal(decodeText(new Uint8Array()), '');
    assert.equal(decodeText(Uint8Array.of(0x41, 0, 0x42)), undefined);
    assert.equal(decodeText(Uint8Array.of(0x41, 0xff)), 'A\uFFFD');
  });
});

describe('PathQueue', () => {
  it('runs tasks on one path after the other, also after a failure', async () => {
    const queue = new PathQueue();
    const log: string[] = [];
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const first = queue.run('a', async () => {
      await gate;
      log.push('first');
      throw new Error('failed');
    });
    const second = queue.run('a', () => Promise.resolve(log.push('second')));
    await queue.run('b', () => Promise.resolve(log.push('other')));
    open();
    await assert.rejects(first, /failed/);
    await second;
    assert.deepEqual(log, ['other', 'first', 'second']);
  });
});
