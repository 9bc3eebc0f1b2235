import type { Place } from './boundary';

/** The editor's side of text files. Places were checked. */
export interface TextFiles {
  /** The text of a document that is open with changes that are not on disk; undefined without one (FS-3). */
  unsavedText(place: Place): Promise<string | undefined>;
  /** The text of a file's bytes by the encoding that the editor uses for the file; undefined for what is no text. */
  decode(place: Place, bytes: Uint8Array): Promise<string | undefined>;
  /**
   * Makes `text` the whole text of a file by its document, saved and undoable as one step (FS-9); encoding and line ends stay (FS-10).
   * The answer is false if there can be no document, as for a new file, so that it has to be written without the editor.
   *
   * @throws if it could not be saved; the file is as before then.
   */
  replaceText(place: Place, text: string): Promise<boolean>;
}
