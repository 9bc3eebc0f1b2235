import { readFile, rm, writeFile } from 'node:fs/promises';
import { lineEndOf, withLineEnd } from '../../core/files/eol';
import { decodeText, encodeText, encodingOf } from './textCodec';

/**
 * Writes a file without the editor. An existing text file keeps its encoding and its line ends; a new one is written as sent (FS-10).
 */
export async function writeKeepingForm(path: string, text: string): Promise<void> {
  const before = await readFile(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
  if (!before) {
    await writeFile(path, text, { flag: 'wx' }).catch(async (error: unknown) => {
      // What was begun is no file that anybody asked for; one that somebody else made meanwhile is left alone.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(path, { force: true });
      throw error;
    });
    return;
  }
  const bytes = encodeLike(before, text);
  try {
    await writeFile(path, bytes);
  } catch (error) {
    // A full disk, say, leaves half of it: the file is to be untouched by a write that failed.
    await writeFile(path, before).catch(() => undefined);
    throw error;
  }
}

/** The bytes of a text in the form of the file that it replaces. */
function encodeLike(before: Uint8Array, text: string): Uint8Array {
  const encoding = encodingOf(before) ?? 'utf8';
  const lineEnd = lineEndOf(decodeText(before) ?? '');
  return encodeText(lineEnd ? withLineEnd(text, lineEnd) : text, encoding);
}
