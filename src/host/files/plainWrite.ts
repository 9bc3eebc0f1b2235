import { open, rm, type FileHandle } from 'node:fs/promises';
import { isSameBytes } from '../../core/files/bytePatch';

/** Makes a file (FS-8). False if somebody else made it meanwhile; theirs is left alone. */
export async function createFile(path: string, bytes: Uint8Array): Promise<boolean> {
  const file = await openNew(path);
  if (!file) return false;
  try {
    await file.writeFile(bytes).finally(() => file.close());
    return true;
  } catch (error) {
    // What was begun is no file that anybody asked for.
    await rm(path, { force: true });
    throw error;
  }
}

/** Undefined where there is a file. */
async function openNew(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'wx');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  }
}

/**
 * Replaces the bytes of a file without the editor. Links, owner and mode stay, since the file is written in place; when that fails it
 * gets its bytes back. False if it no longer has the bytes `before`; it is left alone then.
 */
export async function overwriteFile(path: string, before: Uint8Array, after: Uint8Array): Promise<boolean> {
  const file = await open(path, 'r+');
  try {
    if (!isSameBytes(await file.readFile(), before)) return false;
    try {
      await put(file, after);
    } catch (error) {
      // A full disk, say. What it had fits: it is not cut before it is overwritten.
      await put(file, before);
      throw error;
    }
    return true;
  } finally {
    await file.close();
  }
}

async function put(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, at);
    at += bytesWritten;
  }
  await file.truncate(bytes.length);
}
