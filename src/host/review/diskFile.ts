import {
  close,
  closeSync,
  constants,
  fstat,
  fstatSync,
  lstat,
  open,
  openSync,
  read,
  readSync,
  type BigIntStats,
} from 'node:fs';
import { promisify } from 'node:util';
import { MAX_KEPT_FILE } from './contents';

// Much is looked at while an agent works, and descriptors cost half of what file handles do.
const disk = {
  open: promisify(open),
  fstat: promisify(fstat),
  lstat: promisify(lstat),
  read: promisify(read),
  close: promisify(close),
};
// What became a pipe meanwhile must not hold up the reader.
const HOW_TO_OPEN = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const WINDOWS = process.platform === 'win32';
/**
 * Files up to this size, in bytes, are read in one go, which costs a fifth of the CPU. They were looked at just before, so a disk that
 * does not answer holds nothing up here.
 */
const SMALL = 64 << 10;
/** ms within which a file system may not tell two writes apart: one that notes times below the millisecond, and any other. */
const COARSE = { fine: 100, other: 2_000 };
const MILLISECOND = 1_000_000n;

/** What tells without reading whether a file was written since. */
export interface Signature {
  text: string;
  /** The part of it that git notes, too. */
  stat: string;
  size: number;
  /** ms since the epoch; no program can set it back. */
  changedAt: number;
  /** The file system notes times below the millisecond. */
  fine: boolean;
}

/** What is at a path: nothing; something that is not tracked, such as a link or a folder; or a file. */
export type OnDisk =
  | { kind: 'absent' }
  | { kind: 'other' }
  /** Without bytes where the file is too large or can't be read. */
  | { kind: 'file'; signature: Signature; bytes?: Buffer };

/** What is at a path, without its bytes. */
export async function lookAt(path: string): Promise<OnDisk> {
  try {
    return seen(await disk.lstat(path, { bigint: true }));
  } catch (error) {
    return isMissing(error) ? { kind: 'absent' } : { kind: 'other' };
  }
}

/**
 * Reads a file that may be written at the same time: the bytes belong to the signature. Links are not followed. `seenBefore` is what
 * `lookAt` said of the path just now.
 */
export async function readDisk(path: string, max = MAX_KEPT_FILE, seenBefore?: OnDisk): Promise<OnDisk> {
  let before = seenBefore ?? (await lookAt(path));
  for (let tries = 0; tries < 3; tries++) {
    if (before.kind !== 'file' || before.signature.size > max) return before;
    const { signature } = before;
    const found =
      signature.size <= SMALL && !WINDOWS ? readAtOnce(path, signature) : await readOpen(path, signature);
    if (found !== 'changed') return found;
    before = await lookAt(path);
  }
  return before;
}

/** True for a file that was written shortly before `now`, in ms since the epoch: a later write may leave it the same signature. */
export function isFresh({ changedAt, fine }: Signature, now: number): boolean {
  return changedAt > now - (fine ? COARSE.fine : COARSE.other);
}

/** The file, without bytes where it may not be read. */
async function readOpen(path: string, signature: Signature): Promise<OnDisk | 'changed'> {
  const file = await disk.open(path, HOW_TO_OPEN).catch(codeOf);
  if (typeof file !== 'number') return isForbidden(file) ? { kind: 'file', signature } : 'changed';
  try {
    const bytes = await readAll(file, signature.size);
    // On Windows a descriptor and a name may tell different numbers.
    const after = WINDOWS ? await lookAt(path) : seen(await disk.fstat(file, { bigint: true }));
    if (after.kind !== 'file' || after.signature.text !== signature.text) return 'changed';
    return bytes ? { kind: 'file', signature, bytes } : { kind: 'file', signature };
  } catch {
    return { kind: 'file', signature };
  } finally {
    await disk.close(file);
  }
}

/** As `readOpen`, in one go. */
function readAtOnce(path: string, signature: Signature): OnDisk | 'changed' {
  let file: number;
  try {
    file = openSync(path, HOW_TO_OPEN);
  } catch (error) {
    return isForbidden(codeOf(error)) ? { kind: 'file', signature } : 'changed';
  }
  try {
    const bytes = Buffer.allocUnsafeSlow(signature.size);
    const count = readSync(file, bytes, 0, signature.size, 0);
    const after = seen(fstatSync(file, { bigint: true }));
    if (after.kind !== 'file' || after.signature.text !== signature.text) return 'changed';
    return count === signature.size ? { kind: 'file', signature, bytes } : { kind: 'file', signature };
  } catch {
    return { kind: 'file', signature };
  } finally {
    closeSync(file);
  }
}

const isForbidden = (code: unknown): boolean => code === 'EACCES' || code === 'EPERM';

/** Undefined where the file has less bytes than its signature says. */
async function readAll(file: number, size: number): Promise<Buffer | undefined> {
  const bytes = Buffer.allocUnsafeSlow(size);
  for (let at = 0; at < size;) {
    const { bytesRead } = await disk.read(file, bytes, at, size - at, at);
    if (bytesRead === 0) return undefined;
    at += bytesRead;
  }
  return bytes;
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

function seen(found: BigIntStats): OnDisk {
  if (!found.isFile()) return { kind: 'other' };
  const { size, mtimeNs, ctimeNs, ino } = found;
  const stat = statText(String(size), mtimeNs, ctimeNs);
  const signature = {
    text: `${stat}:${ino}`,
    stat,
    size: Number(size),
    changedAt: Number(found.ctimeMs),
    fine: ctimeNs % MILLISECOND !== 0n,
  };
  return { kind: 'file', signature };
}

/** Times in ns since the epoch. */
export function statText(size: string, mtime: bigint, ctime: bigint): string {
  return `${size}:${mtime}:${ctime}`;
}

function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** True where nothing was written in between. */
export function isSameFile(before: OnDisk, after: OnDisk): boolean {
  if (before.kind !== 'file' || after.kind !== 'file') return before.kind === after.kind;
  return before.signature.text === after.signature.text;
}

/** Runs tasks side by side, `width` at a time; ends early when `signal` is aborted. */
export async function forEach<T>(
  items: Iterable<T>,
  task: (item: T) => Promise<void>,
  signal?: AbortSignal,
  width = 16,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (let next = iterator.next(); !next.done && !signal?.aborted; next = iterator.next())
      await task(next.value);
  };
  await Promise.all(Array.from({ length: width }, work));
}
