import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { join } from 'node:path';
import { bundledRipgrep } from '../../../src/agent/access/ripgrep';
import { TurnCancelled } from '../../../src/agent/abort';
import { withinTime } from '../../../src/agent/tools/searchPlaces';
import { withoutNote } from '../../../src/agent/tools/bounds';
import { failureOf, outputOf, toolsIn } from '../../unit/agent/tools/runTool';
import { makeWorkspace } from './workspace';

/** As `dist` has it; what the build copies comes from here. */
const RIPGREP = join(
  process.cwd(),
  `node_modules/@vscode/ripgrep-${process.platform}-${process.arch}/bin`,
  process.platform === 'win32' ? 'rg.exe' : 'rg',
);

/** A folder of a repository, with files that a search has to leave out. */
function repository(): string {
  const outside = makeWorkspace({ 'secret.txt': 'hello from outside\n' });
  const cwd = makeWorkspace({
    '.gitignore': '# built\n/out/\n*.log\n!keep.log\ndeep/**/x.txt\nname (1).txt\n',
    '.git/config': 'hello\n',
    '.hidden/a.md': 'Hello\n',
    'Large.md': `hello\n${'x'.repeat(2 * 1024 * 1024)}`,
    'README.md': '# Readme\nhello world\n',
    'bin.dat': 'hello\n\0\n',
    'deep/a/b/x.txt': 'hello\n',
    'deep/y.txt': 'HELLO\r\nhello (again)\r\n',
    'keep.log': 'hello\n',
    'name (1).txt': 'hello\n',
    'node_modules/m/index.js': 'hello\n',
    'other.log': 'hello\n',
    'out/built.js': 'hello\n',
    'src/.gitignore': 'private.ts\n',
    'src/a.ts': '  const a = 1;\n  hello();\n\n\n\nhello();\n',
    'src/out/kept.ts': 'hello\n',
    'src/private.ts': 'hello\n',
    'src/long.ts': `${'é'.repeat(1000)}hello${'x'.repeat(1000)}\n`,
    '-e': 'hello\n',
  });
  symlinkSync(outside, join(cwd, 'link'));
  symlinkSync(join(outside, 'secret.txt'), join(cwd, 'link.txt'));
  return cwd;
}

const SEARCHES: readonly [name: string, input: object][] = [
  ['search_text', { text: 'hello' }],
  ['search_text', { text: 'hello', path: '.' }],
  ['search_text', { text: 'hello', caseSensitive: true }],
  ['search_text', { text: 'hello', contextLines: 1 }],
  ['search_text', { text: 'hello', glob: '*.ts' }],
  ['search_text', { text: 'hello', glob: 'src/**' }],
  ['search_text', { text: 'hello', glob: '*.log' }],
  ['search_text', { text: 'hello', glob: '!*.ts' }],
  ['search_text', { text: 'hello', path: 'src', glob: '*.ts' }],
  ['search_text', { text: 'hello', path: 'src/a.ts' }],
  ['search_text', { text: 'hello', path: '-e' }],
  ['search_text', { text: 'hello', path: 'node_modules' }],
  ['search_text', { text: 'hello (' }],
  ['search_text', { text: '--hidden' }],
  ['search_text', { text: 'no such text' }],
  ['find_files', { pattern: '*' }],
  ['find_files', { pattern: '**/*.{ts,md}' }],
  ['find_files', { pattern: '*.log' }],
  ['find_files', { pattern: './src/*.ts' }],
  ['find_files', { pattern: '*.ts', path: 'src' }],
  ['find_files', { pattern: 'out/*' }],
  ['find_files', { pattern: 'no such name' }],
];

describe('searches of the agent (where there is a ripgrep for the platform)', function () {
  before(function () {
    if (!existsSync(RIPGREP)) this.skip();
  });

  for (const [name, input] of SEARCHES) {
    it(`give the same with ripgrep and without: ${name} ${JSON.stringify(input)}`, async () => {
      const cwd = repository();
      const own = await outputOf(toolsIn(cwd)(name, { ...input }));
      assert.equal(await outputOf(toolsIn(cwd, { ripgrep: RIPGREP })(name, { ...input })), own);
    });
  }

  for (const ripgrep of [RIPGREP, undefined]) {
    const how = ripgrep === undefined ? 'without ripgrep' : 'with ripgrep';

    it(`find lines ${how}, but none of what is ignored, no text, or behind a link`, async () => {
      const run = toolsIn(repository(), { ripgrep });
      assert.deepEqual(
        (await outputOf(run('search_text', { text: 'hello', glob: '!long.ts' }))).split('\n'),
        [
          '-e:1: hello',
          '.hidden/a.md:1: Hello',
          'README.md:2: hello world',
          'deep/y.txt:1: HELLO',
          'deep/y.txt:2: hello (again)',
          'keep.log:1: hello',
          'src/a.ts:2:   hello();',
          'src/a.ts:6: hello();',
          'src/out/kept.ts:1: hello',
        ],
      );
      assert.deepEqual(
        (await outputOf(run('search_text', { text: 'hello', path: 'src/a.ts', contextLines: 1 }))).split(
          '\n',
        ),
        [
          'src/a.ts-1-   const a = 1;',
          'src/a.ts:2:   hello();',
          'src/a.ts-3- ',
          '--',
          'src/a.ts-5- ',
          'src/a.ts:6: hello();',
        ],
      );
      assert.deepEqual((await outputOf(run('find_files', { pattern: '*.{ts,log}' }))).split('\n'), [
        'keep.log',
        'src/a.ts',
        'src/long.ts',
        'src/out/kept.ts',
      ]);
    });

    it(`show of a long line the part around the match, ${how}`, async () => {
      const run = toolsIn(repository(), { ripgrep });
      const output = await outputOf(run('search_text', { text: 'hello', path: 'src/long.ts' }));
      assert.match(output, /^src\/long\.ts:1: …é+hellox+…$/);
      assert.ok(output.length < 350);
    });

    it(`heed .gitignore outside of a repository as well, but none above the folder, ${how}`, async () => {
      const above = makeWorkspace({
        '.gitignore': '*',
        'w/.gitignore': 'b.txt',
        'w/a.txt': '',
        'w/b.txt': '',
      });
      const output = await outputOf(
        toolsIn(join(above, 'w'), { ripgrep })('find_files', { pattern: '*.txt' }),
      );
      assert.equal(output, 'a.txt');
    });

    it(`stay bounded, and say so, ${how}`, async () => {
      const files = Object.fromEntries(
        Array.from({ length: 520 }, (_, i) => [`f${1000 + i}.txt`, 'hello\n']),
      );
      const run = toolsIn(makeWorkspace(files), { ripgrep });
      const lines = await outputOf(run('search_text', { text: 'hello' }));
      assert.equal(withoutNote(lines).split('\n').length, 100);
      assert.match(lines, /\n\n\[Note: Only the first 100 matches are given\. Narrow/);
      const paths = await outputOf(run('find_files', { pattern: '*.txt' }));
      assert.equal(withoutNote(paths).split('\n').length, 500);
      assert.match(paths, /\n\n\[Note: Only the first 500 files are given\. Narrow/);
    });

    it(`SE-24 cover all folders of the session, each file once, and refuse others, ${how}`, async () => {
      const cwd = makeWorkspace({ 'a.txt': 'hello', 'sub/b.txt': 'hello' });
      const other = makeWorkspace({ 'c.txt': 'hello' });
      const additionalDirectories = [join(cwd, 'sub'), other, join(other, 'gone')];
      const run = toolsIn({ cwd, additionalDirectories }, { ripgrep });
      const all = await outputOf(run('find_files', { pattern: '*.txt' }));
      assert.equal(all, ['a.txt', 'sub/b.txt', join(other, 'c.txt')].join('\n'));
      const found = await outputOf(run('search_text', { text: 'hello', path: other }));
      assert.equal(found, `${join(other, 'c.txt')}:1: hello`);
      const outside = makeWorkspace({ 'd.txt': 'hello' });
      symlinkSync(outside, join(cwd, 'link'));
      for (const path of [outside, 'link', '..']) {
        await failureOf(run('search_text', { text: 'hello', path }));
        await failureOf(run('find_files', { pattern: '*', path }));
      }
      for (const pattern of ['../*', join(outside, '*')]) await failureOf(run('find_files', { pattern }));
    });
  }

  it('take regular expressions with ripgrep, and say what is wrong with one', async () => {
    const cwd = repository();
    const run = toolsIn(cwd, { ripgrep: RIPGREP });
    const search = { text: '^hello\\(\\);?$', regex: true };
    assert.equal(await outputOf(run('search_text', search)), 'src/a.ts:6: hello();');
    assert.equal(
      await outputOf(run('search_text', { text: '\\(again\\)$', regex: true })),
      'deep/y.txt:2: hello (again)',
    );
    assert.match(
      await failureOf(run('search_text', { text: '(', regex: true })),
      /^The search failed: regex parse error/,
    );
    assert.match(await failureOf(toolsIn(cwd)('search_text', search)), /leave "regex" out/);
  });

  it('take no options from the configuration of ripgrep, nor from what is searched for', async () => {
    const cwd = makeWorkspace({ 'a.txt': 'hello\n--files\n', rc: '--invert-match\n' });
    process.env['RIPGREP_CONFIG_PATH'] = join(cwd, 'rc');
    try {
      const run = toolsIn(cwd, { ripgrep: RIPGREP });
      assert.equal(await outputOf(run('search_text', { text: 'hello' })), 'a.txt:1: hello');
      assert.equal(await outputOf(run('search_text', { text: '--files', regex: true })), 'a.txt:2: --files');
    } finally {
      delete process.env['RIPGREP_CONFIG_PATH'];
    }
  });

  it('stop after their time, with what there is by then', async () => {
    let done = '';
    const note = await withinTime(
      new AbortController().signal,
      async (signal) => {
        done = 'some';
        await wait(60_000, undefined, { signal });
      },
      20,
    );
    assert.equal(done, 'some');
    assert.match(note ?? '', /stopped after 0\.02 s/);
  });
});

/** A program in the place of ripgrep that tells its process id, and then does what it is told. */
function fakeRipgrep(then: string): { program: string; pid: () => number | undefined } {
  const folder = makeWorkspace({ rg: `#!/bin/sh\necho $$ > "$(dirname "$0")/pid"\n${then}\n` });
  const program = join(folder, 'rg');
  chmodSync(program, 0o755);
  const pid = (): number | undefined => {
    const path = join(folder, 'pid');
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    return text.endsWith('\n') ? Number(text) : undefined;
  };
  return { program, pid };
}

function isRunning(pid: number | undefined): boolean {
  assert.ok(pid !== undefined);
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await wait(10);
}

describe('ripgrep as a process (not on Windows: the fake program is a script)', function () {
  before(function () {
    // The fake program is a script.
    if (process.platform === 'win32') this.skip();
  });

  it('CA-7 is killed when the prompt turn is cancelled', async () => {
    const { program, pid } = fakeRipgrep('exec sleep 600');
    const turn = new AbortController();
    const run = toolsIn(makeWorkspace({}), { ripgrep: program, signal: turn.signal });
    const running = run('search_text', { text: 'x' });
    await until(() => pid() !== undefined);
    assert.ok(isRunning(pid()));
    turn.abort();
    await assert.rejects(running, TurnCancelled);
    await until(() => !isRunning(pid()));
  });

  it('is killed when enough is found', async () => {
    const match = JSON.stringify({
      type: 'match',
      data: { path: { text: './a' }, lines: { text: 'x\n' }, line_number: 1 },
    });
    const { program, pid } = fakeRipgrep(`while :; do printf '%s\\n' '${match}'; done`);
    const output = await outputOf(
      toolsIn(makeWorkspace({}), { ripgrep: program })('search_text', { text: 'x' }),
    );
    assert.match(output, /Only the first 100 matches/);
    await until(() => !isRunning(pid()));
  });

  it('gets none of the agent’s own settings', async () => {
    const { program } = fakeRipgrep('printf "%s\\0" "./[$PARLEY_AGENT_API_KEY]"');
    process.env['PARLEY_AGENT_API_KEY'] = 'the key';
    try {
      const run = toolsIn(makeWorkspace({}), { ripgrep: program });
      assert.equal(await outputOf(run('find_files', { pattern: '*' })), '[]');
    } finally {
      delete process.env['PARLEY_AGENT_API_KEY'];
    }
  });

  it('is taken from beside the bundle, also where its mode was lost, and only where it is there', () => {
    const folder = makeWorkspace({});
    assert.equal(bundledRipgrep(folder), undefined);
    const own = join(folder, 'ripgrep', `${process.platform}-${process.arch}`);
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'rg'), '', { mode: 0o644 });
    assert.equal(bundledRipgrep(folder), join(own, 'rg'));
  });

  it('that can not be started is a failure in one sentence', async () => {
    const run = toolsIn(makeWorkspace({}), { ripgrep: '/no/such/rg' });
    assert.match(await failureOf(run('find_files', { pattern: '*' })), /^The search failed: /);
  });
});
