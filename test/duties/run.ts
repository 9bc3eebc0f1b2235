import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mutant } from './mutant';

/** ms for one run of mocha; what takes longer has no verdict. */
const RUN_LIMIT = 60_000;

/** Full titles by what came of the tests. */
export interface Titles {
  passes: string[];
  /** Without hooks that failed. */
  failures: string[];
  /** Failures for their time limit alone. */
  late: string[];
  skipped: string[];
}

/** What came of one run of mocha. */
export interface Run {
  /** Titles with those of their suites; undefined if the tests did not load or did not end. */
  result?: Titles;
  /** True if the source was loaded with its change. */
  changed: boolean;
  output: string;
  /** ms */
  duration: number;
}

interface Report {
  passes: { fullTitle: string }[];
  pending: { fullTitle: string }[];
  failures: { title: string; fullTitle: string; err: { message?: string } }[];
}

/** Runs the tests of a file that a pattern chooses, with one source changed if a mutant is given; the files stay as they are. */
export async function runTests(
  repository: string,
  test: string,
  grep: string,
  mutant?: Mutant,
): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-duties-'));
  const report = join(folder, 'report.json');
  const mark = join(folder, 'changed');
  const change = mutant && { ...mutant, file: join(repository, mutant.file), mark };
  const args = [
    `--import=${join(repository, 'test', 'duties', 'swap.mjs')}`,
    '--import=tsx',
    join(repository, 'node_modules', 'mocha', 'bin', 'mocha.js'),
    ...['--no-config', '--extension=ts', '--extension=tsx', '--timeout=10000', '--exit'],
    ...['--reporter=json', `--reporter-option=output=${report}`, `--grep=${grep}`, test],
  ];
  const started = Date.now();
  const output = await new Promise<string>((resolve) =>
    execFile(
      process.execPath,
      args,
      {
        cwd: repository,
        timeout: RUN_LIMIT,
        killSignal: 'SIGKILL',
        maxBuffer: 64 << 20,
        env: { ...process.env, NODE_OPTIONS: '', PARLEY_MUTANT: change ? JSON.stringify(change) : '{}' },
      },
      (_error, stdout, stderr) => resolve(`${stdout}${stderr}`),
    ),
  );
  const duration = Date.now() - started;
  const result = existsSync(report) ? readReport(report) : undefined;
  const changed = existsSync(mark);
  rmSync(folder, { recursive: true, force: true });
  return { ...(result ? { result } : {}), changed, output, duration };
}

function readReport(file: string): Titles {
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  const titles = (tests: readonly { fullTitle: string }[]): string[] =>
    tests.map(({ fullTitle }) => fullTitle);
  // A failed hook is no test that failed.
  const failures = report.failures.filter(({ title }) => !/^"(before|after)/.test(title));
  return {
    passes: titles(report.passes),
    failures: titles(failures),
    late: titles(failures.filter(({ err }) => err.message?.startsWith('Timeout of'))),
    skipped: titles(report.pending),
  };
}
