/** The kinds of images that are known by their first bytes; the first four are sent as they are. */
export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/bmp' | 'image/avif';

/** Longest base64 of an image that is sent, in characters. */
export const MAX_IMAGE_DATA = 5 * 1024 * 1024;

/** Longest side of an image that is sent, in pixels: agents make larger ones smaller, or refuse them. */
export const MAX_IMAGE_SIDE = 2_000;

/** Most images of one drop; others are attached by their paths. */
export const MAX_DROPPED_IMAGES = 20;

/** Largest file that is taken as an image at all, in bytes. */
export const MAX_IMAGE_FILE = 50 * 1024 * 1024;

const SENT: readonly ImageType[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** True for a kind that agents take; others are encoded anew. */
export function isSentAsIs(type: ImageType): boolean {
  return SENT.includes(type);
}

/** The ending of a file with such an image, without the dot. */
export function imageExtension(type: ImageType): string {
  return type === 'image/jpeg' ? 'jpg' : type.slice('image/'.length);
}

/** Length in characters of the base64 of so many bytes. */
export function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}

function latin(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}

/** What an image is by its bytes, whatever its name or its sender says; undefined for anything else. */
export function sniffImage(bytes: Uint8Array): ImageType | undefined {
  const start = latin(bytes, 0, 12);
  if (start.startsWith('\u0089PNG\r\n\u001a\n')) return 'image/png';
  if (start.startsWith('\u00ff\u00d8\u00ff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(start)) return 'image/gif';
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'image/webp';
  if (/ftypavi[fs]$/.test(start)) return 'image/avif';
  // Its second number is the size of the file, which tells it from a text that begins with BM.
  const size = bytes.length >= 6 ? new DataView(bytes.buffer, bytes.byteOffset).getUint32(2, true) : 0;
  return start.startsWith('BM') && size === bytes.length ? 'image/bmp' : undefined;
}

/** True for a GIF or WebP that moves: drawn anew it would stand still. */
export function isAnimated(bytes: Uint8Array, type: ImageType): boolean {
  if (type === 'image/gif') return gifMoves(bytes);
  return type === 'image/webp' && latin(bytes, 12, 16) === 'VP8X' && ((bytes[20] ?? 0) & 2) !== 0;
}

/** Bytes of the table of colours that a packed field of a GIF announces. */
function colours(packed: number): number {
  return packed & 0x80 ? 3 << ((packed & 7) + 1) : 0;
}

/** True for a GIF with a second picture. */
function gifMoves(bytes: Uint8Array): boolean {
  let at = 13 + colours(bytes[10] ?? 0);
  let pictures = 0;
  while (at < bytes.length) {
    const block = bytes[at];
    if (block === 0x2c) {
      pictures++;
      if (pictures > 1) return true;
      at += 11 + colours(bytes[at + 9] ?? 0);
    } else if (block === 0x21) at += 2;
    else return false;
    for (let length = bytes[at] ?? 0; length > 0 && at < bytes.length; length = bytes[at] ?? 0)
      at += length + 1;
    at++;
  }
  return false;
}

/** Width and height in pixels. */
export interface ImageSize {
  width: number;
  height: number;
}

/** The size with its longer side at most `side`, in the same proportion; never larger than it was, never less than 1. */
export function scaledSize({ width, height }: ImageSize, side: number): ImageSize {
  const factor = Math.min(1, side / Math.max(width, height));
  const scaled = (length: number): number => Math.max(1, Math.round(length * factor));
  return { width: scaled(width), height: scaled(height) };
}
