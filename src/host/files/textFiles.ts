import type { Place } from './boundary';

/** An encoding, by the names that the editor has for them. */
export interface TextEncoding {
  name: string;
  /** The text of bytes, without the byte order mark; what can't be decoded becomes U+FFFD. Throws for what is no text. */
  decode(bytes: Uint8Array): Promise<string>;
  /** The bytes as the editor would save the text: with a mark where the encoding has one. */
  encode(text: string): Promise<Uint8Array>;
}

/**
 * How a document took a text: `written`; `changed` if it no longer had the text that was expected, and is left alone; `unavailable` if
 * there is no document that can be saved, as for a file that is new or too large.
 */
export type Replaced = 'written' | 'changed' | 'unavailable';

/** The editor's side of text files. Places were checked. */
export interface TextFiles {
  /** The text of a document that is open with changes that are not on disk; undefined without one (FS-3). */
  unsavedText(place: Place): Promise<string | undefined>;
  /** The text of a file's bytes by the encoding that the editor uses for the file; undefined for what is no text. */
  decode(place: Place, bytes: Uint8Array): Promise<string | undefined>;
  /** The encoding of a file with these bytes; undefined where it can't be told, as for what is no text. */
  encodingOf(place: Place, bytes: Uint8Array): Promise<TextEncoding | undefined>;
  /** The encoding that a new file gets. */
  encodingOfNew(place: Place): TextEncoding;
  /**
   * Makes `text` the whole text of a file by small edits of its document, saved and undoable as one step (FS-9); encoding and line
   * ends stay (FS-10). `expected` is the text that it replaces; undefined where there is no file.
   *
   * @throws if it could not be saved; the file is as before then.
   */
  replaceText(place: Place, expected: string | undefined, text: string): Promise<Replaced>;
}
