import { realpath } from 'node:fs/promises';
import { dirname, join, normalize, relative, sep } from 'node:path';
import { merge } from '../../core/diff/merge';
import { isInside } from '../../core/files/containment';
import { isBinary, toBytes, toUnits } from '../../core/review/units';
import { PATH_RULES, whereLeads } from '../files/boundary';
import type { Baseline, Earlier } from './baseline';
import { isSameVersion, type Contents, type FileChange, type Version } from './changeRecords';
import { ContentStore, type Holder } from './contents';
import { forEach, isFresh, lookAt, readDisk, type OnDisk } from './diskFile';
import type { Root } from './roots';

/** What belongs to the repository, not to its files. */
const REPOSITORY = new Set(['.git', '.hg', '.svn']);
/** Paths that are compared in one go; what is read for them is in memory at the same time. */
const AT_ONCE = 128;
/** Files that are read side by side. */
const WIDTH = 8;

export interface RunningTurnOptions {
  key: string;
  number: number;
  roots: readonly Root[];
  baselines: readonly Baseline[];
  /** ms since the epoch, before the baselines were taken. */
  startedAt: number;
  contents: Contents;
  /** Keeps what the turn needs until it is over. */
  holder: Holder;
  /** True for a real path that is being written by somebody who is known; it is compared afterwards. */
  isHeld: (real: string) => boolean;
}

/** Where folders lead, each looked up once while files are compared in one go. */
type Folders = Map<string, Promise<string | undefined>>;

/** What is known of a file before it is read. */
interface Findings {
  /** What was there just now. */
  seen: OnDisk | undefined;
  /** What it had when the turn began, where that must be known. */
  earlier: Earlier | undefined;
}

/** How a change was noticed. */
export interface Noticed {
  /** By a write of this session through the protocol, so it is nobody else's. */
  own?: boolean;
  /** The path was named, so a file that is gone was there a moment ago. */
  named?: boolean;
}

/** What one turn did so far. One thing at a time is done to it; see `inOrder`. */
export class RunningTurn {
  /** Turns of other sessions that run at the same time. */
  readonly companions = new Set<RunningTurn>();
  private readonly files = new Map<string, FileChange>();
  /** The earlier text where it is not what the baseline has: captured later, or changed by a person. */
  private readonly earlierTexts = new Map<string, Version>();
  /** The signatures with which files were compared last, where no later write can have the same one. */
  private readonly compared = new Map<string, string>();
  private readonly baselines: readonly Baseline[];
  private readonly roots: Root[];
  private queue: Promise<unknown> = Promise.resolve();
  private isOver = false;

  constructor(readonly options: RunningTurnOptions) {
    this.roots = [...options.roots];
    // The innermost first.
    this.baselines = options.baselines.toSorted((a, b) => b.folder.length - a.folder.length);
  }

  get changes(): FileChange[] {
    return [...this.files.values()];
  }

  /** Runs a task after the ones before it. */
  inOrder<T>(task: () => Promise<T>): Promise<T> {
    const done = this.queue.then(task);
    this.queue = done.catch(() => undefined);
    return done;
  }

  /** The path by which a file is tracked, given any absolute path to it, or its real path; undefined outside the folders. */
  pathOf(path: string): string | undefined {
    for (const { folder, real } of this.roots) {
      const from = isInside(path, folder, PATH_RULES)
        ? folder
        : isInside(path, real, PATH_RULES)
          ? real
          : undefined;
      if (from === undefined) continue;
      const parts = relative(from, path).split(sep);
      return parts.some((part) => REPOSITORY.has(part)) ? undefined : join(folder, ...parts);
    }
    return undefined;
  }

  /** True while somebody who is known writes the file. */
  isHeld(path: string): boolean {
    const real = this.realOf(path);
    return real !== undefined && this.options.isHeld(real);
  }

  /** True where a person or another session named it, or it is changed: it is looked at when the turn ends. */
  get watched(): string[] {
    return [...this.files.keys(), ...this.earlierTexts.keys()];
  }

  /** All paths that may be different by now. */
  async candidates(): Promise<string[]> {
    const found = await Promise.all(this.baselines.map((baseline) => baseline.candidates()));
    const paths = found.flat().flatMap((path) => this.pathOf(path) ?? []);
    return [...new Set([...paths, ...this.watched])];
  }

  /** Compares files with their earlier text; paths as `pathOf` gives them. True if what the turn changed is something else now. */
  async compare(paths: readonly string[], noticed: Noticed = {}): Promise<boolean> {
    let changed = false;
    const free = paths.filter((path) => !this.isHeld(path));
    for (let at = 0; at < free.length; at += AT_ONCE) {
      const some = free.slice(at, at + AT_ONCE);
      changed = (await this.inOrder(() => this.compareSome(some, noticed))) || changed;
    }
    return changed;
  }

  /** Tracks files beside this one, too, given its real path: a person allowed the agent to write there. */
  admit(path: string): void {
    if (this.pathOf(path) !== undefined) return;
    const folder = dirname(path);
    this.roots.push({ folder, real: folder });
  }

  /** The agent named an absolute path, so it may be about to change the file. */
  async name(given: string): Promise<void> {
    // What the baseline has was no link and behind none, so it needs no look at the disk.
    const direct = this.pathOf(normalize(given));
    if (direct !== undefined && (await this.baselineFor(direct)?.has(direct))) return;
    const real = await whereLeads(given);
    if (real === undefined || !this.options.roots.some((root) => isInside(real, root.real, PATH_RULES)))
      return;
    const path = this.pathOf(real);
    if (path !== undefined) await this.capture(path);
  }

  /**
   * Keeps what a file has now, where the baseline does not know it: the agent may be about to change it. For one that is `written` now
   * this spares asking the baseline afterwards.
   */
  async capture(path: string, written = false): Promise<void> {
    if (!written && (await this.baselineFor(path)?.has(path))) return;
    const disk = await this.read(path);
    await this.inOrder(async () => {
      if (this.isOver || this.files.has(path) || this.earlierTexts.has(path)) return;
      this.compared.delete(path);
      const isKnown = disk.kind === 'absent' || (disk.kind === 'file' && !!disk.bytes);
      if (await this.isAsBegun(path, disk)) {
        if (isKnown && (written || disk.kind === 'absent'))
          this.earlierTexts.set(path, await this.versionOf(disk));
        return;
      }
      const earlier = (await this.baselineOf([path])).get(path);
      if (earlier ? !this.isWorthCapture(earlier, disk) : disk.kind === 'other') return;
      this.earlierTexts.set(path, await this.versionOf(disk));
    });
  }

  /**
   * Somebody else gave the file these bytes: a person, or another session. That is no change of this turn; where the turn changed the
   * file before, the difference goes into the earlier text, if it can. True if what the turn changed is something else now.
   */
  absorb(path: string, now: OnDisk | { kind: 'file'; bytes: Uint8Array }): Promise<boolean> {
    return this.inOrder(async () => {
      if (this.isOver) return false;
      this.compared.delete(path);
      const version = await this.versionOf(now);
      const change = this.files.get(path);
      if (!change) {
        this.earlierTexts.set(path, version);
        return false;
      }
      if (isSameVersion(change.after, version)) return false;
      const before = await this.carry(change.before, change.after, version);
      if (before !== 'unknown') this.earlierTexts.set(path, before);
      if (isSameVersion(before, version)) this.files.delete(path);
      else this.files.set(path, { ...change, before, base: before, after: version });
      return true;
    });
  }

  /** Resolves when what is under way is done; nothing is compared afterwards. */
  async dispose(): Promise<void> {
    await this.inOrder(() => {
      this.isOver = true;
      return Promise.resolve();
    });
    this.options.holder.release();
    await Promise.all(this.baselines.map((baseline) => baseline.dispose()));
  }

  private async compareSome(paths: readonly string[], noticed: Noticed): Promise<boolean> {
    // Without its baseline every file would seem new.
    if (this.isOver) return false;
    const isNew = (path: string): boolean => !this.files.has(path) && !this.earlierTexts.has(path);
    const folders: Folders = new Map();
    const open = new Map<string, OnDisk>();
    await forEach(paths, async (path) => {
      const seen = await this.look(path, folders);
      const isDone = isNew(path) ? await this.isNoChange(path, seen, noticed) : this.isCompared(path, seen);
      if (!isDone) open.set(path, seen);
    });
    const others = paths.filter((path) => open.has(path));
    const earlier = await this.baselineOf(others.filter(isNew));
    let changed = false;
    for (let at = 0; at < others.length; at += WIDTH) {
      const settling = others
        .slice(at, at + WIDTH)
        .map((path) => this.settle(path, { seen: open.get(path), earlier: earlier.get(path) }, noticed));
      for (const settle of await Promise.all(settling)) changed = settle() || changed;
    }
    return changed;
  }

  /** What needs no closer look. Folders are told as well; one in the place of a file is found when the turn ends. */
  private async isNoChange(path: string, disk: OnDisk, { named = false }: Noticed): Promise<boolean> {
    return (named && disk.kind === 'other') || this.isAsBegun(path, disk);
  }

  private isCompared(path: string, disk: OnDisk): boolean {
    return disk.kind === 'file' && this.compared.get(path) === disk.signature.text;
  }

  private async isAsBegun(path: string, disk: OnDisk): Promise<boolean> {
    const baseline = this.baselineFor(path);
    return baseline !== undefined && baseline.isAsBegun(path, disk);
  }

  private baselineFor(path: string): Baseline | undefined {
    return this.baselines.find(({ folder }) => isInside(path, folder, PATH_RULES));
  }

  /** Finds out what became of a file; what it gives takes that in, and is true if it is something new. */
  private async settle(path: string, { seen, earlier }: Findings, noticed: Noticed): Promise<() => boolean> {
    const lookedAt = Date.now();
    const disk = await readDisk(path, undefined, seen);
    const known = this.files.get(path);
    const text = known?.before ?? this.earlierTexts.get(path);
    const isAsBefore =
      text === undefined
        ? !earlier || !this.differs(earlier, disk, noticed)
        : this.isAsBefore(text, disk, known !== undefined);
    this.noteCompared(path, disk, lookedAt);
    if (isAsBefore) return () => this.files.delete(path);
    const [after, before] = await Promise.all([this.afterOf(path, disk), text ?? this.keep(earlier)]);
    if (known && isSameVersion(known.after, after)) return () => false;
    const was = known ?? { binary: false, shared: false };
    const binary = was.binary || [earlier, disk].some(hasBinaryBytes);
    const shared = was.shared || this.mayBeOthers(path, noticed);
    return () => {
      this.files.set(path, { path, before, after, base: before, binary, shared });
      return true;
    };
  }

  private noteCompared(path: string, disk: OnDisk, lookedAt: number): void {
    if (disk.kind === 'file' && disk.bytes && !isFresh(disk.signature, lookedAt))
      this.compared.set(path, disk.signature.text);
    else this.compared.delete(path);
  }

  private async afterOf(path: string, disk: OnDisk): Promise<Version> {
    const after = await this.versionOf(disk);
    // There may be room for it later.
    if (after === 'unknown') this.compared.delete(path);
    return after;
  }

  private mayBeOthers(path: string, { own = false }: Noticed): boolean {
    return !own && [...this.companions].some((turn) => turn.pathOf(path) !== undefined);
  }

  private isAsBefore(before: Version, disk: OnDisk, isListed: boolean): boolean {
    if (before === 'unknown') return !isListed;
    if (before === 'absent') return disk.kind !== 'file';
    return disk.kind === 'file' && !!disk.bytes && ContentStore.hashOf(disk.bytes) === before.hash;
  }

  private differs(earlier: Earlier, disk: OnDisk, { named = false }: Noticed): boolean {
    switch (earlier.kind) {
      case 'ignored':
        return false;
      case 'absent':
        return disk.kind === 'file';
      case 'bytes':
        return disk.kind !== 'file' || !disk.bytes?.equals(earlier.bytes);
      case 'unknown':
        if (disk.kind !== 'file') return earlier.signature !== undefined || (named && disk.kind === 'absent');
        return earlier.signature
          ? earlier.signature.text !== disk.signature.text
          : disk.signature.changedAt >= this.options.startedAt;
    }
  }

  /** What the baseline does not have, as long as it is what the turn found. */
  private isWorthCapture(earlier: Earlier, disk: OnDisk): boolean {
    if (disk.kind === 'other') return false;
    if (earlier.kind === 'ignored') return true;
    return (
      earlier.kind === 'unknown' && disk.kind === 'file' && !!disk.bytes && !this.differs(earlier, disk, {})
    );
  }

  private async keep(earlier: Earlier | undefined): Promise<Version> {
    if (earlier?.kind === 'bytes') return this.options.holder.put(earlier.bytes);
    return earlier?.kind === 'absent' ? 'absent' : 'unknown';
  }

  private async versionOf(found: OnDisk | { kind: 'file'; bytes: Uint8Array }): Promise<Version> {
    if (found.kind !== 'file') return 'absent';
    return found.bytes ? this.options.holder.put(found.bytes) : 'unknown';
  }

  /** The earlier text with what somebody did to the later one; the earlier text as it is where that does not fit. */
  private async carry(before: Version, after: Version, now: Version): Promise<Version> {
    if (typeof before !== 'object' || typeof after !== 'object' || typeof now !== 'object') return before;
    const { contents, holder } = this.options;
    const [mine, base, theirs] = await Promise.all(
      [before, after, now].map((version) => contents.get(version)),
    );
    if (!mine || !base || !theirs || [mine, base, theirs].some(isBinary)) return before;
    const [one, two, three] = [toUnits(mine), toUnits(base), toUnits(theirs)];
    if (one.form !== two.form || one.form !== three.form) return before;
    const merged = merge({ base: two.text, mine: one.text, theirs: three.text });
    if (merged.conflicts.length > 0) return before;
    const kept = await holder.put(toBytes({ text: merged.text, form: one.form }));
    return kept === 'unknown' ? before : kept;
  }

  private async baselineOf(paths: readonly string[]): Promise<Map<string, Earlier>> {
    const byBaseline = new Map<Baseline, string[]>();
    for (const path of paths) {
      const baseline = this.baselineFor(path);
      if (baseline) byBaseline.set(baseline, [...(byBaseline.get(baseline) ?? []), path]);
    }
    const found = await Promise.all([...byBaseline].map(([baseline, some]) => baseline.earlier(some)));
    return new Map(found.flatMap((earlier) => [...earlier]));
  }

  private async read(path: string): Promise<OnDisk> {
    return readDisk(path, undefined, await this.look(path, new Map()));
  }

  /** What is at a path, without its bytes; nothing where a folder on the way is a link, which may lead anywhere. */
  private async look(path: string, folders: Folders): Promise<OnDisk> {
    const folder = dirname(path);
    const expected = this.realOf(folder);
    if (expected === undefined) return { kind: 'other' };
    const known = folders.get(folder) ?? realpath(folder).catch(() => undefined);
    folders.set(folder, known);
    const real = await known;
    if (real === undefined || relative(real, expected) !== '') return { kind: 'absent' };
    return lookAt(path);
  }

  /** Where a path leads if there are no links below the folders of the session. */
  private realOf(path: string): string | undefined {
    const root = this.roots.find(({ folder }) => isInside(path, folder, PATH_RULES));
    return root && join(root.real, relative(root.folder, path));
  }
}

function hasBinaryBytes(found: Earlier | OnDisk | undefined): boolean {
  return !!found && 'bytes' in found && !!found.bytes && isBinary(found.bytes);
}
