import { copyFile, lstat, mkdir, rm, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Git } from './git';
import { namesWithFilter, readEntries, readFiles, type IndexEntry } from './gitObjects';

/** Bytes of an index that is read as a whole, since starting git for each question costs more. */
const SMALL = 512 << 10;

/** A copy of a repository's index, which says what was tracked when it was made. */
export class IndexCopy {
  private all: Promise<Map<string, IndexEntry> | undefined> | undefined;
  private filtered: Promise<Set<string> | undefined> | undefined;

  private constructor(
    private readonly git: Git,
    /** To run git with. */
    readonly place: { folder: string; index: string },
    /** 0 in a repository without anything in it, which has no index. */
    private readonly size: number,
  ) {}

  /**
   * Copies an index with its time: by that git tells which files it must look at again.
   *
   * @throws what the file system throws.
   */
  static async make(git: Git, from: string, place: { folder: string; index: string }): Promise<IndexCopy> {
    await mkdir(dirname(place.index), { recursive: true });
    try {
      const { mtimeMs, size } = await stat(from);
      await copyFile(from, place.index);
      const seconds = Math.floor(mtimeMs / 1000);
      await utimes(place.index, seconds, seconds);
      return new IndexCopy(git, place, size);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return new IndexCopy(git, place, 0);
    }
  }

  /** The entries of those names that have one; there may be others in the answer. Undefined where git does not say. */
  async entries(names: readonly string[]): Promise<Map<string, IndexEntry> | undefined> {
    if (this.size === 0) return new Map();
    const known = await this.all;
    if (known) return known;
    // Git takes an index that is gone for an empty one.
    if (!(await isThere(this.place.index))) return undefined;
    if (this.size > SMALL) return readEntries(this.git, this.place, names);
    this.all ??= readEntries(this.git, this.place, ['.']);
    const all = await this.all;
    if (!all) this.all = undefined;
    return all;
  }

  /** The bytes that the files of these entries had, by name; see `readFiles`. */
  async files(entries: readonly IndexEntry[]): Promise<Map<string, Buffer>> {
    return readFiles(this.git, this.place, { entries, filtered: () => this.filteredOf(entries) });
  }

  async dispose(): Promise<void> {
    await rm(this.place.index, { force: true });
  }

  private async filteredOf(entries: readonly IndexEntry[]): Promise<Set<string> | undefined> {
    const all = await this.all;
    if (!all) return namesWithFilter(this.git, this.place, entries);
    this.filtered ??= namesWithFilter(this.git, this.place, [...all.values()]);
    const filtered = await this.filtered;
    if (!filtered) this.filtered = undefined;
    return filtered;
  }
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
