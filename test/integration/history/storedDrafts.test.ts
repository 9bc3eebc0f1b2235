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
import type { Attachment } from '../../../src/core/chat/attachment';
import { StoredDrafts } from '../../../src/host/chat/storedDrafts';

const EMPTY = { text: '', attachments: [] };

describe('stored drafts', () => {
  let root = '';
  let folder = '';
  const logged: string[] = [];
  const drafts = (): StoredDrafts => new StoredDrafts(folder, (line) => logged.push(line));
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'parley-drafts-'));
    folder = join(root, 'drafts');
    logged.length = 0;
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('are kept for each session, with what is attached', async () => {
    const attachments: Attachment[] = [
      { kind: 'selection', path: '/a.ts', name: 'a.ts', fromLine: 1, toLine: 2, text: 'x' },
      { kind: 'image', name: 'i', mimeType: 'image/png', data: 'AAAA' },
    ];
    const first = drafts();
    first.set('a', { text: 'one', attachments });
    first.set('b', { text: 'two', attachments: [] });
    await first.flush();
    assert.deepEqual(drafts().get('a'), { text: 'one', attachments });
    assert.deepEqual(drafts().get('b'), { text: 'two', attachments: [] });
    assert.deepEqual(drafts().get('c'), EMPTY);
  });

  it('hold what was set last, however fast a person types', async () => {
    const first = drafts();
    for (let i = 0; i < 100; i++) {
      first.set('a', { text: `text ${i}`, attachments: [] });
      // At every place of a write that is going on.
      for (let turns = 0; turns < i % 7; turns++) await Promise.resolve();
      if (i % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await first.flush();
    assert.equal(drafts().get('a').text, 'text 99');
    assert.deepEqual(readdirSync(folder), ['a.json']);
    first.set('a', { text: 'after', attachments: [] });
    await first.flush();
    assert.equal(drafts().get('a').text, 'after');
  });

  it('PT-6 keep what was written while a prompt was taken, and not what was sent', async () => {
    const first = drafts();
    first.set('a', { text: 'go', attachments: [] });
    first.sent('a', { text: 'go', attachments: [] });
    first.set('b', { text: 'go on', attachments: [] });
    first.sent('b', { text: 'go', attachments: [] });
    await first.flush();
    assert.deepEqual(drafts().get('a'), EMPTY);
    assert.deepEqual(drafts().get('b'), { text: 'go on', attachments: [] });
  });

  it('leave no file when they are empty or removed', async () => {
    const first = drafts();
    for (const key of ['a', 'b']) first.set(key, { text: 'x', attachments: [] });
    await first.flush();
    first.set('a', EMPTY);
    first.remove('b');
    await first.flush();
    assert.deepEqual(readdirSync(folder), []);
    assert.deepEqual(first.get('b'), EMPTY);
  });

  it('leave large images out of the file, but not out of memory', async () => {
    const image = (length: number): Attachment => ({
      kind: 'image',
      name: 'i',
      mimeType: 'image/png',
      data: 'A'.repeat(length),
    });
    const first = drafts();
    first.set('a', { text: 'x', attachments: [image(1_048_577), image(1_048_576)] });
    await first.flush();
    assert.equal(first.get('a').attachments.length, 2);
    assert.deepEqual(drafts().get('a').attachments, [image(1_048_576)]);
  });

  it('never touch a file outside their folder', async () => {
    mkdirSync(folder);
    const outside = join(root, 'x.json');
    writeFileSync(outside, '{"text":"secret","attachments":[]}');
    const first = drafts();
    assert.deepEqual(first.get('../x'), EMPTY);
    first.set('../x', { text: 'mine', attachments: [] });
    first.remove('../x');
    await first.flush();
    assert.equal(readFileSync(outside, 'utf8'), '{"text":"secret","attachments":[]}');
    assert.deepEqual(readdirSync(folder), []);
  });

  it('survive files that cannot be read and folders that cannot be written', async () => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'a.json'), '{"text":');
    writeFileSync(join(folder, 'b.json'), '{"text":5,"attachments":[{}, null]}');
    assert.deepEqual([drafts().get('a'), drafts().get('b')], [EMPTY, EMPTY]);
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'in the way');
    const first = drafts();
    first.set('a', { text: 'x', attachments: [] });
    await first.flush();
    assert.equal(first.get('a').text, 'x');
    assert.equal(logged.length, 1);
  });

  it('of sessions that are gone are forgotten', async () => {
    const first = drafts();
    for (const key of ['a', 'b', 'c']) first.set(key, { text: key, attachments: [] });
    await first.flush();
    const second = drafts();
    second.get('b');
    await second.prune(['a']);
    assert.deepEqual(readdirSync(folder).sort(), ['a.json', 'b.json']);
    assert.ok(existsSync(join(folder, 'a.json')));
  });
});
