import type { LoopCost } from './agentLoopProcess';
import { withScripts } from './bundled';

/** What the loop may cost; see `ratios`. */
export const agentLoopBounds = { control: 60, twice: 2.3 } as const;

/** What a prompt turn cost, in the order of the runs. */
export interface AgentLoopResult {
  calls: number;
  loop: LoopCost[];
  /** Without the log on disk. */
  memory: LoopCost[];
  /** The model's events alone. */
  control: LoopCost[];
  /** The loop with twice as many model calls. */
  twice: LoopCost[];
  /** By the least CPU of each. */
  ratios: {
    /** Loop ÷ control. */
    control: number;
    /** Twice as many calls ÷ the calls. */
    twice: number;
  };
  /** µs of CPU for one model call with one tool. */
  perCall: { loop: number; memory: number; control: number };
}

const least = (runs: readonly LoopCost[]): number => Math.min(...runs.map(({ cpu }) => cpu));

/**
 * Runs prompt turns of so many model calls with one tool each, in processes of their own, and only takes what the same model says,
 * by turns. What counts is the least of the rounds: a busy machine only ever adds.
 *
 * @throws Error if a turn did not run to its end, or its log holds less than what happened.
 */
export function measureAgentLoop(calls: number, rounds: number): Promise<AgentLoopResult> {
  return withScripts(['test/bench/agentLoopProcess.ts'], async (run) => {
    const one = async (kind: string, count = calls): Promise<LoopCost> =>
      (await run(kind, String(count))) as LoopCost;
    const runs = { loop: [], memory: [], control: [], twice: [] } as Record<
      'loop' | 'memory' | 'control' | 'twice',
      LoopCost[]
    >;
    for (let round = 0; round < rounds; round++) {
      runs.control.push(await one('control'));
      runs.loop.push(await one('loop'));
      runs.memory.push(await one('memory'));
      runs.twice.push(await one('loop', 2 * calls));
    }
    const [loop, memory, control, twice] = [runs.loop, runs.memory, runs.control, runs.twice].map(least);
    const per = (ms = NaN): number => (1000 * ms) / calls;
    return {
      calls,
      ...runs,
      ratios: { control: (loop ?? NaN) / (control ?? NaN), twice: (twice ?? NaN) / (loop ?? NaN) },
      perCall: { loop: per(loop), memory: per(memory), control: per(control) },
    };
  });
}
