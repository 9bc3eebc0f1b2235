import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PathQueue } from '../../../src/host/files/pathQueue';
import { writeKeepingForm } from '../../../src/host/files/plainWrite';
import { decodeText, encodeText, type Encoding } from '../../../src/host/files/textCodec';
import { makeFolders, type Folders } from './folders';

describe('writeKeepingForm', () => {
  let folders: Folders;
  let file: string;
  beforeEach(async () => {
    folders = await makeFolders();
    file = join(folders.root, 'a.txt');
  });
  afterEach(() => folders.remove());

  it('FS-10 writes a new file as sent', async () => {
    await writeKeepingForm(file, '\uFEFFa\r\nb\n');
    assert.equal(await readFile(file, 'utf8'), '\uFEFFa\r\nb\n');
  });

  for (const encoding of ['utf8', 'utf8bom', 'utf16le', 'utf16be'] as Encoding[]) {
    it(`FS-10 keeps ${encoding} and CRLF, and does not double a mark`, async () => {
      await writeFile(file, encodeText('old\r\n', encoding));
      const mark = encoding === 'utf8' ? '' : '\uFEFF';
      await writeKeepingForm(file, `${mark}é\n漢\n`);
      assert.deepEqual(await readFile(file), Buffer.from(encodeText('é\r\n漢\r\n', encoding)));
    });
  }

  it('FS-9 replaces what is no text by UTF-8', async () => {
    await writeFile(file, Buffer.from([1, 0, 2]));
    await writeKeepingForm(file, 'text\n');
    assert.equal(await readFile(file, 'utf8'), 'text\n');
  });

  it('fails for a folder and leaves it alone', async () => {
    await mkdir(file);
    await assert.rejects(writeKeepingForm(file, 'x'));
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
