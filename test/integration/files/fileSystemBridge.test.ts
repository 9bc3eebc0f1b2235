import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ErrorCode } from '../../../src/core/acp';
import { WireError } from '../../../src/core/errors';
import { FileSystemBridge, type FileAccess } from '../../../src/host/bridges/fileSystemBridge';
import { FakeTextFiles } from './fakeTextFiles';
import { makeFolders, type Folders } from './folders';

describe('FileSystemBridge', () => {
  let folders: Folders;
  let documents: FakeTextFiles;
  let refused: (string | undefined)[][];
  let lines: string[];
  let missingFileIsEmpty: boolean;
  let gate: (access: FileAccess) => Promise<void>;
  let order: string[];
  let bridge: FileSystemBridge;
  beforeEach(async () => {
    folders = await makeFolders();
    documents = new FakeTextFiles();
    refused = [];
    lines = [];
    missingFileIsEmpty = false;
    gate = () => Promise.resolve();
    order = [];
    bridge = new FileSystemBridge({
      roots: (sessionId) => (sessionId === 's' ? [folders.root] : undefined),
      compatibility: (key) => ({ missingFileIsEmpty: key === 's' && missingFileIsEmpty }),
      files: documents,
      gate: (_key, access) => gate(access),
      onConflict: () => Promise.resolve('mine'),
      changes: {
        writing: (_key, place, write) => {
          order.push(place.path);
          return write();
        },
      },
      onRefused: (key, path, folder) => refused.push([key, path, folder]),
      log: (line) => lines.push(line),
    });
  });
  afterEach(() => folders.remove());

  const at = (name: string): string => join(folders.root, name);
  const read = async (path: string, more: object = {}): Promise<string> =>
    (await bridge.readTextFile({ sessionId: 's', path, ...more })).content;
  const write = (path: string, content: unknown): Promise<object> =>
    bridge.writeTextFile({ sessionId: 's', path, content });
  const fails =
    (code: number, message = /./) =>
    (error: unknown): boolean => {
      assert.ok(error instanceof WireError);
      assert.equal(error.code, code);
      assert.match(error.message, message);
      return true;
    };
  const invalid = (message?: RegExp): ((error: unknown) => boolean) =>
    fails(ErrorCode.invalidParams, message);

  describe('read', () => {
    it('FS-2 gives the text of a file, without its mark, FS-4 or a part of it', async () => {
      await writeFile(at('a.txt'), '\uFEFFone\r\ntwo\r\n');
      await writeFile(at('empty'), '');
      assert.equal(await read(at('a.txt')), 'one\r\ntwo\r\n');
      assert.equal(await read(at('a.txt'), { line: 2, limit: 1 }), 'two\r\n');
      assert.equal(await read(at('a.txt'), { line: null, limit: null }), 'one\r\ntwo\r\n');
      assert.equal(await read(at('empty')), '');
    });

    it('FS-3 gives what is in the editor and not yet on disk, also of a file that is not there', async () => {
      await writeFile(at('a.txt'), 'disk\n');
      documents.unsaved.set(at('a.txt'), 'one\ntwo\n');
      documents.unsaved.set(at('new.txt'), 'new');
      assert.equal(await read(at('a.txt'), { line: 2 }), 'two\n');
      assert.equal(await read(at('new.txt')), 'new');
    });

    it('FS-6 says that a file is missing, and names it', async () => {
      const path = at('no such.txt');
      await assert.rejects(read(path), (error: unknown) => {
        assert.deepEqual((error as WireError).data, { uri: pathToFileURL(path).href });
        return fails(ErrorCode.notFound)(error);
      });
    });

    it('FS-6 gives nothing for a missing file to an agent that needs it so', async () => {
      missingFileIsEmpty = true;
      assert.equal(await read(at('none')), '');
      await assert.rejects(read(join(folders.outside, 'none')), fails(ErrorCode.notFound));
    });

    it('FS-6 refuses a folder, what is no text, and what is no file', async () => {
      await mkdir(at('folder'));
      await writeFile(at('binary'), Buffer.from([0x7f, 0, 1]));
      await assert.rejects(read(at('folder')), invalid(/is a folder/));
      await assert.rejects(read(at('binary')), invalid(/is binary/));
      if (process.platform !== 'win32') {
        execFileSync('mkfifo', [at('pipe')]);
        await assert.rejects(read(at('pipe')), invalid(/no regular file/));
      }
    });

    it('FS-6 reads a very large file only in parts', async () => {
      await writeFile(at('large'), '1\n2\n3\n');
      await truncate(at('large'), (64 << 20) + 1);
      await assert.rejects(read(at('large')), invalid(/too large/));
      await writeFile(at('large'), `1\n2\n${'x'.repeat(1 << 20)}\n`.repeat(65));
      assert.equal(await read(at('large'), { line: 2, limit: 1 }), '2\n');
      await assert.rejects(read(at('large'), { line: 2 }), invalid(/too large/));
    });

    it('FS-5 FS-12 refuses a bad range, also where the file is missing', async () => {
      await writeFile(at('a.txt'), 'a\n');
      await assert.rejects(read(at('a.txt'), { line: 9 }), invalid(/2 lines/));
      for (const bad of ['1', -1, 1.5]) {
        await assert.rejects(read(at('none'), { line: bad }), invalid(/"line"/));
        await assert.rejects(read(at('none'), { limit: bad }), invalid(/"limit"/));
      }
    });
  });

  describe('write', () => {
    it('FS-7 FS-8 makes a file with the folders it needs and answers an object', async () => {
      const path = at('new/deep er/新.txt');
      assert.deepEqual(await write(path, 'one\ntwo\n'), {});
      assert.equal(await readFile(path, 'utf8'), 'one\ntwo\n');
      assert.equal(await read(path), 'one\ntwo\n');
    });

    it('FS-9 goes through the document that is open', async () => {
      documents.unsaved.set(at('a.txt'), 'dirty');
      assert.equal(await read(at('a.txt')), 'dirty');
      await write(at('a.txt'), 'agent');
      assert.deepEqual(documents.replaced, ['agent']);
    });

    it('FS-9 knows from a read, also of a part, what the agent based its text on', async () => {
      await writeFile(at('a.txt'), '1\n2\n3\n');
      assert.equal(await read(at('a.txt'), { line: 2, limit: 1 }), '2\n');
      await writeFile(at('a.txt'), 'mine\n2\n3\n');
      await write(at('a.txt'), '1\n2\nagent\n');
      assert.equal(await readFile(at('a.txt'), 'utf8'), 'mine\n2\nagent\n');
      await writeFile(at('a.txt'), 'mine\n2\nmine\n');
      await assert.rejects(write(at('a.txt'), 'a\n'), fails(ErrorCode.internal, /kept their own/));
      await read(at('a.txt'));
      await write(at('a.txt'), 'a\n');
      assert.equal(await readFile(at('a.txt'), 'utf8'), 'a\n');
    });

    it('FS-9 writes to one file one after the other, and reads after them', async () => {
      const texts = Array.from({ length: 20 }, (_, i) => `${i}\n`.repeat(1_000));
      const writes = texts.map((text) => write(at('a.txt'), text));
      assert.equal(await read(at('a.txt')), texts.at(-1));
      await Promise.all(writes);
    });

    it('refuses a folder, a file that is read-only, and content that is no text', async () => {
      await mkdir(at('folder'));
      await assert.rejects(write(at('folder'), 'x'), invalid(/is a folder/));
      await assert.rejects(write(at('a.txt'), null), invalid(/"content"/));
      await writeFile(at('fixed'), 'old');
      await chmod(at('fixed'), 0o444);
      // Root may write everything.
      if (process.getuid?.() !== 0) await assert.rejects(write(at('fixed'), 'x'), invalid(/read-only/));
    });

    it('RP-4 answers a failure by a neutral sentence and logs the reason', async () => {
      documents.beforeReplace = () => Promise.reject(new Error('secret reason'));
      await writeFile(at('a.txt'), 'old');
      await assert.rejects(write(at('a.txt'), 'new'), (error: unknown) => {
        assert.doesNotMatch((error as Error).message, /secret/);
        return fails(ErrorCode.internal, /could not be written\.$/)(error);
      });
      assert.match(lines.join(), /secret reason/);
      assert.equal(await readFile(at('a.txt'), 'utf8'), 'old');
    });
  });

  describe('both', () => {
    it('FS-13 refuse a session that is not known', async () => {
      const params = { sessionId: 'none', path: at('a.txt'), content: '' };
      await assert.rejects(bridge.readTextFile(params), fails(ErrorCode.notFound));
      await assert.rejects(bridge.writeTextFile(params), fails(ErrorCode.notFound));
    });

    it('RP-5 refuse a path that is not absolute', async () => {
      for (const path of ['a.txt', './a.txt', '', 'file:///a.txt', undefined, 7, '/a\0b']) {
        const params = { sessionId: 's', path, content: '' };
        await assert.rejects(bridge.readTextFile(params), invalid(/absolute/));
        await assert.rejects(bridge.writeTextFile(params), invalid(/absolute/));
      }
    });

    it('FS-11 refuse what is outside, with the codes of their kinds, and tell it', async () => {
      const secret = join(folders.outside, 'secret');
      await writeFile(secret, 'old');
      await symlink(folders.outside, at('link'));
      const paths = [secret, at('link/secret'), `${folders.root}/../root-outside/secret`];
      for (const path of paths) {
        await assert.rejects(read(path), fails(ErrorCode.notFound));
        await assert.rejects(write(path, 'new'), invalid());
      }
      await assert.rejects(write(at('link/new/file'), 'new'), invalid());
      const told = [...paths.map((path) => [path, folders.outside]), [at('link/new/file'), undefined]];
      assert.deepEqual(
        refused,
        told.map(([path, folder]) => ['s', path, folder]),
      );
      assert.equal(await readFile(secret, 'utf8'), 'old');
    });

    it('FS-11 tell the folder that could be allowed: never a whole file system, nor what is not there', async () => {
      await symlink('/', at('all'));
      await symlink('circle', at('circle'));
      const { outside, root } = folders;
      for (const path of [outside, join(outside, 'new'), at('all'), '/', join(outside, 'a/b'), at('circle')])
        await assert.rejects(read(path), fails(ErrorCode.notFound));
      const found = refused.map(([, , folder]) => folder);
      assert.deepEqual(found, [outside, outside, undefined, undefined, undefined, undefined]);
      await assert.rejects(read(dirname(root)), fails(ErrorCode.notFound));
      assert.deepEqual(refused.at(-1), ['s', dirname(root), dirname(root)]);
    });

    it('ask the gate inside the folders only, before anything is read or written', async () => {
      const asked: FileAccess[] = [];
      gate = (access) => {
        asked.push(access);
        return Promise.reject(WireError.invalidParams('A rule of the person forbids it.'));
      };
      await writeFile(at('a.txt'), 'old');
      await symlink('a.txt', at('link'));
      await assert.rejects(read(at('link')), invalid(/forbids/));
      await assert.rejects(write(at('a.txt'), 'new'), invalid(/forbids/));
      await assert.rejects(write(at('new/a.txt'), 'new'), invalid(/forbids/));
      await assert.rejects(read(join(folders.outside, 'a')), fails(ErrorCode.notFound, /outside/));
      assert.deepEqual(asked, [
        { kind: 'read', path: at('a.txt') },
        { kind: 'edit', path: at('a.txt'), newText: 'new' },
        { kind: 'edit', path: at('new/a.txt'), newText: 'new' },
      ]);
      assert.equal(await readFile(at('a.txt'), 'utf8'), 'old');
      assert.equal(existsSync(at('new')), false);
      assert.deepEqual(order, []);
    });

    it('SE-24 look again at the path after the gate, where a link may have been changed', async () => {
      const secret = join(folders.outside, 'a.txt');
      await mkdir(at('sub'));
      await writeFile(at('sub/a.txt'), 'inside');
      await writeFile(secret, 'secret');
      const target = at('sub');
      const swap = (to: string) => async (): Promise<void> => {
        await rm(at('link'));
        await symlink(to, at('link'));
      };
      await symlink(target, at('link'));
      gate = swap(folders.outside);
      await assert.rejects(read(at('link/a.txt')), fails(ErrorCode.notFound));
      await swap(target)();
      await assert.rejects(write(at('link/a.txt'), 'new'), invalid(/outside/));
      await swap(target)();
      gate = swap(folders.root);
      await assert.rejects(write(at('link/a.txt'), 'new'), invalid(/another file/));
      assert.equal(await readFile(secret, 'utf8'), 'secret');
      assert.equal(await readFile(at('sub/a.txt'), 'utf8'), 'inside');
    });
  });
});
