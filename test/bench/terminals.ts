import { join } from 'node:path';
import { repository } from '../vscode/setup.mjs';
import { withScripts } from './bundled';
import type { Flooded, Lasting } from './terminalsProcess';

/** What commands may cost. */
export const terminalBounds = {
  /** Time to read the same pty raw ÷ time through Parley: the least that it may be. */
  throughput: 0.7,
  /** Growth of the heap in a flood ÷ the limit of the output in bytes. */
  growth: 3,
  /** Handles, listeners and heap after many short commands ÷ before them. */
  lasting: 1.05,
} as const;

/** Bytes to which the output of a command is limited. */
const LIMIT = 1 << 20;

export interface TerminalsResult {
  bytes: number;
  commands: number;
  raw: Flooded[];
  flood: Flooded[];
  heap: Flooded[];
  before: Lasting;
  after: Lasting;
  ratios: { throughput: number; growth: number; heap: number; handles: number; listeners: number };
}

const least = (runs: readonly Flooded[], key: 'wall' | 'growth'): number =>
  Math.min(...runs.map((run) => run[key]));

/**
 * Runs a command with much output and many short commands through Parley, in processes of their own, by turns with reading the same pty
 * raw. The least of the rounds counts: a busy machine only ever adds.
 */
export function measureTerminals(
  { bytes, commands }: { bytes: number; commands: number },
  rounds: number,
): Promise<TerminalsResult> {
  const nodePty = join(repository, 'node_modules', 'node-pty', 'lib', 'index.js');
  return withScripts(['test/bench/terminalsProcess.ts'], async (run) => {
    const one = async (kind: string): Promise<Flooded> =>
      (await run(kind, nodePty, String(bytes))) as Flooded;
    const raw: Flooded[] = [];
    const flood: Flooded[] = [];
    const heap: Flooded[] = [];
    for (let round = 0; round < rounds; round++) {
      raw.push(await one('raw'));
      flood.push(await one('flood'));
      heap.push(await one('heap'));
    }
    const short = (await run('short', nodePty, String(commands))) as { before: Lasting; after: Lasting };
    const { before, after } = short;
    const ratios = {
      throughput: least(raw, 'wall') / least(flood, 'wall'),
      growth: least(heap, 'growth') / LIMIT,
      heap: after.heap / before.heap,
      handles: after.handles / Math.max(1, before.handles),
      listeners: after.listeners / Math.max(1, before.listeners),
    };
    return { bytes, commands, raw, flood, heap, before, after, ratios };
  });
}
