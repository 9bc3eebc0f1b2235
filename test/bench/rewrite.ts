import { withScripts } from './bundled';
import type { Compared } from './rewriteProcess';

/** The comparison of a rewritten file, in the order of the runs. */
export interface RewriteResult {
  lines: number;
  /** Counted for the list of changed files. */
  tracker: Compared[];
  /** Compared when a tool call brings the diff. */
  toolCall: Compared[];
  /** Compared in one piece by the library. */
  control: Compared[];
}

/**
 * Compares a file of which half of the lines were rewritten, in processes of their own.
 *
 * @throws Error if they do not count the same.
 */
export function measureRewrite(lines: number, rounds: number): Promise<RewriteResult> {
  return withScripts(['test/bench/rewriteProcess.ts', 'src/host/review/diffWorker.ts'], async (run) => {
    const one = async (kind: string): Promise<Compared> => (await run(kind, String(lines))) as Compared;
    const result: RewriteResult = { lines, tracker: [], toolCall: [], control: [await one('control')] };
    for (let round = 0; round < rounds; round++) {
      result.tracker.push(await one('tracker'));
      result.toolCall.push(await one('toolCall'));
    }
    const all = [...result.tracker, ...result.toolCall, ...result.control];
    const counts = new Set(all.map(({ added, removed }) => `+${added} −${removed}`));
    if (counts.size > 1) throw new Error(`The comparisons say ${[...counts].join(', ')}.`);
    return result;
  });
}
