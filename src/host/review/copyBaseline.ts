import { join, relative, sep } from 'node:path';
import {
  fromSnapshot,
  isAsCopied,
  isInSnapshot,
  isUntouched,
  isWrittenSince,
  type Baseline,
  type Earlier,
  type Found,
} from './baseline';
import type { Copies, Taken } from './copies';
import { forEach, type OnDisk } from './diskFile';
import { SKIPPED, walk } from './walk';

/** Files of a folder without git that are looked at. */
const MAX_WALKED = 20_000;
/** Larger files are not copied, in bytes. */
const MAX_FILE = 1 << 20;

/** Copies of the text files of a folder that git does not know. */
export class CopyBaseline implements Baseline {
  private constructor(
    readonly folder: string,
    private readonly taken: Taken,
    /** True where every file is in the snapshot. */
    private readonly complete: boolean,
    /** What was not looked into: repositories; links and the like. */
    private readonly notEntered: { repositories: ReadonlySet<string>; others: ReadonlySet<string> },
  ) {}

  static async take(folder: string, copies: Copies, signal: AbortSignal): Promise<Found> {
    const { files, repositories, others, complete } = await walk(folder, MAX_WALKED, signal);
    const rules = { maxFile: MAX_FILE, textOnly: true };
    const taken = await copies.take(files, rules, signal);
    const isWhole = complete && !signal.aborted && files.every((path) => taken.files.has(path));
    const baseline = new CopyBaseline(folder, taken, isWhole, {
      repositories: new Set(repositories),
      others: new Set(others),
    });
    return { baseline, nested: repositories };
  }

  isAsBegun(path: string, now: OnDisk): Promise<boolean> {
    const copied = this.taken.files.get(path);
    if (copied !== undefined) return Promise.resolve(isAsCopied(copied, now));
    return Promise.resolve(now.kind === 'absent' && this.outside(path).kind === 'absent');
  }

  has(path: string): Promise<boolean> {
    return Promise.resolve(isInSnapshot(this.taken.files, path));
  }

  async earlier(paths: readonly string[]): Promise<Map<string, Earlier>> {
    const found = new Map<string, Earlier>();
    for (const path of paths)
      found.set(path, (await fromSnapshot(this.taken.files, path)) ?? this.outside(path));
    return found;
  }

  async candidates(): Promise<string[]> {
    const { files, repositories } = await walk(this.folder, 2 * MAX_WALKED);
    // One that was made in this turn, by `git init` or `git clone`.
    const made = repositories.filter((folder) => !this.notEntered.repositories.has(folder));
    const inMade = await Promise.all(made.map((folder) => walk(folder, MAX_WALKED)));
    const all = new Set([...this.taken.files.keys(), ...files, ...inMade.flatMap((walked) => walked.files)]);
    const changed: string[] = [];
    await forEach(all, async (path) => {
      if (await this.mayDiffer(path)) changed.push(path);
    });
    return changed;
  }

  async dispose(): Promise<void> {
    await this.taken.release();
  }

  private async mayDiffer(path: string): Promise<boolean> {
    const { files, takenAt } = this.taken;
    if (files.has(path)) return !(await isUntouched(files, path));
    // It may have been there already.
    return this.complete || isWrittenSince(path, takenAt);
  }

  /** A path that is not in the snapshot. */
  private outside(path: string): Earlier {
    const names = relative(this.folder, path).split(sep);
    const parents = names.slice(0, -1).map((_, at) => join(this.folder, ...names.slice(0, at + 1)));
    if (names.slice(0, -1).some((name) => SKIPPED.has(name))) return { kind: 'ignored' };
    if ([...parents, path].some((place) => this.notEntered.others.has(place))) return { kind: 'ignored' };
    const isNested = parents.some((parent) => this.notEntered.repositories.has(parent));
    return this.complete && !isNested ? { kind: 'absent' } : { kind: 'unknown' };
  }
}
