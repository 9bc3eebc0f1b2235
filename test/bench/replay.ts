import { join } from 'node:path';
import { repository } from '../vscode/setup.mjs';
import { withScripts } from './bundled';
import type { Replayed } from './replayProcess';
import { replayLines } from './replayStream.mjs';

/** What a replay may cost. */
export const replayBounds = {
  /** CPU of Parley ÷ CPU of splitting and parsing alone. */
  cpu: 6,
  /** CPU of twice as many updates ÷ CPU of the updates. */
  twice: 2.3,
  /** Kept heap ÷ bytes of NDJSON. */
  heap: 3,
} as const;

/** What a replay cost, as ratios; see `replayBounds`. */
export interface ReplayRatios {
  cpu: number;
  twice: number;
  heap: number;
}

/** Several runs of one kind each, in the order they were. */
export interface ReplayResult {
  updates: number;
  /** Of NDJSON. */
  bytes: number;
  control: Replayed[];
  parley: Replayed[];
  /** Parley with twice as many updates. */
  twice: Replayed[];
  ratios: ReplayRatios;
}

/** Measures one replay in a process of its own. */
export type MeasureOne = (kind: 'parley' | 'control', updates: number) => Promise<Replayed>;

const least = (runs: readonly Replayed[], key: 'cpu' | 'kept'): number =>
  Math.min(...runs.map((run) => run[key]));

/** Builds what measures, gives it to the work and takes it away again. */
export function withReplayProcess<T>(work: (measure: MeasureOne) => Promise<T>): Promise<T> {
  const agent = join(repository, 'test', 'bench', 'replayAgent.mjs');
  return withScripts(['test/bench/replayProcess.ts'], (run) =>
    work(async (kind, updates) => (await run(kind, agent, String(updates))) as Replayed),
  );
}

/**
 * Replays so many updates from a child process through Parley, and through its control, by turns. What counts is the least of the
 * rounds: a busy machine only ever adds.
 *
 * @throws Error if a run lost an update or a letter.
 */
export async function measureReplay(
  measure: MeasureOne,
  updates: number,
  rounds: number,
): Promise<ReplayResult> {
  const control: Replayed[] = [];
  const parley: Replayed[] = [];
  const twice: Replayed[] = [];
  for (let round = 0; round < rounds; round++) {
    control.push(await measure('control', updates));
    parley.push(await measure('parley', updates));
    twice.push(await measure('parley', 2 * updates));
  }
  const [expected] = control;
  for (const run of parley) {
    if (run.updates !== updates || run.text !== expected?.text)
      throw new Error(`Of ${updates} updates ${run.updates} arrived, with ${run.text} letters.`);
  }
  let bytes = 0;
  for (const line of replayLines(updates)) bytes += Buffer.byteLength(line);
  const ratios = {
    cpu: least(parley, 'cpu') / least(control, 'cpu'),
    twice: least(twice, 'cpu') / least(parley, 'cpu'),
    heap: least(parley, 'kept') / bytes,
  };
  return { updates, bytes, control, parley, twice, ratios };
}
