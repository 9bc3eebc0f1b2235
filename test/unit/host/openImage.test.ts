import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Emitter } from '../../../src/core/emitter';
import { OpenImages } from '../../../src/host/chat/openImage';
import { GIF, MOVING_GIF } from '../../support/images';
import { until } from '../../vscode/until';

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

describe('an image of the page in an editor', () => {
  let storage: string;
  let folder: string;
  let shown: string[];
  let images: OpenImages;
  const closed = new Emitter<void>();
  beforeEach(() => {
    storage = mkdtempSync(join(tmpdir(), 'parley-images-'));
    folder = join(storage, 'images');
    shown = [];
    images = new OpenImages({
      folder,
      editors: {
        open: (path) => {
          assert.ok(existsSync(path));
          shown.push(path);
          return Promise.resolve();
        },
        shown: () => shown,
        onDidClose: closed.event,
      },
      notAnImage: () => 'No image.',
    });
  });
  afterEach(() => {
    images.dispose();
    rmSync(storage, { recursive: true, force: true });
  });

  it('is written into a file of its kind, once for the same image', async () => {
    await images.open(base64(GIF));
    await images.open(base64(GIF));
    assert.match(shown[0] ?? '', /image-[0-9a-f]{8}\.gif$/);
    assert.deepEqual(readFileSync(shown[0] ?? ''), Buffer.from(GIF));
    assert.equal(shown[0], shown[1]);
    assert.equal(readdirSync(folder).length, 1);
  });

  it('is deleted when its editor is closed, and so is what an earlier window left', async () => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'image-old.png'), '');
    await images.open(base64(GIF));
    assert.equal(existsSync(join(folder, 'image-old.png')), false);
    await images.open(base64(MOVING_GIF));
    assert.equal(readdirSync(folder).length, 2);
    shown = shown.slice(1);
    closed.fire();
    await until('one image', () => readdirSync(folder).length === 1 || undefined);
    assert.equal(existsSync(shown[0] ?? ''), true);
  });

  it('is refused where it is none', async () => {
    for (const data of ['', base64(Buffer.from('<svg/>')), '../../etc/passwd'])
      await assert.rejects(images.open(data), /No image/);
    assert.equal(existsSync(folder), false);
  });
});
