import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import fc from 'fast-check';
import { countLines, lineChanges, splitLines, type LineChange } from '../../../../src/core/diff/lineChanges';
import { countChanges, LineComparer } from '../../../../src/host/review/lineCounts';
import { until } from '../../../vscode/until';
import { aText, bigFile } from '../../core/diff/texts';

const times = { limit: 30_000, linger: 0 };
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
const exact = (before: string, after: string): LineChange[] =>
  lineChanges(splitLines(before), splitLines(after));

/** Far too big to be compared at once. */
const big = bigFile(10_000);
const bigBefore = ['head\n', ...big, 'tail\n'].join('');
const bigAfter = [
  'head\n',
  'new\n',
  ...big.map((line, at) => (at % 3 === 0 ? `other ${at}\n` : line)),
  'tail\n',
].join('');
const pieces = { added: 10_001, removed: 10_000, binary: false };

describe('the comparison of contents without holding up the caller', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-diff-'));
  const worker = join(folder, 'diffWorker.cjs');
  const open: LineComparer[] = [];
  const comparer = (file = worker, some: Partial<typeof times> = {}): LineComparer => {
    const made = new LineComparer(file, { ...times, ...some });
    open.push(made);
    return made;
  };
  const script = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  before(async () => {
    await build({
      entryPoints: [join(import.meta.dirname, '../../../../src/host/review/diffWorker.ts')],
      outfile: worker,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      logLevel: 'silent',
    });
  });
  afterEach(() => open.splice(0).forEach((made) => made.dispose()));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('counts in small contents what a comparison of the whole counts, without a thread', async () => {
    const small = comparer();
    await fc.assert(
      fc.asyncProperty(aText, aText, async (one, other) => {
        const counted = await small.count(bytes(one), bytes(other));
        assert.deepEqual(counted, { ...countLines(exact(one, other)), binary: false });
        assert.deepEqual(await countChanges(bytes(one), bytes(other)), counted);
        assert.deepEqual(countLines(await small.changes(one, other)), countLines(exact(one, other)));
      }),
    );
    assert.equal(small.hasThread, false);
  });

  it('sets aside what big contents begin and end with, and then needs no thread', async () => {
    const line = `${'x'.repeat(99)}\n`;
    const [one, other] = [line.repeat(50_000), `${line.repeat(25_000)}y\n${line.repeat(25_000)}`];
    const small = comparer();
    assert.deepEqual(await small.count(bytes(one), bytes(other)), { added: 1, removed: 0, binary: false });
    assert.deepEqual(await small.count(bytes(other), bytes(one)), { added: 0, removed: 1, binary: false });
    assert.deepEqual(await small.count(bytes(one), bytes(one)), { added: 0, removed: 0, binary: false });
    const [change] = await small.changes(one, other);
    assert.deepEqual(change, { oldStart: 25_000, oldEnd: 25_000, newStart: 25_000, newEnd: 25_001 });
    assert.equal(small.hasThread, false);
  });

  it('compares what is big in a thread, several at once, with the same answer', async () => {
    const one = comparer();
    const count = one.count(bytes(bigBefore), bytes(bigAfter));
    const [counted, changes, back] = await Promise.all([
      count,
      one.changes(bigBefore, bigAfter),
      one.count(bytes(bigAfter), bytes(bigBefore)),
    ]);
    const expected = exact(bigBefore, bigAfter);
    const { added, removed } = countLines(expected);
    assert.deepEqual(counted, { added, removed, binary: false });
    assert.ok(added < pieces.added);
    assert.deepEqual(changes, expected);
    assert.deepEqual(back, { added: removed, removed: added, binary: false });
  });

  it('keeps no thread when nothing waits, and starts one again', async () => {
    const one = comparer();
    for (let n = 0; n < 2; n++) {
      const counting = one.count(bytes(bigBefore), bytes(bigAfter));
      await until('a thread', () => one.hasThread || undefined);
      assert.ok((await counting).added < pieces.added);
      await until('the thread to end', () => !one.hasThread || undefined);
    }
  });

  it('answers with one replaced piece where the thread takes too long, and goes on', async () => {
    const slow = comparer(script('silent.cjs', 'setInterval(() => {}, 1000)'), { limit: 50 });
    const both = Promise.all([
      slow.count(bytes(bigBefore), bytes(bigAfter)),
      slow.changes(bigBefore, bigAfter),
    ]);
    assert.deepEqual(await both, [pieces, [{ oldStart: 1, oldEnd: 10_001, newStart: 1, newEnd: 10_002 }]]);
  });

  it('answers with one replaced piece where the thread crashes, ends or cannot start', async () => {
    const crashes = `require('node:worker_threads').parentPort.on('message', () => { throw new Error('x'); })`;
    const ends = `require('node:worker_threads').parentPort.on('message', () => process.exit(0))`;
    for (const file of [script('crash.cjs', crashes), script('end.cjs', ends), join(folder, 'missing.cjs')]) {
      const lost = comparer(file);
      const both = [
        lost.count(bytes(bigBefore), bytes(bigAfter)),
        lost.count(bytes(bigBefore), bytes(bigAfter)),
      ];
      assert.deepEqual(await Promise.all(both), [pieces, pieces]);
    }
  });

  it('answers what waits when it is disposed of', async () => {
    const one = comparer();
    const both = [one.count(bytes(bigBefore), bytes(bigAfter)), one.count(bytes(bigBefore), bytes(bigAfter))];
    await until('a thread', () => one.hasThread || undefined);
    one.dispose();
    assert.deepEqual(await Promise.all(both), [pieces, pieces]);
    assert.equal(one.hasThread, false);
  });

  it('counts no lines of what is no text, and those of UTF-16 as they are', async () => {
    const none = { added: 0, removed: 0, binary: true };
    assert.deepEqual(await countChanges(bytes('a\n'), bytes('a\0\n')), none);
    assert.deepEqual(await countChanges(bytes('a\0\n'), bytes('a\n')), none);
    const wide = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');
    const counted = await countChanges(wide('a\nb\nc\n'), wide('a\nB\nc\nd\n'));
    assert.deepEqual(counted, { added: 2, removed: 1, binary: false });
    assert.deepEqual(await countChanges(bytes(''), wide('a\n')), { added: 1, removed: 0, binary: false });
    const swapped = await countChanges(wide('a\nb\n').swap16(), wide('a\nc\n').swap16());
    assert.deepEqual(swapped, { added: 1, removed: 1, binary: false });
  });
});
