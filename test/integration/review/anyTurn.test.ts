import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TrackedFolder } from './trackedFolder';

const TURNS = Number(process.env['PARLEY_RANDOM_TURNS'] ?? 6);

/** Numbers that are the same for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function differences(before: Map<string, string>, after: Map<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => `${name}: ${before.get(name) ?? 'absent'} → ${after.get(name) ?? 'absent'}`)
    .sort();
}

/** Without git binary files are not copied. */
const ofTexts = (lines: string[]): string[] =>
  lines.filter((line) => !line.includes('\0') && !line.includes('unknown'));

describe('Whatever a person and an agent do', () => {
  let folder: TrackedFolder;
  beforeEach(() => (folder = new TrackedFolder()));
  afterEach(() => folder.end());

  const NAMES = [
    'a.txt',
    'b.txt',
    'dir/a.txt',
    'dir/sub/b.txt',
    'é.txt',
    'other/c d.txt',
    'x.log',
    'out/y.txt',
  ];
  const isIgnored = (name: string): boolean => name.endsWith('.log') || name.startsWith('out/');

  /** All files that are tracked. */
  function all(withGit = true): Map<string, string> {
    const found = new Map<string, string>();
    const list = (inside: string): void => {
      for (const entry of readdirSync(folder.path(inside), { withFileTypes: true })) {
        const name = join(inside, entry.name);
        if (entry.isDirectory() && entry.name !== '.git') list(name);
        else if (entry.isFile() && !(withGit && isIgnored(name)))
          found.set(name, readFileSync(folder.path(name), 'latin1'));
      }
    };
    list('');
    return found;
  }

  function act(pick: (below: number) => number, withGit: boolean): void {
    const name = NAMES[pick(NAMES.length)] ?? '';
    const git = (...args: string[]): void => {
      try {
        folder.git(...args);
      } catch {
        // Nothing to commit, stash or check out.
      }
    };
    const texts = ['1\n', '2\n', '1\n2\n', '1\r\n2\r\n', '', 'a\0b'];
    const write = (): unknown => folder.write(name, texts[pick(texts.length)] ?? '');
    const remove = (): void => {
      if (all(withGit).has(name)) folder.remove(name);
    };
    const onFiles = [write, write, write, write, remove];
    const onGit = [
      () => git('add', '-A'),
      () => git('add', name),
      () => git('commit', '-q', '-m', 'x'),
      () => git('commit', '-q', '-a', '-m', 'x'),
      () => git('stash', '-q'),
      () => git('stash', 'pop', '-q'),
      () => git('checkout', '-q', '--', name),
      () => git('reset', '-q'),
      () => git('rm', '-q', '--cached', name),
      () => git('checkout', '-q', '-f', 'HEAD~1', '--', '.'),
    ];
    const choices = withGit ? [...onFiles, ...onGit] : onFiles;
    choices[pick(choices.length)]?.();
  }

  /** The watcher tells some of what changed at once. */
  function tellSome(pick: (below: number) => number): void {
    const seen = NAMES.filter(() => pick(4) === 0).map((name) => folder.path(name));
    for (const path of seen) folder.folders.tellChanged(path);
  }

  function makeRepository(autocrlf: boolean): void {
    folder.write('.gitignore', 'out/\n*.log\n');
    folder.commitAll();
    if (autocrlf) folder.git('config', 'core.autocrlf', 'true');
  }

  /** Writes by the protocol. */
  async function write(path: string, pick: (below: number) => number): Promise<void> {
    const name = path.slice(folder.root.length + 1);
    const work = (): Promise<unknown> => Promise.resolve(folder.write(name, `${pick(3)}\n`));
    await folder.tracker.writing('key', { path, real: path }, work);
  }

  for (const kind of ['git', 'autocrlf', 'none']) {
    it(`the list has what is different, with the text that was there (${kind})`, async function () {
      this.timeout(10_000 * TURNS);
      const seed = Number(process.env['PARLEY_RANDOM_SEED'] ?? 7);
      const pick = numbers(seed);
      const withGit = kind !== 'none';
      if (withGit) makeRepository(kind === 'autocrlf');
      for (let turn = 0; turn < TURNS; turn++) {
        for (let n = pick(8); n > 0; n--) act(pick, withGit);
        const count = (await folder.records()).length;
        await folder.begin();
        const before = all(withGit);
        for (let n = pick(8); n > 0; n--) {
          const named = folder.path(NAMES[pick(6)] ?? 'a.txt');
          if (pick(2) === 0) folder.tracker.mentioned('key', named);
          if (pick(4) > 0) act(pick, withGit);
          else await write(named, pick);
          tellSome(pick);
        }
        const after = all(withGit);
        await folder.tracker.end('key');
        const records = await folder.records();
        const told = await folder.told(records.slice(count).flatMap(({ files }) => files));
        const expected = differences(before, after);
        const known = withGit ? (lines: string[]): string[] => lines : ofTexts;
        assert.deepEqual(known(told), known(expected), `seed ${seed}, turn ${turn}`);
      }
    });
  }
});
