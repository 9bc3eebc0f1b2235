/** How a file's bytes are cut into units: single bytes, or the two-byte units of a text that begins with the mark of UTF-16. */
export type UnitForm = 'bytes' | 'utf16le' | 'utf16be';

/** The bytes of a file as a string with one character for each unit; nothing is lost, whatever the encoding. */
export interface Units {
  text: string;
  form: UnitForm;
}

/** Bytes that are looked at for a NUL, as the editor does. */
const PROBE = 8_000;
/** Units that are made into a string at once; a call takes only so many arguments. */
const CHUNK = 8_192;

/** The units of bytes. UTF-16 is told by its mark alone; without one its line ends can't be told from other bytes. */
export function toUnits(bytes: Uint8Array): Units {
  const form = formOf(bytes);
  const codes = form === 'bytes' ? bytes : wideCodes(bytes, form);
  const parts: string[] = [];
  for (let at = 0; at < codes.length; at += CHUNK)
    parts.push(String.fromCharCode(...codes.subarray(at, at + CHUNK)));
  return { text: parts.join(''), form };
}

/** The bytes of units; the inverse of `toUnits`. */
export function toBytes({ text, form }: Units): Uint8Array {
  if (form === 'bytes') return Uint8Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), form === 'utf16le');
  return bytes;
}

/** True for bytes that are no text, by the editor's rule: a NUL near the beginning, but for UTF-16 with its mark. */
export function isBinary(bytes: Uint8Array): boolean {
  return formOf(bytes) === 'bytes' && bytes.subarray(0, PROBE).includes(0);
}

function formOf(bytes: Uint8Array): UnitForm {
  // Half a unit at the end would be lost.
  if (bytes.length % 2 === 1) return 'bytes';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf16be' : 'bytes';
}

function wideCodes(bytes: Uint8Array, form: UnitForm): Uint16Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Uint16Array.from({ length: bytes.length / 2 }, (_, at) =>
    view.getUint16(at * 2, form === 'utf16le'),
  );
}
