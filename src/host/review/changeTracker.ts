import { readdir, realpath, rm, stat } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import type { Disposable } from '../../core/lifecycle';
import { PathQueue } from '../files/pathQueue';
import { isSameVersion, type FileChange } from './changeRecords';
import { ContentStore } from './contents';
import { isSameFile, readDisk, type OnDisk } from './diskFile';
import { Marks, type FolderPort } from './folderWatch';
import { Git } from './git';
import { realRoots } from './roots';
import { RunningTurn } from './runningTurn';
import { SessionRecords } from './sessionRecords';
import { BaselineTaker } from './takeBaselines';
import type { TurnChanges } from './turnChanges';

/** ms that the beginning of a turn may take. */
const BASELINE_TIME = 5_000;
/** ms without a change on disk after which the files are compared. */
const PAUSE = 300;
const DAY = 24 * 60 * 60 * 1000;

export interface ChangeTrackerOptions {
  /** Folder in the extension's storage of the workspace. */
  storage: string;
  folders: FolderPort;
  /** False: nothing is tracked, as git may run filters that the workspace names. */
  isTrusted: () => boolean;
  environment: () => Promise<NodeJS.ProcessEnv>;
  log: (line: string) => void;
  /** ms since the epoch. */
  now: () => number;
  /** Bytes of all earlier texts. */
  maxBytes?: number;
  /** ms, as above. */
  baselineTime?: number;
  pause?: number;
}

interface Running {
  turn: RunningTurn;
  marks: Marks;
  watching: Disposable[];
  /** Paths that were named already, as they were written. */
  named: Set<string>;
  /** Writes through the protocol that are under way; one may wait for a person, and outlast the turn. */
  writes: Set<Promise<unknown>>;
  /** True while the records have something of it. */
  recorded: boolean;
}

/** Who writes: a session, or a person. `typed` are texts that a person gave the file meanwhile or just before, in their order. */
interface Maker {
  own: Running | undefined;
  typed: readonly Uint8Array[];
}

/** Bytes that documents were saved with while a write through the protocol was under way. */
type Saves = Map<string, Set<Uint8Array>>;

/** Knows what each turn changed in the folders of its session. No turn fails because of it: what goes wrong is logged. */
export class ChangeTracker implements TurnChanges {
  readonly contents: ContentStore;
  readonly records: SessionRecords;
  private readonly baselines: BaselineTaker;
  private readonly running = new Map<string, Running>();
  private readonly ending = new Map<string, Promise<void>>();
  /** Turns that are over, while they are compared for the last time. */
  private readonly finishing = new Set<Running>();
  private readonly saves: Saves = new Map();
  private readonly writes = new PathQueue();
  /** Named paths and saves that are being looked at. */
  private readonly underWay = new Set<Promise<void>>();
  private readonly saving: Disposable;

  constructor(private readonly options: ChangeTrackerOptions) {
    const { storage, folders, log, now, maxBytes, environment } = options;
    this.records = new SessionRecords({ folder: join(storage, 'records'), log, now });
    this.contents = new ContentStore({
      folder: join(storage, 'contents'),
      references: () => this.records.references(),
      log,
      now,
      ...(maxBytes === undefined ? {} : { maxBytes }),
    });
    const git = new Git(environment, log);
    this.baselines = new BaselineTaker({ git, storage: join(storage, 'baselines'), now, log });
    this.saving = folders.onDidSave((path, bytes) => this.onSave(path, bytes));
  }

  async begin(key: string, number: number, roots: readonly string[]): Promise<void> {
    await this.end(key);
    if (!this.options.isTrusted()) return;
    await this.quietly('the beginning of a turn', () => this.start(key, number, roots));
  }

  end(key: string): Promise<void> {
    const running = this.running.get(key);
    this.running.delete(key);
    const before = this.ending.get(key) ?? Promise.resolve();
    if (!running) return before;
    this.finishing.add(running);
    const ended = before
      .then(() => this.quietly('the end of a turn', () => this.finish(running)))
      .finally(() => {
        if (this.ending.get(key) === ended) this.ending.delete(key);
      });
    this.ending.set(key, ended);
    return ended;
  }

  async writing<T>(key: string, place: { path: string; real: string }, write: () => Promise<T>): Promise<T> {
    const own = this.running.get(key);
    const unsaved =
      own && (await this.quietly('the unsaved text', () => this.options.folders.unsavedBytes(place)));
    return this.aside(place.real, write, { own, typed: unsaved ? [unsaved] : [] });
  }

  mentioned(key: string, path: string): void {
    const running = this.running.get(key);
    if (!running || running.named.has(path)) return;
    running.named.add(path);
    this.look('a path that was named', () => running.turn.name(path));
  }

  /** Resolves when all that was told so far is taken in: paths that were named, and saves. */
  async settled(): Promise<void> {
    await Promise.all(this.underWay);
  }

  /** Forgets the changes of a session, and the texts that nothing else needs. */
  async remove(key: string): Promise<void> {
    await this.end(key);
    await this.quietly('the removal of a session', async () => {
      await this.contents.clean(await this.records.remove(key));
    });
  }

  /** Forgets what belongs to sessions that are gone, and what a crash left. */
  async prune(keep: Iterable<string>): Promise<void> {
    await this.quietly('the clean-up', async () => {
      await this.records.prune(keep);
      await this.contents.clean();
      await this.sweep(join(this.options.storage, 'baselines'));
    });
  }

  /** Ends all turns; resolves when everything is on disk. */
  async flush(): Promise<void> {
    for (const key of [...this.running.keys()]) void this.end(key);
    await Promise.all(this.ending.values());
    await this.contents.flush();
    await this.records.flush();
  }

  async dispose(): Promise<void> {
    this.saving.dispose();
    await this.flush();
    await this.baselines.dispose();
  }

  private async start(key: string, number: number, given: readonly string[]): Promise<void> {
    const startedAt = this.options.now();
    const roots = await realRoots(given);
    if (roots.length === 0) return;
    // What they changed so far is not of this turn.
    await Promise.all([...this.running.values()].map((other) => this.pass(other, other.marks.take())));
    const time = this.options.baselineTime ?? BASELINE_TIME;
    const folders = roots.map(({ folder }) => folder);
    const baselines = await this.baselines.takeAll(folders, time);
    const { contents } = this;
    const holder = contents.hold();
    const isHeld = (real: string): boolean => this.saves.has(real);
    const turn = new RunningTurn({ key, number, roots, baselines, startedAt, contents, holder, isHeld });
    const marks = new Marks((paths) => this.pass(running, paths), this.options.pause ?? PAUSE);
    const running: Running = {
      turn,
      marks,
      watching: [],
      named: new Set(),
      writes: new Set(),
      recorded: false,
    };
    for (const { turn: other } of this.running.values()) {
      other.companions.add(turn);
      turn.companions.add(other);
    }
    this.running.set(key, running);
    for (const { folder } of roots)
      running.watching.push(this.options.folders.watch(folder, (path) => this.onEvent(running, path)));
  }

  private async finish(running: Running): Promise<void> {
    const { turn } = running;
    for (const watching of running.watching) watching.dispose();
    running.marks.dispose();
    try {
      await this.settled();
      await turn.compare(await turn.candidates());
      await this.publish(running);
      await this.tellCompanions(turn);
    } finally {
      this.finishing.delete(running);
      const disposed = Promise.allSettled(running.writes).then(() => turn.dispose());
      // A write that waits for a person must not hold up the next turn.
      if (running.writes.size === 0) await disposed;
    }
  }

  /** What this turn changed may still be unseen by the others; from now on their changes are theirs alone. */
  private async tellCompanions(turn: RunningTurn): Promise<void> {
    for (const other of [...this.running.values()].filter((item) => turn.companions.has(item.turn))) {
      const paths = turn.changes.flatMap(({ path }) => other.turn.pathOf(path) ?? []);
      await this.compare(other, [...new Set([...paths, ...other.marks.take()])]);
    }
    for (const other of turn.companions) other.companions.delete(turn);
  }

  private onEvent({ turn, marks }: Running, path: string): void {
    const tracked = turn.pathOf(normalize(path));
    if (tracked !== undefined && !turn.isHeld(tracked)) marks.mark(tracked);
  }

  private async pass(running: Running, paths: string[]): Promise<void> {
    if (paths.length > 0) await this.quietly('a change on disk', () => this.compare(running, paths));
  }

  private async compare(running: Running, paths: readonly string[]): Promise<void> {
    await this.settled();
    if (await running.turn.compare(paths, { named: true })) await this.publish(running);
  }

  /** Runs a write whose maker is known, and keeps it out of what the turns find on disk. */
  private aside<T>(path: string, write: () => Promise<T>, { own, typed }: Maker): Promise<T> {
    if (this.running.size + this.finishing.size === 0) return write();
    const done = this.writes.run(path, async () => {
      // What is on disk before it belongs to those whom it belonged to.
      for (const { running, tracked } of this.covering(path)) await this.pass(running, [tracked]);
      if (own) await this.quietly('a write', () => captureFor(own.turn, path));
      const before = await readDisk(path);
      const saves = new Set(typed);
      this.saves.set(path, saves);
      try {
        return await write();
      } finally {
        await this.settled();
        this.saves.delete(path);
        const after = await readDisk(path);
        // Where nothing was written, unsaved text is unsaved still.
        const isWritten = !isSameFile(before, after);
        const maker = { own, typed: isWritten ? [...saves] : [] };
        // Others that began meanwhile are told, too.
        for (const { running, tracked } of this.covering(path, own))
          await this.quietly('a write', () => this.written(running, tracked, after, maker));
      }
    });
    const settled = done.catch(() => undefined);
    own?.writes.add(settled);
    void settled.then(() => own?.writes.delete(settled));
    return done;
  }

  /** The turns in whose folders a path is; also one that may be over by now. */
  private covering(path: string, own?: Running): { running: Running; tracked: string }[] {
    const all = new Set([...(own ? [own] : []), ...this.running.values(), ...this.finishing]);
    return [...all].flatMap((running) => {
      const tracked = running.turn.pathOf(path);
      return tracked === undefined ? [] : [{ running, tracked }];
    });
  }

  private async written(running: Running, path: string, disk: OnDisk, maker: Maker): Promise<void> {
    const { turn } = running;
    let changed = false;
    if (running === maker.own) {
      const bytes = disk.kind === 'file' ? disk.bytes : undefined;
      // What is on disk in the end is the write itself.
      for (const text of maker.typed.filter((item) => !bytes?.equals(item)))
        changed = (await turn.absorb(path, { kind: 'file', bytes: text })) || changed;
      changed = (await turn.compare([path], { own: true })) || changed;
    } else changed = await turn.absorb(path, disk);
    if (changed) await this.publish(running, running === maker.own ? undefined : path);
  }

  private onSave(given: string, saved?: Promise<Uint8Array>): void {
    if (this.running.size + this.finishing.size === 0) return;
    this.look('a save', async () => {
      const bytes = await saved?.catch(() => undefined);
      const found: OnDisk | { kind: 'file'; bytes: Uint8Array } = bytes
        ? { kind: 'file', bytes }
        : await readDisk(given);
      const real = await realpath(given).catch(() => given);
      const saves = this.saves.get(real);
      if (saves) {
        if (found.kind === 'file' && found.bytes) saves.add(found.bytes);
        return;
      }
      for (const { running, tracked } of this.covering(real))
        if (await running.turn.absorb(tracked, found)) await this.publish(running, tracked);
    });
  }

  private look(what: string, task: () => Promise<void>): void {
    const looking = this.quietly(what, task);
    this.underWay.add(looking);
    void looking.then(() => this.underWay.delete(looking));
  }

  /** Writes what a turn changed so far into the records. `saved` is a file that a person changed just now. */
  private async publish(running: Running, saved?: string): Promise<void> {
    const { number, key } = running.turn.options;
    await this.records.update(key, (turns) => {
      const files = running.turn.changes;
      const at = running.recorded ? turns.findLastIndex((turn) => turn.number === number) : -1;
      const known = turns[at];
      running.recorded = files.length > 0;
      if (!known) return files.length > 0 ? [...turns, { number, files }] : turns;
      if (files.length === 0 && !known.undo) return turns.toSpliced(at, 1);
      const kept = new Map(known.files.map((file) => [file.path, file]));
      return turns.with(at, {
        ...known,
        files: files.map((file) => withKept(file, kept.get(file.path), saved)),
      });
    });
  }

  /** Baselines of windows that are long gone. */
  private async sweep(folder: string): Promise<void> {
    for (const name of await readdir(folder).catch((): string[] => [])) {
      const file = join(folder, name);
      const found = await stat(file).catch(() => undefined);
      if (found && found.mtimeMs < this.options.now() - DAY) await rm(file, { force: true });
    }
  }

  private async quietly<T>(what: string, task: () => Promise<T>): Promise<T | undefined> {
    try {
      return await task();
    } catch (error) {
      this.options.log(`${what} could not be tracked: ${String(error)}`);
      return undefined;
    }
  }
}

/** What the person kept meanwhile stays kept. */
function withKept(file: FileChange, known: FileChange | undefined, saved: string | undefined): FileChange {
  if (!known || isSameVersion(known.base, known.before)) return file;
  const isWhole = isSameVersion(known.base, known.after);
  return { ...file, base: isWhole && file.path === saved ? file.after : known.base };
}

/** What is written by the protocol counts, be it ignored or in a folder that the person allowed. */
async function captureFor(turn: RunningTurn, real: string): Promise<void> {
  turn.admit(real);
  const path = turn.pathOf(real);
  if (path !== undefined) await turn.capture(path, true);
}
