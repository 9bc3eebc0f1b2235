import { isSamePlan, resultOf } from '../../core/review/plan';
import type { PlannedFile, Purpose, ReviewFiles, ReviewScreen, Trouble } from './reviewPorts';

/** A file that was changed: the bytes before and after, null for no file. */
export interface Applied {
  path: string;
  before: Uint8Array | null;
  after: Uint8Array | null;
}

/** What came of a plan. */
export interface Outcome {
  applied: Applied[];
  /** Files that were as wanted already. */
  unchanged: string[];
  /** Files with which it may go better another time, or for which the person did not choose. */
  left: string[];
}

/** What is to be done, and how it is asked. */
export interface PlanRun {
  purpose: Purpose;
  /** Reads everything anew and works out what would change. */
  plan(): Promise<PlannedFile[]>;
  /** False where nobody needs to be asked, but for conflicts. */
  asks: boolean;
  /** Told before the first file is changed. */
  beforeWriting?(applied: readonly Applied[]): Promise<void>;
}

/**
 * Shows what would change, asks, and does it. What was shown is what is done: files that changed meanwhile are planned and shown anew.
 * Undefined where the person said no, or said nothing.
 */
export async function runPlan(
  run: PlanRun,
  { files, screen }: { files: ReviewFiles; screen: ReviewScreen },
): Promise<Outcome | undefined> {
  let planned = await run.plan();
  while (run.asks && planned.some(needsYes)) {
    if (!(await screen.confirm(run.purpose, planned))) return undefined;
    const now = await run.plan();
    const same = isSame(planned, now);
    planned = now;
    if (same) break;
    screen.tell('changedMeanwhile');
  }
  const { wanted, undecided } = await chosen(planned, screen);
  await run.beforeWriting?.(wanted);
  const applied: Applied[] = [];
  const problems = planned.flatMap(obstacle);
  for (const item of wanted) {
    const written = await files.write(item.path, item.before, item.after);
    if (written === 'written') applied.push(item);
    else problems.push({ path: item.path, reason: written });
  }
  if (problems.length > 0) screen.tellProblems(problems);
  const unchanged = planned.filter(({ plan }) => plan.kind === 'unchanged').map(({ path }) => path);
  const failed = problems.filter(({ reason }) => mayPass(reason)).map(({ path }) => path);
  return { applied, unchanged, left: [...undecided, ...failed] };
}

/** Conflicts are asked one by one, and nothing else needs a yes. */
const needsYes = ({ plan: { kind } }: PlannedFile): boolean =>
  kind !== 'unchanged' && kind !== 'stuck' && kind !== 'conflict';

function isSame(one: readonly PlannedFile[], other: readonly PlannedFile[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ path, plan }, at) => {
      const match = other[at];
      return match?.path === path && isSamePlan(plan, match.plan);
    })
  );
}

const mayPass = (reason: Trouble): boolean =>
  reason === 'changed' || reason === 'unreadable' || typeof reason === 'object';

/** What is to be written, with the person's choice for each conflict. */
async function chosen(
  planned: readonly PlannedFile[],
  screen: ReviewScreen,
): Promise<{ wanted: Applied[]; undecided: string[] }> {
  const wanted: Applied[] = [];
  const undecided: string[] = [];
  for (const file of planned) {
    const after = resultOf(file.plan);
    if (after === undefined || file.current === undefined) continue;
    const choice = file.plan.kind === 'conflict' ? await screen.resolve(file) : 'earlier';
    if (choice === 'earlier') wanted.push({ path: file.path, before: file.current, after });
    else if (choice === undefined) undecided.push(file.path);
  }
  return { wanted, undecided };
}

function obstacle({ path, plan }: PlannedFile): { path: string; reason: Trouble }[] {
  return plan.kind === 'stuck' ? [{ path, reason: plan.why }] : [];
}
