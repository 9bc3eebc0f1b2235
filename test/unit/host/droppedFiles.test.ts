import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { attachDropped } from '../../../src/host/chat/droppedFiles';
import { GIF } from '../../support/images';

describe('dropped files', () => {
  let folder: string;
  const uri = (name: string): string => pathToFileURL(join(folder, name)).href;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-drop-'));
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'a b.ts'), 'x');
    writeFileSync(join(folder, 'picture.txt'), GIF);
    writeFileSync(join(folder, 'fake.png'), 'not a picture');
    writeFileSync(join(folder, 'BM.md'), 'BM is no bitmap');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('PT-4 become files and folders by what they are, also those of a remote machine', async () => {
    const remote = uri('src').replace('file://', 'vscode-remote://ssh-remote%2Bhost');
    const { attachments, missing } = await attachDropped([uri('a b.ts'), remote, uri('BM.md')], true);
    assert.deepEqual(attachments, [
      { kind: 'file', path: join(folder, 'a b.ts'), name: 'a b.ts' },
      { kind: 'folder', path: join(folder, 'src'), name: 'src' },
      { kind: 'file', path: join(folder, 'BM.md'), name: 'BM.md' },
    ]);
    assert.deepEqual(missing, []);
  });

  it('PT-3 become images by their bytes for an agent that takes them, else files', async () => {
    const uris = [uri('picture.txt'), uri('fake.png')];
    const fake = { kind: 'file', path: join(folder, 'fake.png'), name: 'fake.png' };
    const data = Buffer.from(GIF).toString('base64');
    assert.deepEqual((await attachDropped(uris, true)).attachments, [
      { kind: 'image', name: 'picture.txt', mimeType: 'image/gif', data },
      fake,
    ]);
    assert.deepEqual((await attachDropped(uris, false)).attachments, [
      { kind: 'file', path: join(folder, 'picture.txt'), name: 'picture.txt' },
      fake,
    ]);
  });

  it('PT-3 become files, which are counted, where they are too many or too large together', async () => {
    const count = async (uris: string[]): Promise<[number, number, number]> => {
      const { attachments, unread } = await attachDropped(uris, true);
      const images = attachments.filter(({ kind }) => kind === 'image').length;
      return [images, attachments.length - images, unread];
    };
    const pictures = Array.from({ length: 23 }, (_, i) => {
      writeFileSync(join(folder, `p${i}.gif`), GIF);
      return uri(`p${i}.gif`);
    });
    assert.deepEqual(await count([uri('a b.ts'), ...pictures, uri('src')]), [20, 5, 3]);
    const large = [0, 1, 2].map((i) => {
      writeFileSync(join(folder, `large${i}.gif`), GIF);
      truncateSync(join(folder, `large${i}.gif`), 40 * 1024 * 1024);
      return uri(`large${i}.gif`);
    });
    assert.deepEqual(await count([...large, uri('picture.txt')]), [3, 1, 1]);
  });

  it('names what is not there, and keeps the rest', async () => {
    const bad = [uri('gone.ts'), 'https://example.com/a.ts', 'file:///%00', 'no address'];
    const { attachments, missing } = await attachDropped([uri('src'), ...bad], true);
    assert.equal(attachments.length, 1);
    assert.deepEqual(missing, bad);
  });
});
