import { randomUUID } from 'node:crypto';
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { isBinary } from '../../core/review/units';
import { forEach, lookAt, readDisk, type Signature } from './diskFile';

/** Bytes of copies, and files, of one folder. */
const MAX_TOTAL = 64 << 20;
const MAX_FILES = 20_000;
/** ms within which a file system may not tell two writes apart. */
const COARSE = 2_000;

/** A file as it was, with its bytes where they were kept. */
export interface CopiedFile {
  signature: Signature;
  /** It was written shortly before, so that a later write may have the same signature. */
  fresh: boolean;
  binary?: true;
  place?: { pack: Pack; offset: number };
}

/** What the files were at one time; `absent` for one that was named and not there. */
export type Snapshot = ReadonlyMap<string, CopiedFile | 'absent'>;

/** A snapshot whose bytes stay readable until it is released. */
export interface Taken {
  files: Snapshot;
  /** ms since the epoch, before the first file was looked at. */
  takenAt: number;
  release(): Promise<void>;
}

export interface CopyRules {
  /** Larger files are not copied, in bytes. */
  maxFile: number;
  textOnly: boolean;
}

interface Rules extends CopyRules {
  /** False where there is no room for so many bytes more. */
  reserve: (bytes: number) => boolean;
}

export interface CopiesOptions {
  /** Where the copies are; outside the workspace. */
  folder: string;
  maxTotal?: number;
  maxFiles?: number;
  /** ms since the epoch. */
  now: () => number;
}

/**
 * Copies of the files of one folder, taken at the beginning of each turn; only what was written since the last time is read. The copies
 * are in one file, as thousands of small ones would take seconds.
 */
export class Copies {
  private known = new Map<string, CopiedFile>();
  private pack: Pack | undefined;
  private queue: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: CopiesOptions) {}

  /**
   * The files by their absolute paths. Those beyond the limits, and all that `signal` cuts off, come without bytes or not at all.
   *
   * @throws what the file system throws when there is no place for copies.
   */
  take(paths: Iterable<string>, rules: CopyRules, signal: AbortSignal): Promise<Taken> {
    const taken = this.queue.then(() => this.takeNow(paths, rules, signal));
    this.queue = taken.catch(() => undefined);
    return taken;
  }

  async dispose(): Promise<void> {
    await this.queue;
    this.known.clear();
    await this.pack?.leave();
    this.pack = undefined;
  }

  private async takeNow(paths: Iterable<string>, rules: CopyRules, signal: AbortSignal): Promise<Taken> {
    const { maxTotal = MAX_TOTAL, maxFiles = MAX_FILES, now } = this.options;
    const takenAt = now();
    const pack = await this.currentPack(maxTotal);
    const files = new Map<string, CopiedFile | 'absent'>();
    let [total, count] = [0, 0];
    // Before a file is read, as several are read at once.
    const reserve = (bytes: number): boolean => {
      if (total + bytes > maxTotal) return false;
      total += bytes;
      return true;
    };
    const takeOne = async (path: string): Promise<void> => {
      if (++count > maxFiles) return;
      const copied = await this.copy(path, pack, { ...rules, reserve });
      // What is read late may be the agent's work already.
      if (copied && !signal.aborted) files.set(path, copied);
    };
    await forEach(paths, takeOne, signal);
    pack.join();
    if (!(await pack.flush())) {
      for (const copied of files.values()) if (copied !== 'absent') delete copied.place;
      await this.dropPack();
    }
    this.known = new Map([...files].flatMap(([path, copy]) => (copy === 'absent' ? [] : [[path, copy]])));
    return { files, takenAt, release: () => pack.leave() };
  }

  private async dropPack(): Promise<void> {
    await this.pack?.leave();
    this.pack = undefined;
  }

  /** Undefined for what is not a file. */
  private async copy(path: string, pack: Pack, rules: Rules): Promise<CopiedFile | 'absent' | undefined> {
    const found = await lookAt(path);
    if (found.kind === 'absent') return 'absent';
    if (found.kind === 'other') return undefined;
    const { signature } = found;
    const known = this.known.get(path);
    if (known?.signature.text === signature.text && isReusable(known, pack, rules)) return known;
    if (signature.size > rules.maxFile || !rules.reserve(signature.size)) return this.without(signature);
    const read = await readDisk(path, rules.maxFile);
    if (read.kind !== 'file') return 'absent';
    const copied = this.without(read.signature);
    if (!read.bytes) return copied;
    if (rules.textOnly && isBinary(read.bytes)) return { ...copied, binary: true };
    return { ...copied, place: { pack, offset: pack.append(read.bytes) } };
  }

  private without(signature: Signature): CopiedFile {
    return { signature, fresh: this.isFresh(signature) };
  }

  private isFresh({ changedAt }: Signature): boolean {
    return changedAt > this.options.now() - COARSE;
  }

  /** A new file when most of the old one is of no use any more. */
  private async currentPack(maxTotal: number): Promise<Pack> {
    if (this.pack && this.pack.size <= 2 * maxTotal) return this.pack;
    await this.pack?.leave();
    this.pack = await Pack.create(this.options.folder);
    return this.pack;
  }
}

/** Whether a file that was not written since is known well enough; one that was not copied may have had no room before. */
function isReusable({ fresh, binary, place, signature }: CopiedFile, pack: Pack, rules: Rules): boolean {
  if (fresh) return false;
  if (binary) return rules.textOnly;
  return place?.pack === pack && rules.reserve(signature.size);
}

/** Bytes one after the other in a file, which is removed when nobody needs it any more. */
export class Pack {
  size = 0;
  private readonly waiting: Buffer[] = [];
  private written = 0;
  private users = 1;

  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
  ) {}

  static async create(folder: string): Promise<Pack> {
    await mkdir(folder, { recursive: true });
    const path = join(folder, `${randomUUID()}.pack`);
    return new Pack(path, await open(path, 'wx+', 0o600));
  }

  /** Where the bytes will be after `flush`. */
  append(bytes: Buffer): number {
    const offset = this.size;
    this.waiting.push(bytes);
    this.size += bytes.byteLength;
    return offset;
  }

  /** False where the disk takes no more; the pack is of no use then. */
  async flush(): Promise<boolean> {
    try {
      for (let bytes = this.waiting.shift(); bytes; bytes = this.waiting.shift()) await this.write(bytes);
      return true;
    } catch {
      return false;
    }
  }

  private async write(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.byteLength;) {
      const { bytesWritten } = await this.file.write(bytes, at, bytes.byteLength - at, this.written);
      this.written += bytesWritten;
      at += bytesWritten;
    }
  }

  /** Undefined where the disk does not give them. */
  async read(offset: number, size: number): Promise<Buffer | undefined> {
    const bytes = Buffer.alloc(size);
    try {
      const { bytesRead } = await this.file.read(bytes, 0, size, offset);
      return bytesRead === size ? bytes : undefined;
    } catch {
      return undefined;
    }
  }

  /** Somebody more needs it. */
  join(): void {
    this.users++;
  }

  async leave(): Promise<void> {
    if (--this.users > 0) return;
    await this.file.close().catch(() => undefined);
    await rm(this.path, { force: true }).catch(() => undefined);
  }
}
