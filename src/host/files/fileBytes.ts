import { WireError } from '../../core/errors';
import { isSameBytes, markLength, planBytePatch } from '../../core/files/bytePatch';
import type { TextEncoding } from './textFiles';

/** A file whose bytes can't simply be encoded anew. */
export interface OddFile {
  path: string;
  bytes: Uint8Array;
  text: string;
  encoding: TextEncoding;
  /** Its text encoded is its bytes; only its line ends differ among themselves. */
  isFaithful: boolean;
}

/**
 * The bytes of a file with another text, in which all lines that stay have the bytes that they had (FS-10).
 *
 * @throws WireError where that can't be: a changed line can't be read, or the new text can't be written in the file's encoding.
 */
export async function patchedBytes(file: OddFile, text: string): Promise<Uint8Array> {
  const { path, bytes, encoding } = file;
  const { name } = encoding;
  const plan = planBytePatch({ bytes, encoding: name, text: file.text }, text);
  if (!plan) throw refusal(path, `has lines that can't be told apart in its encoding, ${name}`);
  const { removed, added } = plan;
  if (!removed && added === undefined) return bytes;
  if (removed && !isSameBytes(await bare(encoding, removed.text), removed.bytes))
    throw refusal(path, `has bytes in a line to be changed that are no text in its encoding, ${name}`);
  const result = plan.build(added === undefined ? undefined : await addedBytes(file, added));
  if (!result || (await encoding.decode(result)) !== plan.text)
    throw refusal(path, `can't be changed without changing other bytes of it in its encoding, ${name}`);
  return result;
}

async function addedBytes({ path, encoding, isFaithful }: OddFile, added: string): Promise<Uint8Array> {
  // A copy of the sign for what can't be read would be written as if it were the text.
  if (!isFaithful && added.includes('\uFFFD'))
    throw refusal(path, `has bytes that are no text in its encoding, and can't get new lines with U+FFFD`);
  await refuseUnlessHeld(path, encoding, added);
  return bare(encoding, added);
}

/**
 * The bytes of a new file: the text as sent, in the encoding that the editor would give it (FS-10). A mark is not doubled.
 *
 * @throws WireError if the encoding has no such characters.
 */
export async function newFile(path: string, encoding: TextEncoding, text: string): Promise<Uint8Array> {
  const plain = text.replace(/^\uFEFF/, '');
  await refuseUnlessHeld(path, encoding, plain);
  const bytes = await encoding.encode(plain);
  const lacksMark = plain !== text && encoding.name === 'utf8' && markLength(bytes, 'utf8') === 0;
  return lacksMark ? Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), bytes]) : bytes;
}

/** @throws WireError if an encoding can't hold a text. */
export async function refuseUnlessHeld(path: string, encoding: TextEncoding, text: string): Promise<void> {
  if (!(await isHeld(encoding, text)))
    throw refusal(path, `can't hold characters of the new text in its encoding, ${encoding.name}`);
}

async function isHeld(encoding: TextEncoding, text: string): Promise<boolean> {
  // They hold all but halves of characters.
  if (/^utf(8|16)/.test(encoding.name)) return !/\p{Surrogate}/u.test(text);
  const read = await encoding.decode(await encoding.encode(text)).catch(() => undefined);
  return read === text;
}

/** A part of a text encoded, without the mark that only a whole file has. */
async function bare(encoding: TextEncoding, text: string): Promise<Uint8Array> {
  const bytes = await encoding.encode(text);
  return bytes.subarray(markLength(bytes, encoding.name));
}

function refusal(path: string, what: string): WireError {
  return WireError.invalidParams(`The file "${path}" ${what}; it was left as it is.`);
}
