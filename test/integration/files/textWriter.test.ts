import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, link, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ErrorCode } from '../../../src/core/acp';
import { WireError } from '../../../src/core/errors';
import { LastSeen } from '../../../src/host/files/lastSeen';
import { encodeText, type Encoding } from '../../../src/host/files/textCodec';
import { TextWriter, type WriteConflict } from '../../../src/host/files/textWriter';
import { FakeTextFiles } from './fakeTextFiles';
import { makeFolders, type Folders } from './folders';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('TextWriter', () => {
  let folders: Folders;
  let path: string;
  let files: FakeTextFiles;
  let seen: LastSeen;
  let writer: TextWriter;
  let asked: WriteConflict[];
  let answer: (texts: WriteConflict) => Promise<'theirs' | 'mine'>;
  let events: string[];
  let afterWrite: () => Promise<void>;
  beforeEach(async () => {
    folders = await makeFolders();
    path = join(folders.root, 'a.txt');
    files = new FakeTextFiles();
    seen = new LastSeen();
    asked = [];
    events = [];
    answer = () => Promise.resolve('theirs');
    afterWrite = () => Promise.resolve();
    writer = new TextWriter({
      files,
      seen,
      changes: {
        writing: async (key, place, write) => {
          events.push(`before ${key} ${place.path}`);
          const result = await write();
          await afterWrite();
          events.push('after');
          return result;
        },
      },
      onConflict: (_key, _place, texts) => {
        asked.push(texts);
        return answer(texts);
      },
    });
  });
  afterEach(() => folders.remove());

  const write = (content: string, check = (): Promise<void> => Promise.resolve()): Promise<void> =>
    writer.write({ key: 's', place: { path, real: path }, content, check });
  const see = (text: string): void => seen.set('s', path, { text });
  const text = (): Promise<string> => readFile(path, 'utf8');
  const refuses = async (content: string, message: RegExp): Promise<void> => {
    const before = await readFile(path);
    await assert.rejects(write(content), (error: unknown) => {
      assert.ok(error instanceof WireError, String(error));
      assert.equal(error.code, ErrorCode.invalidParams);
      assert.match(error.message, message);
      return true;
    });
    assert.deepEqual(await readFile(path), before);
  };

  describe('with changes of the person', () => {
    it('FS-9 merges unsaved lines that the agent did not know, and saves', async () => {
      await writeFile(path, 'one\r\ntwo\r\nthree\r\n');
      see('one\r\ntwo\r\nthree\r\n');
      files.unsaved.set(path, 'ONE\r\ntwo\r\nthree\r\n');
      await write('one\ntwo\nTHREE\n');
      assert.equal(await text(), 'ONE\r\ntwo\r\nTHREE\r\n');
      assert.deepEqual(asked, []);
    });

    it('FS-9 replaces unsaved text that the agent read', async () => {
      await writeFile(path, 'disk\n');
      files.unsaved.set(path, 'unsaved\n');
      see('unsaved\n');
      await write('agent\n');
      assert.equal(await text(), 'agent\n');
      assert.deepEqual(asked, []);
    });

    it('FS-9 takes what is on disk for the base of unsaved text that the agent never read', async () => {
      await writeFile(path, '1\n2\n3\n');
      files.unsaved.set(path, '1\n2\nmine\n');
      await write('agent\n2\n3\n');
      assert.equal(await text(), 'agent\n2\nmine\n');
    });

    it('FS-9 merges what was saved since the agent read it, base by base', async () => {
      await writeFile(path, '1\n2\n3\n4\n5\n');
      see('1\n2\n3\n4\n5\n');
      await writeFile(path, 'mine\n2\n3\n4\n5\n');
      await write('1\n2\nagent\n4\n5\n');
      assert.equal(await text(), 'mine\n2\nagent\n4\n5\n');
      // The agent goes on from its own text, in which the person's line is not.
      await write('1\n2\nagent\n4\nagain\n');
      assert.equal(await text(), 'mine\n2\nagent\n4\nagain\n');
      assert.deepEqual(asked, []);
    });

    it('FS-9 replaces a file that the agent never read as a whole', async () => {
      await writeFile(path, 'old\n');
      await write('new\n');
      assert.equal(await text(), 'new\n');
    });

    it('FS-9 does not take what the editor formatted for a change of the person', async () => {
      files.open.add(path);
      files.format = (saved) => saved.replace('a=1', 'a = 1');
      await writeFile(path, 'x\n');
      await write('a=1\n');
      assert.equal(await text(), 'a = 1\n');
      await write('a=1;\n');
      assert.deepEqual(asked, []);
      assert.equal(await text(), 'a = 1;\n');
    });

    it('FS-9 does not take what the person saved right after a write for what the editor formatted', async () => {
      await writeFile(path, '1\n2\n3\n');
      see('1\n2\n3\n');
      afterWrite = () => writeFile(path, 'agent\n2\nmine\n');
      await write('agent\n2\n3\n');
      afterWrite = () => Promise.resolve();
      await write('again\n2\n3\n');
      assert.equal(await text(), 'again\n2\nmine\n');
    });

    it('FS-9 asks where both changed a line; the answer decides', async () => {
      await writeFile(path, 'old\nsame\nend\n');
      see('old\nsame\nend\n');
      files.unsaved.set(path, 'mine\nsame\nMINE\n');
      await write('agent\nsame\nend\n');
      assert.deepEqual(asked, [
        { mine: 'mine\nsame\nMINE\n', theirs: 'agent\nsame\nend\n', merged: 'agent\nsame\nMINE\n' },
      ]);
      assert.equal(await text(), 'agent\nsame\nMINE\n');
    });

    it('FS-9 writes nothing if the person keeps their own, and says so to the agent', async () => {
      await writeFile(path, 'old\n');
      see('old\n');
      files.unsaved.set(path, 'mine\n');
      answer = () => Promise.resolve('mine');
      await assert.rejects(write('agent\n'), (error: unknown) => {
        assert.ok(error instanceof WireError);
        assert.equal(error.code, ErrorCode.internal);
        assert.match(error.message, /kept their own version/);
        return true;
      });
      assert.equal(await text(), 'old\n');
      assert.equal(files.unsaved.get(path), 'mine\n');
      assert.deepEqual(events, []);
      assert.equal(seen.get('s', path)?.text, 'old\n');
    });

    it('FS-9 looks again after it asked: text that changed meanwhile is not overwritten', async () => {
      await writeFile(path, 'old\nend\n');
      see('old\nend\n');
      await writeFile(path, 'mine\nend\n');
      answer = async () => {
        if (asked.length === 1) await writeFile(path, 'mine\nend\nmore\n');
        return 'theirs';
      };
      await write('agent\nend\n');
      assert.equal(asked.length, 2);
      assert.equal(await text(), 'agent\nend\nmore\n');
    });

    it('FS-9 asks before it goes back to the text that the agent saw, rather than do nothing', async () => {
      await writeFile(path, 'mine\n');
      see('old\n');
      await write('old\n');
      assert.deepEqual(asked, [{ mine: 'mine\n', theirs: 'old\n', merged: 'old\n' }]);
      assert.equal(await text(), 'old\n');
    });

    it('SE-24 looks again after it asked whether the path may be written', async () => {
      await writeFile(path, 'mine\n');
      see('old\n');
      await assert.rejects(
        write('agent\n', () => Promise.reject(new Error('outside'))),
        /outside/,
      );
      assert.equal(await text(), 'mine\n');
    });

    it('FS-9 begins anew when the document changes on the way', async () => {
      await writeFile(path, '1\n2\n');
      files.unsaved.set(path, '1\n2\n');
      see('1\n2\n');
      let typed = false;
      files.beforeReplace = () => {
        if (!typed) files.unsaved.set(path, '1\n2\ntyped\n');
        typed = true;
      };
      await write('agent\n2\n');
      assert.equal(await text(), 'agent\n2\ntyped\n');
    });

    it('FS-9 gives up on a document that never stands still', async () => {
      await writeFile(path, '0\n');
      files.unsaved.set(path, '0\n');
      see('0\n');
      let count = 0;
      files.beforeReplace = () => void files.unsaved.set(path, `0\n${++count}\n`);
      await assert.rejects(write('agent\n'), /kept changing/);
      assert.equal(await text(), '0\n');
    });
  });

  describe('bytes', () => {
    for (const encoding of ['utf8', 'utf8bom', 'utf16le', 'utf16be'] as Encoding[]) {
      it(`FS-10 keeps ${encoding} and CRLF, and does not double a mark`, async () => {
        for (const open of [false, true]) {
          path = join(folders.root, `${open}.txt`);
          if (open) files.open.add(path);
          await writeFile(path, encodeText('old\r\n', encoding));
          await write('\uFEFFé\n漢\n');
          assert.deepEqual(await readFile(path), Buffer.from(encodeText('é\r\n漢\r\n', encoding)));
        }
      });
    }

    it('FS-10 keeps bytes that are no text outside the changed line, and never asks the editor', async () => {
      // Shift-JIS, read as UTF-8.
      await writeFile(path, Buffer.concat([hex('93fa 967b 0a'), Buffer.from('plain\n')]));
      files.open.add(path);
      await write('\uFFFD\uFFFD\uFFFD{\nother\n');
      assert.deepEqual(await readFile(path), Buffer.concat([hex('93fa 967b 0a'), Buffer.from('other\n')]));
      assert.deepEqual(files.replaced, []);
      assert.deepEqual(events, [`before s ${path}`, 'after']);
    });

    it('FS-10 refuses to change or copy a line with bytes that are no text', async () => {
      await writeFile(path, Buffer.concat([hex('61 ff 62 0a'), Buffer.from('plain\n')]));
      await refuses('a\uFFFDc\nplain\n', /no text in its encoding, utf8/);
      await refuses('plain\n', /no text/);
      await refuses('a\uFFFDb\nplain\na\uFFFDb\n', /U\+FFFD/);
    });

    it('FS-10 writes Shift-JIS where it is the encoding, and refuses what it has not', async () => {
      files.encoding = 'shiftjis';
      await writeFile(path, hex('93fa 967b 0a'));
      await write('日本\n見る\n');
      assert.deepEqual(await readFile(path), hex('93fa 967b 0a 8ca9 82e9 0a'));
      await refuses('😀\n', /shiftjis/);
      path = join(folders.root, 'new.txt');
      await write('日本\n');
      assert.deepEqual(await readFile(path), hex('93fa 967b 0a'));
    });

    it('FS-10 patches Shift-JIS with other bytes between: changed lines are Shift-JIS too', async () => {
      files.encoding = 'shiftjis';
      // 87 90 and 81 E0 are the same character; an editor would save only one of them.
      const odd = hex('8790 0d0a');
      await writeFile(path, Buffer.concat([odd, hex('93fa 0d0a')]));
      await write('≒\n見\n');
      assert.deepEqual(await readFile(path), Buffer.concat([odd, hex('8ca9 0d0a')]));
      await refuses('≒\n😀\n', /can't hold/);
    });

    it('FS-10 keeps mixed line ends', async () => {
      await writeFile(path, 'one\r\ntwo\nthree\r\n');
      await write('one\nTWO\nthree\nfour\n');
      assert.equal(await text(), 'one\r\nTWO\nthree\r\nfour\r\n');
      await write('one\nTWO\nthree\nfour\n');
      assert.equal(await text(), 'one\r\nTWO\nthree\r\nfour\r\n');
    });

    it('FS-10 refuses a document that can not be saved without changing other bytes', async () => {
      await writeFile(path, 'one\r\ntwo\n');
      files.unsaved.set(path, 'one\r\ntwo!\r\n');
      await refuses('ONE\ntwo\n', /unsaved changes/);
    });

    it('FS-10 writes a new file as sent', async () => {
      await write('\uFEFFa\r\nb\n');
      assert.equal(await text(), '\uFEFFa\r\nb\n');
    });

    it('FS-6 refuses to replace what is no text', async () => {
      await writeFile(path, Buffer.from([1, 0, 2]));
      await refuses('text\n', /is binary/);
    });
  });

  describe('the file', () => {
    it('FS-9 keeps its mode, its other names and the link to it', async () => {
      const target = join(folders.root, 'target.txt');
      await writeFile(target, 'long old text\r\nb\n');
      await chmod(target, 0o755);
      await link(target, join(folders.root, 'second'));
      await symlink(target, path);
      await write('a\nb\n');
      assert.equal(await readFile(join(folders.root, 'second'), 'utf8'), 'a\r\nb\n');
      if (process.platform !== 'win32') assert.equal((await stat(target)).mode & 0o777, 0o755);
    });

    it('FS-8 is made again with its folder, also from unsaved text', async () => {
      path = join(folders.root, 'gone', 'a.txt');
      files.unsaved.set(path, 'mine\n');
      see('mine\n');
      await write('agent\n');
      assert.equal(await text(), 'agent\n');
      await rm(join(folders.root, 'gone'), { recursive: true });
      await write('again\n');
      assert.equal(await text(), 'again\n');
    });

    it('fails where a folder can not be made, and leaves no file', async () => {
      await writeFile(join(folders.root, 'file'), '');
      path = join(folders.root, 'file', 'a.txt');
      await assert.rejects(write('x'));
    });

    it('gets its bytes back when there is no room for the new ones', async () => {
      if (process.platform === 'win32') return;
      await writeFile(path, 'old\n'.repeat(100));
      const script = join(import.meta.dirname, 'smallFiles.ts');
      const command = `ulimit -f 8; exec "${process.execPath}" --import tsx "${script}" "${path}"`;
      // The compiler's cache would be cut off as well.
      const env = { ...process.env, TSX_DISABLE_CACHE: '1' };
      assert.match(execFileSync('bash', ['-c', command], { encoding: 'utf8', env }), /EFBIG/);
      assert.equal(await text(), 'old\n'.repeat(100));
    });
  });
});

describe('LastSeen', () => {
  it('forgets the oldest texts beyond its size, and keeps sessions apart', () => {
    const seen = new LastSeen(10);
    seen.set('s', '/a', { text: '12345' });
    seen.set('s', '/b', { text: '123' });
    assert.equal(seen.get('t', '/a'), undefined);
    seen.set('s', '/a', { text: '1234', saved: '1' });
    seen.set('s', '/c', { text: '123' });
    assert.equal(seen.get('s', '/b'), undefined);
    assert.deepEqual(seen.get('s', '/a'), { text: '1234', saved: '1' });
    seen.set('s', '/d', { text: 'far too long' });
    assert.equal(seen.get('s', '/d'), undefined);
    assert.ok(seen.get('s', '/a'), 'what can not be remembered drives nothing out');
  });
});
