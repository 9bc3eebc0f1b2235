/** Encodings that a byte order mark tells, and UTF-8 without one. */
export type Encoding = 'utf8' | 'utf8bom' | 'utf16le' | 'utf16be';

/** Bytes that are looked at for a NUL, as the editor does. */
const PROBE = 8_000;

/** The encoding of bytes; undefined for what is no text. */
export function encodingOf(bytes: Uint8Array): Encoding | undefined {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf8bom';
  if (a === 0xff && b === 0xfe) return 'utf16le';
  if (a === 0xfe && b === 0xff) return 'utf16be';
  return bytes.subarray(0, PROBE).includes(0) ? undefined : 'utf8';
}

/** The text of bytes, without the byte order mark; undefined for what is no text. Malformed parts become U+FFFD. */
export function decodeText(bytes: Uint8Array): string | undefined {
  const encoding = encodingOf(bytes);
  const names = { utf8: 'utf-8', utf8bom: 'utf-8', utf16le: 'utf-16le', utf16be: 'utf-16be' };
  return encoding && new TextDecoder(names[encoding]).decode(bytes);
}

/** The bytes of a text. A mark that the text begins with is not doubled (FS-10). */
export function encodeText(text: string, encoding: Encoding): Uint8Array {
  if (encoding === 'utf8') return Buffer.from(text, 'utf8');
  const marked = text.startsWith('\uFEFF') ? text : `\uFEFF${text}`;
  if (encoding === 'utf8bom') return Buffer.from(marked, 'utf8');
  const bytes = Buffer.from(marked, 'utf16le');
  return encoding === 'utf16le' ? bytes : bytes.swap16();
}
