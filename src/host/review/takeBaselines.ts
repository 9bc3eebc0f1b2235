import type { Baseline } from './baseline';
import { CopyBaseline } from './copyBaseline';
import { Copies } from './copies';
import type { Git } from './git';
import { GitBaseline } from './gitBaseline';

/** Repositories in one another that get baselines of their own. */
const MAX_REPOSITORIES = 20;
/** ms in which a baseline whose time is over is given as far as it came. */
const GRACE = 300;

export interface BaselineOptions {
  git: Git;
  /** Where copies are kept; outside the workspace. */
  storage: string;
  /** ms since the epoch. */
  now: () => number;
  log: (line: string) => void;
}

/** Takes the baselines of folders and remembers their copies, so that the next ones cost less. */
export class BaselineTaker {
  private readonly copies = new Map<string, Copies>();

  constructor(private readonly options: BaselineOptions) {}

  /** The baselines of a folder and of the repositories in it. Never rejects: what fails is left out, and logged. */
  async take(folder: string, signal: AbortSignal): Promise<Baseline[]> {
    const taken: Baseline[] = [];
    const waiting = [folder];
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (taken.length > MAX_REPOSITORIES) break;
      const found = await this.takeOne(next, signal).catch((error: unknown) => {
        this.options.log(`the baseline of ${folder} could not be taken: ${String(error)}`);
      });
      if (!found) continue;
      taken.push(found.baseline);
      waiting.push(...found.nested);
    }
    return taken;
  }

  /** The same for several folders; gives up after `time` ms, even where the file system does not answer. */
  async takeAll(folders: readonly string[], time: number): Promise<Baseline[]> {
    const over = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      const giveUp = (): void => {
        over.abort();
        timer = setTimeout(() => resolve(undefined), GRACE);
      };
      timer = setTimeout(giveUp, time);
    });
    const taking = Promise.all(folders.map((folder) => this.take(folder, over.signal)));
    const taken = await Promise.race([taking, late]).finally(() => clearTimeout(timer));
    if (taken) return taken.flat();
    this.options.log('the baseline of a turn took too long; what it changes on disk is not known');
    void taking.then((all) => Promise.all(all.flat().map((baseline) => baseline.dispose())));
    return [];
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.copies.values()].map((copies) => copies.dispose()));
    this.copies.clear();
  }

  private async takeOne(
    folder: string,
    signal: AbortSignal,
  ): Promise<{ baseline: Baseline; nested: string[] }> {
    const { git, storage } = this.options;
    const copies = this.copiesOf(folder);
    const found = await GitBaseline.take(folder, { git, copies, storage }, signal);
    return found ?? CopyBaseline.take(folder, copies, signal);
  }

  private copiesOf(folder: string): Copies {
    const { storage, now } = this.options;
    const known = this.copies.get(folder) ?? new Copies({ folder: storage, now });
    this.copies.set(folder, known);
    return known;
  }
}
