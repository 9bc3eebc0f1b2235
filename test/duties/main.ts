// Lists the duties of a client with the tests that name them, and tries whether those tests notice a mutant: npm run duties [-- OPTIONS]
//   --list         only the table
//   --level LEVEL  only the duties of a level (M MN S SN m W R) that no test names
//   --only ID      only the mutants of a duty
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Level } from './duties';
import { problemsOfMutants, runMutants, type Verdict } from './mutate';
import { MUTANTS } from './mutants';
import { bareOf, problemsOfTests, tableOf } from './report';
import { findNamedTests } from './titles';

const repository = join(import.meta.dirname, '..', '..');

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

function tell({ mutant, duration, problem, note }: Verdict): void {
  const killed = duration > 0 ? `killed   ${seconds(duration)}` : 'skipped';
  const verdict = problem ? `FAILED   ${problem}` : `${killed}${note ? `  ${note}` : ''}`;
  console.log(`${mutant.duty.padEnd(6)} ${mutant.file}  ${verdict}`);
}

async function runThem(only: string | undefined): Promise<string[]> {
  const chosen = MUTANTS.filter(({ duty }) => only === undefined || duty === only);
  const started = Date.now();
  const verdicts = await runMutants(repository, chosen, tell);
  const survivors = verdicts.filter(({ problem }) => problem !== undefined);
  const killed = verdicts.filter(({ problem, duration }) => !problem && duration > 0).length;
  console.log(`\n${killed} of ${verdicts.length} mutants killed in ${seconds(Date.now() - started)}`);
  return survivors.map(({ mutant }) => `the mutant of ${mutant.duty} in ${mutant.file} was not killed`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { list: { type: 'boolean' }, level: { type: 'string' }, only: { type: 'string' } },
  });
  const tests = findNamedTests(repository);
  if (values.level !== undefined) {
    console.log(bareOf(values.level as Level, tests).join('\n'));
    return;
  }
  if (values.only === undefined) console.log(tableOf(tests).join('\n'));
  const problems = values.only === undefined ? problemsOfTests(tests) : [];
  if (!values.list) {
    if (values.only === undefined) problems.push(...problemsOfMutants(repository, MUTANTS));
    console.log('');
    problems.push(...(await runThem(values.only)));
  }
  if (problems.length === 0) return;
  console.error(`\n${problems.length} problems:\n${problems.map((line) => `  ${line}`).join('\n')}`);
  process.exitCode = 1;
}

void main();
