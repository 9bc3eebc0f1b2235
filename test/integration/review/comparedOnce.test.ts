import assert from 'node:assert/strict';
import {
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  mkdirSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Baseline } from '../../../src/host/review/baseline';
import { ContentStore, type Holder } from '../../../src/host/review/contents';
import { isFresh, type Signature } from '../../../src/host/review/diskFile';
import { RunningTurn } from '../../../src/host/review/runningTurn';
import { until } from '../../vscode/until';

describe('A file that was compared', () => {
  let root: string;
  let turn: RunningTurn;
  let puts: string[];
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'parley-compared-')));
    puts = [];
    mkdirSync(join(root, 'dir'));
    turn = build();
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  /** A turn that began without any files. */
  function build(): RunningTurn {
    const baseline: Baseline = {
      folder: root,
      isAsBegun: (_, { kind }) => Promise.resolve(kind === 'absent'),
      has: () => Promise.resolve(true),
      earlier: (paths) => Promise.resolve(new Map(paths.map((path) => [path, { kind: 'absent' }]))),
      candidates: () => Promise.resolve([]),
      dispose: () => Promise.resolve(),
    };
    const holder: Holder = {
      put: (bytes) => {
        puts.push(Buffer.from(bytes).toString());
        return Promise.resolve({ hash: ContentStore.hashOf(bytes) });
      },
      release: () => undefined,
    };
    return new RunningTurn({
      key: 'key',
      number: 1,
      roots: [{ folder: root, real: root }],
      baselines: [baseline],
      startedAt: Date.now(),
      contents: { put: (bytes) => holder.put(bytes), get: () => Promise.resolve(undefined) },
      holder,
      isHeld: () => false,
    });
  }
  const file = (): string => join(root, 'dir', 'a.txt');
  /** Compares until the file is not read any more. */
  const settle = (): Promise<unknown> =>
    until('no more is read', async () => {
      const before = puts.length;
      await turn.compare([file()]);
      return puts.length === before || undefined;
    });

  it('is not read again as long as nobody writes it', async () => {
    writeFileSync(file(), 'one');
    await settle();
    const before = puts.length;
    await turn.compare(await turn.candidates());
    assert.equal(puts.length, before);
    assert.equal(turn.changes.length, 1);
  });

  it('is read when it was written, with the same size too', async () => {
    writeFileSync(file(), 'one');
    await settle();
    writeFileSync(file(), 'two');
    assert.equal(await turn.compare([file()]), true);
    assert.equal(puts.at(-1), 'two');
  });

  it('is looked at when a link took the place of its folder', async () => {
    writeFileSync(file(), 'one');
    await settle();
    renameSync(join(root, 'dir'), join(root, 'other'));
    symlinkSync('other', join(root, 'dir'));
    assert.equal(await turn.compare([file()]), true);
    assert.deepEqual(turn.changes, []);
  });

  it('is read again when it was written shortly before', () => {
    const signature = (changedAt: number, fine: boolean): Signature => ({
      text: '',
      stat: '',
      size: 1,
      changedAt,
      fine,
    });
    assert.deepEqual(
      [5, 500, 5_000].map((age) =>
        [true, false].map((fine) => isFresh(signature(10_000 - age, fine), 10_000)),
      ),
      [
        [true, true],
        [false, true],
        [false, false],
      ],
    );
  });
});
