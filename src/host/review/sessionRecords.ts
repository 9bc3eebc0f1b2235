import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Emitter } from '../../core/emitter';
import { isKey } from '../../core/history/key';
import { asList, asObject } from '../../core/json';
import { atomicWrite, UNFINISHED } from '../history/atomicWrite';
import type { ChangeRecords, FileChange, TurnRecord, Version } from './changeRecords';

const END = '.json';
const DAY = 24 * 60 * 60 * 1000;
/** Turns of a session that are kept. */
const MAX_TURNS = 200;

export interface SessionRecordsOptions {
  /** Made when the first record is kept. */
  folder: string;
  log: (line: string) => void;
  /** ms since the epoch. */
  now: () => number;
}

/** The records of each session in a file of its own. No method rejects because of the disk or of what is in the files. */
export class SessionRecords implements ChangeRecords {
  private readonly known = new Map<string, Promise<readonly TurnRecord[]>>();
  private readonly dirty = new Set<string>();
  private readonly writing = new Map<string, Promise<void>>();
  private readonly changed = new Emitter<string>();
  /** The key of a session whose records are others now. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly options: SessionRecordsOptions) {}

  turns(key: string): Promise<readonly TurnRecord[]> {
    const known = this.known.get(key) ?? this.read(key);
    this.known.set(key, known);
    return known;
  }

  set(key: string, turns: readonly TurnRecord[]): Promise<void> {
    return this.update(key, () => turns);
  }

  /** Replaces the records of a session by what becomes of those that are there at that moment; nothing else comes between. */
  async update(key: string, change: (turns: readonly TurnRecord[]) => readonly TurnRecord[]): Promise<void> {
    // The promise takes the place at once, so that the next update builds on this one.
    const before = this.turns(key);
    const next = before.then((turns) => change(turns).slice(-MAX_TURNS));
    this.known.set(
      key,
      next.catch(() => before),
    );
    await next;
    this.save(key);
    this.changed.fire(key);
  }

  /** Forgets all that is kept of a session; gives the hashes that it named. */
  async remove(key: string): Promise<Set<string>> {
    const hashes = hashesOf(await this.turns(key));
    this.known.set(key, Promise.resolve([]));
    this.save(key);
    await this.writing.get(key);
    this.known.delete(key);
    return hashes;
  }

  /** Forgets the sessions that are gone. What is young may be a session of another window. */
  async prune(keep: Iterable<string>): Promise<void> {
    const stay = new Set([...keep, ...this.known.keys()]);
    for (const name of await this.names()) {
      const file = join(this.options.folder, name);
      if (stay.has(name.split('.', 1)[0] ?? '')) continue;
      const found = await stat(file).catch(() => undefined);
      if (found && found.mtimeMs < this.options.now() - DAY)
        await rm(file, { force: true }).catch(() => undefined);
    }
  }

  /** The hashes that any session names, those of other windows included. */
  async references(): Promise<Set<string>> {
    const keys = new Set([...(await this.names()).filter(isRecord).map(keyOf), ...this.known.keys()]);
    const all = new Set<string>();
    for (const key of keys) {
      for (const hash of hashesOf(await (this.known.get(key) ?? this.read(key)))) all.add(hash);
    }
    return all;
  }

  /** Resolves when all is on disk. */
  async flush(): Promise<void> {
    await Promise.all(this.known.values());
    await Promise.all(this.writing.values());
  }

  private async names(): Promise<string[]> {
    return readdir(this.options.folder).catch((): string[] => []);
  }

  private file(key: string): string {
    return join(this.options.folder, `${key}${END}`);
  }

  private async read(key: string): Promise<readonly TurnRecord[]> {
    if (!isKey(key)) return [];
    try {
      return asList(JSON.parse(await readFile(this.file(key), 'utf8')) as unknown).flatMap(readTurn);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        this.options.log(`the changes of ${key} could not be read: ${String(error)}`);
      return [];
    }
  }

  private save(key: string): void {
    if (!isKey(key)) return;
    this.dirty.add(key);
    if (!this.writing.has(key)) this.writing.set(key, this.write(key));
  }

  /** Writes until the file holds what was set last. */
  private async write(key: string): Promise<void> {
    try {
      while (this.dirty.delete(key)) {
        const turns = await this.turns(key);
        if (turns.length === 0) await rm(this.file(key), { force: true });
        else await atomicWrite(this.file(key), JSON.stringify(turns));
      }
    } catch (error) {
      this.options.log(`the changes of ${key} could not be kept: ${String(error)}`);
    } finally {
      this.writing.delete(key);
    }
  }
}

const isRecord = (name: string): boolean => name.endsWith(END) && !name.endsWith(UNFINISHED);
const keyOf = (name: string): string => name.slice(0, -END.length);

function hashesOf(turns: readonly TurnRecord[]): Set<string> {
  const versions = turns.flatMap(({ files, undo = [] }) => [
    ...files.flatMap(({ before, after, base }) => [before, after, base]),
    ...undo.flatMap(({ from, to }) => [from, to]),
  ]);
  return new Set(versions.flatMap((version) => (typeof version === 'object' ? [version.hash] : [])));
}

/** A turn as it was written, field by field; what is not a turn gives nothing. */
function readTurn(value: unknown): TurnRecord[] {
  const { number, files, undo, undoOrder } = asObject(value);
  if (typeof number !== 'number' || !Array.isArray(files)) return [];
  const turn = { number, files: files.flatMap(readFileChange) };
  if (!Array.isArray(undo)) return [turn];
  const steps = undo.flatMap((step: unknown) => {
    const { path, from, to } = asObject(step);
    return typeof path === 'string' ? [{ path, from: readVersion(from), to: readVersion(to) }] : [];
  });
  return [{ ...turn, undo: steps, ...(typeof undoOrder === 'number' ? { undoOrder } : {}) }];
}

function readFileChange(value: unknown): FileChange[] {
  const { path, before, after, base, binary, shared } = asObject(value);
  if (typeof path !== 'string') return [];
  return [
    {
      path,
      before: readVersion(before),
      after: readVersion(after),
      base: readVersion(base),
      binary: binary === true,
      shared: shared === true,
    },
  ];
}

function readVersion(value: unknown): Version {
  if (value === 'absent') return 'absent';
  const { hash } = asObject(value);
  return typeof hash === 'string' ? { hash } : 'unknown';
}
