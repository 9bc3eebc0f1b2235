import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from '../vscode/setup.mjs';
import { withScripts } from './bundled';
import type { Tracked } from './trackerProcess';

/** The most that tracking may cost: CPU of the host with it ÷ without it. */
export const trackerBound = 1.1;

/** What is tracked. */
export interface TrackerLoad {
  /** Files of the workspace, and how many of them the agent changes in its turn. */
  files: number;
  changed: number;
  chunks: number;
  /** ms between two chunks. */
  pause: number;
}

/** Turns with the tracker and without it, in the order they were. */
export interface TrackerResult {
  load: TrackerLoad;
  on: Tracked[];
  off: Tracked[];
  /** CPU of the host with the tracker ÷ without it, by the least of the rounds. */
  ratio: number;
}

const FOLDERS = 40;
const source = (seed: number): string =>
  Array.from({ length: 100 }, (_, at) => `export const value${at} = compute(${seed}, ${at});\n`).join('');

function makeWorkspace(folder: string, count: number): string[] {
  const files: string[] = [];
  for (let at = 0; at < count; at++) {
    const parent = join(folder, `part${at % FOLDERS}`);
    mkdirSync(parent, { recursive: true });
    const path = join(parent, `file${at}.ts`);
    writeFileSync(path, source(at));
    files.push(path);
  }
  git(folder, 'init', '-q');
  git(folder, 'add', '.');
  git(folder, '-c', 'user.name=bench', '-c', 'user.email=bench@localhost', 'commit', '-qm', 'begin');
  return files;
}

function git(folder: string, ...args: string[]): void {
  execFileSync('git', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

/**
 * One turn of an agent that streams and changes files by itself, with the tracker and without it, by turns and each in a process of its
 * own.
 *
 * @throws Error if a chunk was lost or a change was not seen.
 */
export async function measureTracker(load: TrackerLoad, rounds: number): Promise<TrackerResult> {
  const temporary = mkdtempSync(join(tmpdir(), 'parley-tracker-'));
  try {
    const folder = join(temporary, 'workspace');
    const every = Math.floor(load.files / load.changed);
    const changed = makeWorkspace(folder, load.files)
      .filter((_, at) => at % every === 0)
      .slice(0, load.changed);
    const agent = join(repository, 'test', 'bench', 'editAgent.mjs');
    const result: TrackerResult = { load, on: [], off: [], ratio: 0 };
    await withScripts(['test/bench/trackerProcess.ts', 'src/host/review/diffWorker.ts'], async (run) => {
      const one = async (kind: 'on' | 'off', round: number): Promise<Tracked> => {
        const storage = join(temporary, `${kind}${round}`);
        const figures = [load.chunks, load.pause].map(String);
        const tracked = (await run(kind, storage, folder, agent, ...figures, ...changed)) as Tracked;
        git(folder, 'reset', '-q', '--hard');
        check(tracked, kind === 'on' ? load : { ...load, changed: 0 });
        return tracked;
      };
      for (let round = 0; round < rounds; round++) {
        result.off.push(await one('off', round));
        result.on.push(await one('on', round));
      }
    });
    const least = (runs: readonly Tracked[]): number => Math.min(...runs.map(({ cpu }) => cpu));
    return { ...result, ratio: least(result.on) / least(result.off) };
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function check({ chunks, files }: Tracked, wanted: TrackerLoad): void {
  if (chunks !== wanted.chunks) throw new Error(`Of ${wanted.chunks} chunks ${chunks} arrived.`);
  if (files !== wanted.changed) throw new Error(`Of ${wanted.changed} changed files ${files} are listed.`);
}
