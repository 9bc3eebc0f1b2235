import { chmod, copyFile, lstat, mkdir, readdir, readFile, realpath } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';
import bunzip from 'seek-bzip';
import { Unpack, type ReadEntry } from 'tar';
import type { ArchiveFormat } from '../../core/agents/registryChoice';
import { extractZip } from './extractZip';

/** An archive to take apart. */
export interface UnpackJob {
  archive: string;
  format: ArchiveFormat;
  /** An empty folder. */
  into: string;
  /** Path of the program in the folder, which gets the right to be run. */
  program: string;
}

/** Bytes of all files together; an archive that has more was made to fill a disk. */
const MAX_BYTES = 4 * 1024 * 1024 * 1024;
const MAX_ENTRIES = 200_000;
/** Bytes that are handed on at once. */
const PIECE = 1024 * 1024;

/**
 * Takes an archive apart. Nothing is written outside of the folder, and nothing in it leads out of it.
 *
 * @returns false where the program is not in the archive
 * @throws an Error that says what is wrong with the archive
 */
export async function extractArchive(job: UnpackJob): Promise<boolean> {
  const { archive, format, into } = job;
  const program = join(into, job.program);
  const budget = new Budget();
  if (format === 'raw') {
    await mkdir(dirname(program), { recursive: true });
    await copyFile(archive, program);
  } else if (format === 'zip') await extractZip(archive, into, budget);
  else await extractTar(format === 'tar.bz2' ? decoded(archive) : createReadStream(archive), into, budget);
  const root = await realpath(into);
  await checkTree(into, root);
  return makeRunnable(program, root);
}

/** Counts what comes out of an archive. */
export class Budget {
  private bytes = 0;
  private entries = 0;

  /** @throws Error where an archive holds more than is believable */
  take(bytes: number): void {
    this.bytes += bytes;
    if (++this.entries > MAX_ENTRIES || this.bytes > MAX_BYTES)
      throw new Error('it holds more files, or larger ones, than an agent has');
  }
}

/** Whether a link in an archive stays in it; both paths with `/`. */
export function linkStaysInside(path: string, target: string): boolean {
  const end = posix.normalize(posix.join(posix.dirname(path), target.replaceAll('\\', '/')));
  return !posix.isAbsolute(target) && !/^[a-z]:/i.test(target) && end !== '..' && !end.startsWith('../');
}

const TAR_TYPES: readonly string[] = [
  'File',
  'OldFile',
  'ContiguousFile',
  'Directory',
  'GNUDumpDir',
  'SymbolicLink',
  'Link',
];

async function extractTar(source: AsyncIterable<Uint8Array>, into: string, budget: Budget): Promise<void> {
  let problem: Error | undefined;
  const check = (entry: ReadEntry): void => {
    budget.take(entry.size);
    if (!TAR_TYPES.includes(entry.type)) throw new Error(`"${entry.path}" is a ${entry.type}`);
    const isSafe =
      entry.type === 'SymbolicLink'
        ? linkStaysInside(entry.path, entry.linkpath ?? '')
        : entry.type !== 'Link' || linkStaysInside('.', entry.linkpath ?? '');
    if (!isSafe) throw new Error(`the link "${entry.path}" leads out of it`);
  };
  const filter = (_: string, entry: unknown): boolean => {
    try {
      if (problem === undefined) check(entry as ReadEntry);
    } catch (error) {
      problem = asError(error);
    }
    return problem === undefined;
  };
  // `strict`: what it would only warn of, such as a path out of the folder, ends it.
  const unpack = new Unpack({ cwd: into, strict: true, preserveOwner: false, filter });
  const done = new Promise<void>((resolve, reject) => {
    unpack.on('close', resolve);
    unpack.on('error', reject);
  });
  // Its handler may come too late for a first error.
  done.catch((error: unknown) => (problem ??= asError(error)));
  for await (const piece of source) {
    if (problem !== undefined) break;
    if (!unpack.write(Buffer.from(piece))) await Promise.race([drained(unpack), done]);
  }
  if (problem === undefined) {
    unpack.end();
    await done;
  }
  if (problem !== undefined) throw problem;
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

const drained = (unpack: Unpack): Promise<void> => new Promise((resolve) => unpack.once('drain', resolve));

/** What a bzip2 file holds; it can only be decoded in one go. */
async function* decoded(file: string): AsyncGenerator<Uint8Array> {
  const pieces: Buffer[] = [];
  let piece = Buffer.allocUnsafe(PIECE);
  let length = 0;
  let bytes = 0;
  const writeByte = (byte: number): void => {
    piece[length++] = byte;
    if (length < PIECE) return;
    if ((bytes += length) > MAX_BYTES) throw new Error('it is larger than an agent is');
    pieces.push(piece);
    piece = Buffer.allocUnsafe(PIECE);
    length = 0;
  };
  bunzip.decode(await readFile(file), { writeByte }, true);
  yield* pieces;
  yield piece.subarray(0, length);
}

/** The last word: whatever the formats allow, no link leads out of the folder, and no file runs as somebody else. */
async function checkTree(folder: string, root: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) {
      const target = await realpath(path).catch(() => root);
      if (target !== root && !target.startsWith(root + sep))
        throw new Error(`the link "${entry.name}" leads out of it`);
    } else if (entry.isDirectory()) {
      await checkTree(path, root);
    } else if (entry.isFile()) {
      const { mode } = await lstat(path);
      if ((mode & 0o7000) !== 0) await chmod(path, mode & 0o777);
    } else throw new Error(`"${entry.name}" is no file`);
  }
}

async function makeRunnable(program: string, root: string): Promise<boolean> {
  const real = await realpath(program).catch(() => undefined);
  if (real === undefined || !real.startsWith(root + sep)) return false;
  const found = await lstat(real);
  if (!found.isFile()) return false;
  await chmod(real, (found.mode & 0o777) | 0o755);
  return true;
}
