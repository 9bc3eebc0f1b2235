import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DUTIES, isMust } from './duties';
import { NO_MUTANT, NOT_FOR_CODE } from './exceptions';
import type { Mutant } from './mutant';
import { runTests, type Run } from './run';

/** What came of a mutant; `problem` is undefined if a test noticed it, or if its tests can't run here. */
export interface Verdict {
  mutant: Mutant;
  /** ms */
  duration: number;
  problem?: string;
  /** What is worth a look nevertheless. */
  note?: string;
}

const PARALLEL = 2;

/** Tests that name the duty, and not one whose id only begins alike. */
const grepOf = ({ duty, grep }: Mutant): string => grep ?? `\\b${duty}\\b`;

/** What is wrong with the list itself: musts without a mutant, texts that are not found exactly once. */
export function problemsOfMutants(repository: string, mutants: readonly Mutant[]): string[] {
  const covered = new Set(mutants.map(({ duty }) => duty));
  const excused = (id: string): boolean => id in NOT_FOR_CODE || id in NO_MUTANT;
  const bare = DUTIES.filter((duty) => isMust(duty) && !covered.has(duty.id) && !excused(duty.id));
  const stale = Object.keys(NO_MUTANT).filter((id) => covered.has(id));
  const lost = mutants.flatMap(({ duty, file, find }) => {
    const count = occurrences(join(repository, file), find);
    return count === 1 ? [] : [`the mutant of ${duty} finds its text ${count} times in ${file}: ${find}`];
  });
  return [
    ...bare.map(({ id, title }) => `${id} (${title}) has no mutant`),
    ...stale.map((id) => `${id} has a mutant, so it is no exception any more`),
    ...lost,
  ];
}

function occurrences(path: string, find: string): number {
  try {
    return readFileSync(path, 'utf8').split(find).length - 1;
  } catch {
    return 0; // The file has gone, and the text with it.
  }
}

/** Runs each mutant, and before it once the tests as they are; tells each verdict when it is known. */
export async function runMutants(
  repository: string,
  mutants: readonly Mutant[],
  tell: (verdict: Verdict) => void,
): Promise<Verdict[]> {
  const plain = new Map<string, Promise<Run>>();
  const plainRun = (test: string): Promise<Run> => {
    const greps = mutants.filter((mutant) => mutant.test === test).map(grepOf);
    const known = plain.get(test) ?? runTests(repository, test, [...new Set(greps)].join('|'));
    plain.set(test, known);
    return known;
  };
  const verdicts: Verdict[] = [];
  const waiting = [...mutants];
  const work = async (): Promise<void> => {
    for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
      const before = judgeBefore(mutant, await plainRun(mutant.test));
      const verdict =
        before ?? judge(mutant, await runTests(repository, mutant.test, grepOf(mutant), mutant));
      verdicts.push(verdict);
      tell(verdict);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return verdicts;
}

/** The verdict of a mutant that can't be judged by its tests: they fail without it, are skipped, or there are none. */
function judgeBefore(mutant: Mutant, { result, output }: Run): Verdict | undefined {
  const verdict = { mutant, duration: 0 };
  if (!result) return { ...verdict, problem: `${mutant.test} does not run:\n${output.slice(-2_000)}` };
  const chosen = new RegExp(grepOf(mutant));
  const failed = result.failures.filter((title) => chosen.test(title));
  if (failed.length > 0)
    return { ...verdict, problem: `the test fails without the mutant: ${failed.join('; ')}` };
  if (result.passes.some((title) => chosen.test(title))) return undefined;
  const skipped = result.skipped.some((title) => chosen.test(title));
  // What is skipped on a machine of a person must run in CI.
  if (skipped && !process.env['CI']) return { ...verdict, note: 'its tests are skipped here' };
  return { ...verdict, problem: `no test in ${mutant.test} runs for ${grepOf(mutant)}` };
}

/** Only a test that ran on the changed source and failed counts; an error on loading does not. */
function judge(mutant: Mutant, { result, changed, output, duration }: Run): Verdict {
  const verdict = { mutant, duration };
  if (!result)
    return { ...verdict, problem: `the tests did not load or did not end:\n${output.slice(-2_000)}` };
  if (!changed) return { ...verdict, problem: 'the changed text was not loaded' };
  const { failures, late } = result;
  if (failures.length === 0) return { ...verdict, problem: 'survived: the tests pass all the same' };
  return failures.length > late.length ? verdict : { ...verdict, note: 'by its time limit' };
}
