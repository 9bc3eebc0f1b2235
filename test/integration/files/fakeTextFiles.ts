import { readFile, writeFile } from 'node:fs/promises';
import { withLineEnd } from '../../../src/core/files/eol';
import type { Place } from '../../../src/host/files/boundary';
import { decodeText, encodeText, encodingOf, type Encoding } from '../../../src/host/files/textCodec';
import type { Replaced, TextEncoding, TextFiles } from '../../../src/host/files/textFiles';

const isMarked = (name: string): name is Encoding => ['utf8', 'utf8bom', 'utf16le', 'utf16be'].includes(name);

/** The bytes of each character that Shift-JIS has. */
function shiftJisTable(): Map<string, number[]> {
  const decoder = new TextDecoder('shift_jis');
  const table = new Map<string, number[]>();
  const add = (...bytes: number[]): void => {
    const text = decoder.decode(Uint8Array.from(bytes));
    if (text.length === 1 && text !== '\uFFFD' && !table.has(text)) table.set(text, bytes);
  };
  for (let lead = 0; lead < 256; lead++) {
    add(lead);
    for (let tail = 0x40; tail < 0xfd; tail++) if (lead > 0x80) add(lead, tail);
  }
  return table;
}

let shiftJis: Map<string, number[]> | undefined;

/** The codecs that the editor would have: those with a mark, and Shift-JIS. */
export function encodingNamed(name: string): TextEncoding {
  if (isMarked(name))
    return {
      name,
      decode: (bytes) => {
        const label = { utf8: 'utf-8', utf8bom: 'utf-8', utf16le: 'utf-16le', utf16be: 'utf-16be' }[name];
        return Promise.resolve(new TextDecoder(label).decode(bytes));
      },
      encode: (text) => Promise.resolve(encodeText(text, name)),
    };
  const table = (shiftJis ??= shiftJisTable());
  return {
    name,
    decode: (bytes) => Promise.resolve(new TextDecoder('shift_jis').decode(bytes)),
    encode: (text) =>
      Promise.resolve(Uint8Array.from(Array.from(text).flatMap((one) => table.get(one) ?? [63]))),
  };
}

/** An editor with documents, as far as a write needs one. */
export class FakeTextFiles implements TextFiles {
  /** Texts that are not saved, by path. */
  readonly unsaved = new Map<string, string>();
  /** Paths of files that have a document. */
  readonly open = new Set<string>();
  /** Texts that documents were given. */
  readonly replaced: string[] = [];
  /** The setting `files.encoding`. */
  encoding = 'utf8';
  /** What happens to a text on the way to the disk. */
  format = (text: string): string => text;
  beforeReplace: () => Promise<void> | void = () => undefined;

  unsavedText({ path }: Place): Promise<string | undefined> {
    return Promise.resolve(this.unsaved.get(path));
  }

  async decode(place: Place, bytes: Uint8Array): Promise<string | undefined> {
    if (this.encoding === 'utf8') return decodeText(bytes);
    return (await this.encodingOf(place, bytes))?.decode(bytes);
  }

  encodingOf(_place: Place, bytes: Uint8Array): Promise<TextEncoding | undefined> {
    const marked = encodingOf(bytes);
    return Promise.resolve(marked && encodingNamed(marked === 'utf8' ? this.encoding : marked));
  }

  encodingOfNew(): TextEncoding {
    return encodingNamed(this.encoding);
  }

  async replaceText(place: Place, expected: string | undefined, text: string): Promise<Replaced> {
    const { path } = place;
    await this.beforeReplace();
    const unsaved = this.unsaved.get(path);
    if (unsaved === undefined && !this.open.has(path)) return 'unavailable';
    const bytes = await readFile(path).catch(() => undefined);
    const before = unsaved ?? (bytes && (await this.decode(place, bytes))) ?? '';
    if (expected !== undefined && withLineEnd(before, '\n') !== withLineEnd(expected, '\n')) return 'changed';
    this.unsaved.delete(path);
    this.replaced.push(text);
    const encoding = bytes ? await this.encodingOf(place, bytes) : this.encodingOfNew();
    const saved = this.format(withLineEnd(text, before.includes('\r\n') ? '\r\n' : '\n'));
    await writeFile(path, (await encoding?.encode(saved)) ?? saved);
    return 'written';
  }
}
