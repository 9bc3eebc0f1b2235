import type { Attachment } from '../../core/chat/attachment';

/** Longest base64 of an image that is sent, in characters. */
export const MAX_IMAGE_DATA = 5 * 1024 * 1024;

const SENDABLE = /^image\/(png|jpeg|gif|webp)$/;

/** The images of a clipboard that can be sent; none where it has text as well, since then the text is meant. */
export function imagesIn(clipboard: DataTransfer | null): File[] {
  if (!clipboard || clipboard.types.includes('text/plain')) return [];
  return [...clipboard.files].filter((file) => SENDABLE.test(file.type));
}

/** Length in characters of the base64 of so many bytes. */
export function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}

/** Reads an image into an attachment; `name` is for one that has none. Rejects where it can't be read. */
export async function readImage(file: File, name: string): Promise<Attachment> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '');
    reader.onerror = () => reject(reader.error ?? new Error(name));
    reader.readAsDataURL(file);
  });
  const data = url.slice(url.indexOf(',') + 1);
  return { kind: 'image', name: file.name || name, mimeType: file.type, data };
}
