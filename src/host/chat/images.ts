import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { isSentAsIs, sniffImage } from '../../core/chat/images';
import { isNamedInside, locate, OutsideError } from '../files/boundary';

/** Largest picture in bytes that a message shows. */
const MAX_BYTES = 5 * 1024 * 1024;

/** Bytes that tell what kind of picture a file holds. */
const HEAD = 16;

/** Pictures that are read at a time: each is held in memory, and a message can name many. */
const AT_A_TIME = 3;

/** Does so many tasks at a time, the others in their turn. */
export class TaskQueue {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly atATime: number) {}

  /** What the task resolves or rejects with. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.running < this.atATime) this.running++;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await task();
    } finally {
      // The place goes to the next one, so that nobody else takes it meanwhile.
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }
}

const reads = new TaskQueue(AT_A_TIME);

/** Where a session works. */
export interface PictureFolders {
  /** Where its relative paths begin. */
  cwd: string | null;
  /** Folders that its pictures may be in. */
  roots: readonly string[];
}

/** Reads a picture that a message of an agent names, as a data URI; null where it is none, too large, or outside the folders (SE-24). */
export async function readPicture(path: string, { cwd, roots }: PictureFolders): Promise<string | null> {
  if (!isAbsolute(path) && cwd === null) return null;
  const absolute = resolve(cwd ?? '/', path);
  if (!(await isNamedInside(absolute, roots))) return null;
  return reads.run(() => readInside(absolute, roots));
}

async function readInside(path: string, roots: readonly string[]): Promise<string | null> {
  try {
    const { real } = await locate(path, roots);
    return await readImage(real);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The link that stands there says what the agent meant.
    if (error instanceof OutsideError || code !== undefined) return null;
    throw error;
  }
}

async function readImage(real: string): Promise<string | null> {
  // A pipe that nobody writes to would hold the reader for ever, and a link was followed already.
  const file = await open(
    real,
    constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0),
  );
  try {
    const found = await file.stat();
    if (!found.isFile() || found.size > MAX_BYTES) return null;
    const head = Buffer.alloc(HEAD);
    await file.read(head, 0, HEAD, 0);
    const type = sniffImage(head);
    if (type === undefined || !isSentAsIs(type)) return null;
    const bytes = Buffer.alloc(found.size);
    const { bytesRead } = await file.read(bytes, 0, found.size, 0);
    return `data:${type};base64,${bytes.toString('base64', 0, bytesRead)}`;
  } finally {
    await file.close();
  }
}
