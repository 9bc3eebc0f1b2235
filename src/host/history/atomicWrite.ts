import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Ends the names of files that are being written. */
export const UNFINISHED = '.tmp';

/** Transcripts are nobody else's business. */
export const PRIVATE = 0o600;

/**
 * Writes a file so that at any moment it holds either what it held or the new text. `beforeSwap` runs when the new text is on disk.
 * Throws what the file system throws, and leaves nothing behind then.
 */
export async function atomicWrite(
  file: string,
  text: string,
  beforeSwap?: () => Promise<unknown>,
): Promise<void> {
  // Another window may write the same file.
  const unfinished = `${file}.${process.pid}${UNFINISHED}`;
  await mkdir(dirname(file), { recursive: true });
  try {
    const handle = await open(unfinished, 'w', PRIVATE);
    try {
      await handle.writeFile(text);
      // Else the new name could outlive a power cut, and the text not.
      await handle.sync();
    } finally {
      await handle.close();
    }
    await beforeSwap?.();
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw error;
  }
}
