import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Attachment } from '../../core/chat/attachment';
import { MAX_DROPPED_IMAGES, MAX_IMAGE_FILE, sniffImage } from '../../core/chat/images';

/** Bytes that tell an image. */
const START = 16;

/** Most bytes of the images that one drop reads. */
const MAX_IMAGE_BYTES = 100 * 1024 * 1024;

/** What became of a drop. */
export interface Dropped {
  attachments: Attachment[];
  /** Addresses of what is not on this machine. */
  missing: string[];
  /** Images that are attached as files, since they are too many or too large together. */
  unread: number;
}

/** What may still be read as images. */
interface Left {
  images: number;
  bytes: number;
}

/** What a file holds: an image, one that is more than may be read, or something else. */
type Content = { mimeType: string; data: string } | 'tooMuch' | undefined;

/** Makes attachments of dropped files; `images`: pictures go as such, for an agent that takes them (PT-3). */
export async function attachDropped(uris: readonly string[], images: boolean): Promise<Dropped> {
  const dropped: Dropped = { attachments: [], missing: [], unread: 0 };
  const left: Left | undefined = images ? { images: MAX_DROPPED_IMAGES, bytes: MAX_IMAGE_BYTES } : undefined;
  // One by one, so that no more is held in memory than is attached.
  for (const uri of uris) {
    const attachment = await attach(uri, left, dropped);
    if (attachment) dropped.attachments.push(attachment);
    else dropped.missing.push(uri);
  }
  return dropped;
}

async function attach(
  uri: string,
  left: Left | undefined,
  dropped: Dropped,
): Promise<Attachment | undefined> {
  const path = pathOf(uri);
  if (path === undefined) return undefined;
  const stats = await stat(path).catch(() => undefined);
  if (!stats) return undefined;
  const name = basename(path) || path;
  if (stats.isDirectory()) return { kind: 'folder', path, name };
  const mayBeImage = left && stats.isFile() && stats.size <= MAX_IMAGE_FILE;
  const image = mayBeImage ? await readImage(path, stats.size, left) : undefined;
  if (image === 'tooMuch') dropped.unread++;
  return typeof image === 'object' ? { kind: 'image', name, ...image } : { kind: 'file', path, name };
}

/** The path of a `file:` address, or of one on the machine that the extension runs on; undefined for any other. */
function pathOf(uri: string): string | undefined {
  try {
    const remote = /^vscode-remote:\/\/[^/]*(\/.*)$/i.exec(uri)?.[1];
    return fileURLToPath(remote === undefined ? uri : `file://${remote}`);
  } catch {
    return undefined; // Of another host, or no address at all.
  }
}

/** The image that a file holds, by its bytes; undefined for any other file and one that can't be read. */
async function readImage(path: string, size: number, left: Left): Promise<Content> {
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(START), 0, START, 0);
      // A BMP is told by its size as well, which the rest shows.
      const isBitmap = buffer.toString('latin1', 0, 2) === 'BM';
      if (!isBitmap && !sniffImage(buffer.subarray(0, bytesRead))) return undefined;
      if (left.images === 0 || size > left.bytes) return 'tooMuch';
      const bytes = await readAll(file);
      const mimeType = sniffImage(bytes);
      if (!mimeType) return undefined;
      left.images--;
      left.bytes -= bytes.length;
      return { mimeType, data: bytes.toString('base64') };
    } finally {
      await file.close();
    }
  } catch {
    return undefined; // It is attached by its path; the agent tells what is wrong with it.
  }
}

async function readAll(file: Awaited<ReturnType<typeof open>>): Promise<Buffer> {
  const { size } = await file.stat();
  const bytes = Buffer.alloc(Math.min(size, MAX_IMAGE_FILE));
  const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
  return bytes.subarray(0, bytesRead);
}
