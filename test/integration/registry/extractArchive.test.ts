import assert from 'node:assert/strict';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ArchiveFormat } from '../../../src/core/agents/registryChoice';
import { extractArchive } from '../../../src/host/registry/extractArchive';
import { tarGzOf, tarOf, zipOf, type ArchiveEntry } from '../../support/archives';

const windows = process.platform === 'win32';

/** A tar with `pack/tiny`, packed as two bzip2 streams, as parallel packers do. */
const BZIPPED = Buffer.from(
  'QlpoOTFBWSZTWSNKKCUAACzbkMqQaADWgACAemneIAQACAAgAFQ1BMmgaGmTQZpoJU0RoyGgNA9QHkXo4BFk8lCl4IFeruZfXquMdEYQQYTawbnPJoSxiRQp0+9KtcQokeG7M8lROY4FxdyRThQkCNKKCUBCWmg5MUFZJlNZUg14RQAAAsQAwAACAAAIIAAwzAiaSUA8XckU4UJBSDXhFA==',
  'base64',
);

describe('archives of agents', () => {
  let root = '';
  let into = '';
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'parley-archive-'));
    into = join(root, 'a', 'b', 'into');
    mkdirSync(into, { recursive: true });
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const extract = (format: ArchiveFormat, data: Buffer, program = 'pack/tiny'): Promise<boolean> => {
    const archive = join(root, 'archive');
    writeFileSync(archive, data);
    return extractArchive({ archive, format, into, program });
  };
  const tiny: ArchiveEntry = { path: 'pack/tiny', text: '#!/bin/sh\necho tiny\n', mode: 0o755 };
  const tool: ArchiveEntry = { path: 'pack/lib/tool', text: 'x', mode: 0o755 };
  const notes: ArchiveEntry = { path: 'pack/notes.txt', text: 'plain', mode: 0o644 };

  for (const [format, data] of [
    ['tar.gz', tarGzOf(tiny, tool, notes)],
    ['tar', tarOf(tiny, tool, notes)],
    ['zip', zipOf(tiny, tool, notes)],
  ] as const) {
    it(`are unpacked with the right to be run: ${format}`, async () => {
      assert.equal(await extract(format, data), true);
      assert.equal(readFileSync(join(into, 'pack/notes.txt'), 'utf8'), 'plain');
      if (windows) return;
      for (const [file, runs] of [
        ['pack/tiny', true],
        ['pack/lib/tool', true],
        ['pack/notes.txt', false],
      ] as const)
        assert.equal((lstatSync(join(into, file)).mode & 0o100) !== 0, runs, file);
    });
  }

  it('are unpacked where they are bzip2 of several streams', async () => {
    assert.equal(await extract('tar.bz2', BZIPPED), true);
    assert.equal(readFileSync(join(into, 'pack/tiny'), 'utf8'), '#!/bin/sh\necho tiny\n');
  });

  it('may be the program itself', async () => {
    assert.equal(await extract('raw', Buffer.from('#!/bin/sh\n')), true);
    assert.equal(readFileSync(join(into, 'pack/tiny'), 'utf8'), '#!/bin/sh\n');
  });

  it('that do not have the program say so', async () => {
    assert.equal(await extract('tar.gz', tarGzOf(notes)), false);
    assert.equal(await extract('tar.gz', tarGzOf(notes), 'pack'), false);
  });

  const evil: Record<string, [ArchiveFormat, Buffer]> = {
    'a path out of the folder in a zip': ['zip', zipOf(tiny, { path: '../evil', text: 'x' })],
    'a hidden path out of the folder in a zip': ['zip', zipOf(tiny, { path: 'pack/../../evil', text: 'x' })],
    'a path with backslashes in a zip': ['zip', zipOf(tiny, { path: '..\\evil', text: 'x' })],
    'an absolute path in a zip': ['zip', zipOf(tiny, { path: '/evil', text: 'x' })],
    'a path out of the folder in a tar': ['tar.gz', tarGzOf(tiny, { path: '../evil', text: 'x' })],
    'an absolute path in a tar': ['tar.gz', tarGzOf(tiny, { path: '/evil-of-parley', text: 'x' })],
    'a link out of the folder in a tar': ['tar.gz', tarGzOf(tiny, { path: 'pack/link', link: '../../evil' })],
    'an absolute link in a tar': ['tar.gz', tarGzOf(tiny, { path: 'pack/link', link: '/etc' })],
    'a hard link out of the folder in a tar': [
      'tar.gz',
      tarGzOf(tiny, { path: 'pack/link', link: '../evil', hard: true }),
    ],
    'a link out of the folder in a zip': ['zip', zipOf(tiny, { path: 'pack/link', link: '../../evil' })],
    'a file written through a link': [
      'tar.gz',
      tarGzOf({ path: 'link', link: '..' }, { path: 'link/evil', text: 'x' }, tiny),
    ],
    'a zip that is none': ['zip', Buffer.from('<html>sign in</html>')],
    'a tar that is cut off': ['tar.gz', tarGzOf({ ...tiny, text: 'x'.repeat(5_000) }).subarray(0, 60)],
    'a bzip2 that is none': ['tar.bz2', Buffer.from('no bzip2 at all')],
  };
  for (const [title, [format, data]] of Object.entries(evil)) {
    it(`are refused with ${title}`, async () => {
      await assert.rejects(extract(format, data));
      const names = readdirSync(root, { recursive: true }).map(String);
      assert.deepEqual(
        names.filter((name) => /evil/.test(name)),
        [],
      );
      assert.equal(existsSync('/evil-of-parley'), false);
    });
  }

  if (!windows) {
    it('keep a link that stays inside, as programs have beside their libraries', async () => {
      const link: ArchiveEntry = { path: 'pack/bin/tiny', link: '../tiny' };
      assert.equal(await extract('tar.gz', tarGzOf(tiny, link), 'pack/bin/tiny'), true);
      rmSync(into, { recursive: true });
      mkdirSync(into);
      assert.equal(await extract('zip', zipOf(link, tiny), 'pack/bin/tiny'), true);
    });

    it('do not make a file that runs as its owner', async () => {
      await extract('tar.gz', tarGzOf({ ...tiny, mode: 0o4755 }));
      assert.equal(lstatSync(join(into, 'pack/tiny')).mode & 0o7777, 0o755);
    });
  }
});
