import { NOT_FOR_CODE } from './exceptions';
import { DUTIES, isMust, type Duty, type Level } from './duties';
import type { NamedTest } from './titles';

const LEVELS: readonly Level[] = ['M', 'MN', 'S', 'SN', 'm', 'W', 'R'];

/** What is wrong: musts without a test, and ids that no duty has. */
export function problemsOfTests(tests: readonly NamedTest[]): string[] {
  const known = new Set(DUTIES.map(({ id }) => id));
  const unknown = tests.flatMap(({ file, title, duties }) =>
    duties.filter((id) => !known.has(id)).map((id) => `${file}: "${title}" names ${id}, which is no duty`),
  );
  const named = namesOf(tests);
  const bare = DUTIES.filter((duty) => isMust(duty) && !named.has(duty.id) && !(duty.id in NOT_FOR_CODE));
  const stale = Object.keys(NOT_FOR_CODE).filter((id) => named.has(id) || !known.has(id));
  return [
    ...unknown,
    ...bare.map(({ id, title }) => `${id} (${title}) has no test`),
    ...stale.map((id) => `${id} has a test, so it is no exception any more`),
  ];
}

/** The lines of the table of duties and their tests, with a summary by level. */
export function tableOf(tests: readonly NamedTest[]): string[] {
  const named = namesOf(tests);
  const rows = DUTIES.flatMap((duty) => [
    `${duty.id.padEnd(6)} ${duty.levels.join(' ').padEnd(8)} ${duty.title}`,
    ...(named.get(duty.id) ?? []).map(({ file, title }) => `         ${file}: ${title}`),
    ...(duty.id in NOT_FOR_CODE ? [`         not for code: ${NOT_FOR_CODE[duty.id]}`] : []),
  ]);
  return [...rows, '', ...summaryOf(named)];
}

/** The duties of a level that no test names. */
export function bareOf(level: Level, tests: readonly NamedTest[]): string[] {
  const named = namesOf(tests);
  return DUTIES.filter(({ id, levels }) => levels.includes(level) && !named.has(id)).map(
    ({ id, title }) => `${id.padEnd(6)} ${title}${id in NOT_FOR_CODE ? ` (${NOT_FOR_CODE[id]})` : ''}`,
  );
}

/** How many duties of each level have a test. */
function summaryOf(named: ReadonlyMap<string, NamedTest[]>): string[] {
  return LEVELS.map((level) => {
    const duties = DUTIES.filter(({ levels }) => levels.includes(level));
    const without = duties.filter((duty) => !named.has(duty.id)).map(({ id }) => id);
    const count = `${duties.length - without.length} of ${duties.length}`;
    return `${level.padEnd(2)} ${count.padStart(10)} with a test${without.length ? `; without: ${without.join(' ')}` : ''}`;
  });
}

function namesOf(tests: readonly NamedTest[]): Map<Duty['id'], NamedTest[]> {
  const named = new Map<string, NamedTest[]>();
  for (const test of tests) {
    for (const id of test.duties) named.set(id, [...(named.get(id) ?? []), test]);
  }
  return named;
}
