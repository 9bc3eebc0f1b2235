import { createHash, randomUUID } from 'node:crypto';
import { writeFile, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PRIVATE, UNFINISHED } from '../history/atomicWrite';
import type { Contents, Version } from './changeRecords';

/** Larger files are not kept, in bytes. */
export const MAX_KEPT_FILE = 8 << 20;
/** ms for which what is new is not taken for left over: its record may not be written yet, perhaps by another window. */
const YOUNG = 60_000;
const DAY = 24 * 60 * 60 * 1000;
/** To how much of the cap the store is emptied, so that not every content empties it anew. */
const EASED = 0.9;
const HASH = /^[0-9a-f]{64}$/;
/** Files up to this size are written in one go, in bytes. */
const SMALL = 64 << 10;
/** Bytes that are held in memory too, together and of one content. */
const IN_MEMORY = { total: 4 << 20, one: 256 << 10 };
// Without a file handle it costs half.
const write = promisify(writeFile);

export interface ContentStoreOptions {
  /** Made when the first content is kept. */
  folder: string;
  /** Hashes that records name; they go only when nothing else is left to go. */
  references: () => Promise<ReadonlySet<string>>;
  log: (line: string) => void;
  /** ms since the epoch. */
  now: () => number;
  /** Bytes of all contents together. */
  maxBytes?: number;
}

/** Keeps contents for as long as it is needed: they are not removed for want of room before `release`, and small ones are at hand. */
export interface Holder {
  put(bytes: Uint8Array): Promise<Version>;
  /** What a record names stays held by that. */
  release(): void;
}

/** Contents by their hash, in one file each. A file that is broken or gone is one that is not kept; only `put` may find no room. */
export class ContentStore implements Contents {
  /** The sizes, least recently put first. */
  private index: Map<string, { bytes: number; at: number }> | undefined;
  private total = 0;
  private readonly holders = new Set<Set<string>>();
  /** Of what is held, what was put last: it is listed right afterwards. */
  private readonly recent = new Map<string, Uint8Array>();
  private recentBytes = 0;
  private queue: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: ContentStoreOptions) {}

  /** The hash by which bytes are kept. */
  static hashOf(bytes: Uint8Array): string {
    return createHash('sha256').update(bytes).digest('hex');
  }

  /** Never rejects. */
  put(bytes: Uint8Array): Promise<Version> {
    if (bytes.byteLength > MAX_KEPT_FILE) return Promise.resolve('unknown');
    return this.putAs(ContentStore.hashOf(bytes), bytes);
  }

  async get({ hash }: { hash: string }): Promise<Uint8Array | undefined> {
    if (!HASH.test(hash)) return undefined;
    const recent = this.recent.get(hash);
    if (recent) return recent;
    const bytes = await readFile(this.path(hash)).catch(() => undefined);
    // A crash may leave a file without some of its bytes.
    return bytes && ContentStore.hashOf(bytes) === hash ? bytes : undefined;
  }

  hold(): Holder {
    const held = new Set<string>();
    this.holders.add(held);
    return {
      put: async (bytes) => {
        if (bytes.byteLength > MAX_KEPT_FILE) return 'unknown';
        const hash = ContentStore.hashOf(bytes);
        held.add(hash);
        const version = await this.putAs(hash, bytes);
        if (version !== 'unknown' && this.holders.has(held)) this.remember(hash, bytes);
        return version;
      },
      release: () => {
        this.holders.delete(held);
        const others = this.held();
        for (const hash of held) if (!others.has(hash)) this.drop(hash);
      },
    };
  }

  /** Removes what no record names; of `among` at once, of the others what is older than a day. */
  clean(among: ReadonlySet<string> = new Set()): Promise<void> {
    return this.inOrder(async () => {
      try {
        const index = await this.load();
        const needed = await this.needed();
        for (const [hash, { at }] of [...index]) {
          const isOld = at < this.options.now() - DAY;
          if (!needed.has(hash) && (among.has(hash) || isOld)) await this.remove(hash);
        }
      } catch (error) {
        this.options.log(`earlier texts could not be cleaned up: ${String(error)}`);
      }
    });
  }

  /** Resolves when all is on disk. */
  async flush(): Promise<void> {
    await this.queue;
  }

  private inOrder<T>(task: () => Promise<T>): Promise<T> {
    const done = this.queue.then(task);
    this.queue = done.catch(() => undefined);
    return done;
  }

  private putAs(hash: string, bytes: Uint8Array): Promise<Version> {
    return this.inOrder(async () => {
      try {
        return (await this.keep(hash, bytes)) ? { hash } : 'unknown';
      } catch (error) {
        this.options.log(`an earlier text could not be kept: ${String(error)}`);
        return 'unknown';
      }
    });
  }

  private remember(hash: string, bytes: Uint8Array): void {
    if (bytes.byteLength > IN_MEMORY.one || this.recent.has(hash)) return;
    // It may be a part of much more.
    this.recent.set(hash, bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes));
    this.recentBytes += bytes.byteLength;
    for (const oldest of this.recent.keys()) {
      if (this.recentBytes <= IN_MEMORY.total) break;
      this.drop(oldest);
    }
  }

  private drop(hash: string): void {
    this.recentBytes -= this.recent.get(hash)?.byteLength ?? 0;
    this.recent.delete(hash);
  }

  private path(hash: string): string {
    return join(this.options.folder, hash);
  }

  private async keep(hash: string, bytes: Uint8Array): Promise<boolean> {
    const index = await this.load();
    const now = this.options.now();
    if (index.has(hash)) {
      const known = await stat(this.path(hash)).catch(() => undefined);
      if (known?.size === bytes.byteLength) {
        index.delete(hash);
        index.set(hash, { bytes: bytes.byteLength, at: now });
        await utimes(this.path(hash), now / 1000, now / 1000);
        return true;
      }
      this.forget(hash);
    }
    if (!(await this.makeRoom(bytes.byteLength))) return false;
    await this.write(hash, bytes);
    index.set(hash, { bytes: bytes.byteLength, at: now });
    this.total += bytes.byteLength;
    return true;
  }

  private async write(hash: string, bytes: Uint8Array): Promise<void> {
    const path = this.path(hash);
    try {
      // A crash may cut it; its hash tells then. In one go a small file costs a fifth of the CPU, and less time than a frame.
      const how = { mode: PRIVATE, flag: 'wx' };
      if (bytes.byteLength <= SMALL) writeFileSync(path, bytes, how);
      else await write(path, bytes, how);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return this.replace(hash, bytes);
      await rm(path, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  /** Another window wrote it meanwhile, or it is not whole. */
  private async replace(hash: string, bytes: Uint8Array): Promise<void> {
    const unfinished = this.path(`${hash}.${randomUUID()}${UNFINISHED}`);
    try {
      await write(unfinished, bytes, { mode: PRIVATE });
      await rename(unfinished, this.path(hash));
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  /** Frees what no record names and then the oldest, but nothing that is held. */
  private async makeRoom(bytes: number): Promise<boolean> {
    const { maxBytes = 256 << 20, now } = this.options;
    if (this.total + bytes <= maxBytes) return true;
    const index = await this.load();
    const held = this.held();
    const needed = await this.needed();
    const isLeft = (hash: string, at: number): boolean => !needed.has(hash) && at < now() - YOUNG;
    const free = [...index].filter(([hash]) => !held.has(hash));
    const order = [
      ...free.filter(([hash, { at }]) => isLeft(hash, at)),
      ...free.filter(([hash, { at }]) => !isLeft(hash, at)),
    ];
    const wanted = Math.min(maxBytes * EASED, maxBytes - bytes);
    for (const [hash] of order) {
      if (this.total <= wanted) break;
      await this.remove(hash);
    }
    return this.total + bytes <= maxBytes;
  }

  private held(): Set<string> {
    return new Set([...this.holders].flatMap((hashes) => [...hashes]));
  }

  private async needed(): Promise<Set<string>> {
    return new Set([...(await this.options.references()), ...this.held()]);
  }

  private async remove(hash: string): Promise<void> {
    await rm(this.path(hash), { force: true });
    this.drop(hash);
    this.forget(hash);
  }

  private forget(hash: string): void {
    this.total -= this.index?.get(hash)?.bytes ?? 0;
    this.index?.delete(hash);
  }

  /** What is on disk from earlier windows. */
  private async load(): Promise<Map<string, { bytes: number; at: number }>> {
    if (this.index) return this.index;
    const { folder, now } = this.options;
    await mkdir(folder, { recursive: true });
    const found: { hash: string; bytes: number; at: number }[] = [];
    for (const name of await readdir(folder)) {
      const file = await stat(join(folder, name)).catch(() => undefined);
      if (!file) continue;
      if (HASH.test(name)) found.push({ hash: name, bytes: file.size, at: file.mtimeMs });
      else if (name.endsWith(UNFINISHED) && file.mtimeMs < now() - DAY)
        await rm(join(folder, name), { force: true }).catch(() => undefined);
    }
    found.sort((a, b) => a.at - b.at);
    this.index = new Map(found.map(({ hash, bytes, at }) => [hash, { bytes, at }]));
    this.total = found.reduce((sum, { bytes }) => sum + bytes, 0);
    return this.index;
  }
}
