import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ErrorCode } from '../../core/acp';
import { merge } from '../../core/diff/merge';
import { WireError } from '../../core/errors';
import { isSameBytes } from '../../core/files/bytePatch';
import { isUniform, lineEndOf, withLineEnd } from '../../core/files/eol';
import type { TurnChanges } from '../review/turnChanges';
import type { Place } from './boundary';
import { newFile, patchedBytes, refuseUnlessHeld } from './fileBytes';
import type { LastSeen, Seen } from './lastSeen';
import { createFile, overwriteFile } from './plainWrite';
import type { TextEncoding, TextFiles } from './textFiles';

/** How often a write begins anew because the file changed meanwhile. */
const MAX_ROUNDS = 20;

/** What a person is asked when their text and the agent's can't both be kept. `merged` has the agent's lines where they conflict. */
export interface WriteConflict {
  mine: string;
  theirs: string;
  merged: string;
}

/** Asks the person; `theirs` writes the merged text, `mine` leaves the file as it is. `key` is Parley's key of the session. */
export type AskConflict = (key: string, place: Place, texts: WriteConflict) => Promise<'theirs' | 'mine'>;

export interface TextWriterOptions {
  files: TextFiles;
  seen: LastSeen;
  changes: Pick<TurnChanges, 'writing'>;
  onConflict: AskConflict;
}

/** One write of an agent. */
export interface WriteRequest {
  key: string;
  place: Place;
  content: string;
  /** Looks again whether the path may be written; rejects if not. */
  check: () => Promise<void>;
}

/** What a write finds: the text is what the person has, unsaved or on disk. */
interface Found {
  text: string | undefined;
  isDirty: boolean;
  disk: { bytes: Uint8Array; text: string; encoding: TextEncoding } | undefined;
}

/**
 * Writes an agent's texts to files. What the person changed since the agent last saw the file is merged in; where both changed the same
 * lines the person is asked (FS-9). Bytes that are not part of the change stay as they are (FS-10).
 */
export class TextWriter {
  constructor(private readonly options: TextWriterOptions) {}

  /** @throws WireError with a sentence for the agent; any other error is a failure of the system. The file is untouched then. */
  async write(request: WriteRequest): Promise<void> {
    const { key, place } = request;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const found = await this.look(place);
      const text = await this.decide(request, found);
      if (text === undefined) continue;
      const apply = async (): Promise<Seen | undefined> =>
        (await this.apply(place, found, text)) ? this.asSaved(request, text) : undefined;
      const seen = await this.options.changes.writing(key, place, apply);
      if (seen) {
        this.options.seen.set(key, place.real, seen);
        return;
      }
    }
    throw new WireError(ErrorCode.internal, `The file "${place.path}" kept changing while it was written.`);
  }

  private async look(place: Place): Promise<Found> {
    const { files } = this.options;
    const bytes = await readFile(place.path).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    });
    const disk = bytes && (await this.decode(place, bytes));
    // Last, as the person may type on meanwhile.
    const unsaved = await files.unsavedText(place);
    return { text: unsaved ?? disk?.text, isDirty: unsaved !== undefined, disk };
  }

  private async decode(place: Place, bytes: Uint8Array): Promise<NonNullable<Found['disk']>> {
    const encoding = await this.options.files.encodingOf(place, bytes);
    const text = await encoding?.decode(bytes).catch(() => undefined);
    if (!encoding || text === undefined) throw WireError.invalidParams(`The file "${place.path}" is binary.`);
    return { bytes, text, encoding };
  }

  /** The text to write; undefined if the file changed while the person was asked. */
  private async decide(request: WriteRequest, found: Found): Promise<string | undefined> {
    const { key, place, content, check } = request;
    if (found.text === undefined) return content;
    const seen = this.options.seen.get(key, place.real);
    const theirs = unmarked(content);
    if (isAsSeen(found, seen)) return theirs;
    const even = evenFor(found);
    const texts = {
      base: even(seen?.text ?? found.disk?.text ?? ''),
      mine: even(found.text),
      theirs: even(theirs),
    };
    const { text, isConflict } = mergeTexts(texts);
    if (!isConflict) return text;
    const answer = await this.options.onConflict(key, place, {
      mine: texts.mine,
      theirs: texts.theirs,
      merged: text,
    });
    if (answer === 'mine') throw keptByPerson(place.path);
    await check();
    return isSame(found, await this.look(place)) ? text : undefined;
  }

  /** True when the text is on disk; false if the file changed since it was looked at. */
  private async apply(place: Place, found: Found, text: string): Promise<boolean> {
    const { disk, isDirty } = found;
    if (!disk) return this.make(place, found, text);
    const { bytes, encoding } = disk;
    const isFaithful = isSameBytes(await encoding.encode(disk.text), bytes);
    if (!isFaithful || !isUniform(disk.text)) {
      // The editor would save all of it in its own way.
      if (isDirty) throw notSavable(place.path);
      return overwriteFile(place.path, bytes, await patchedBytes({ ...disk, isFaithful, ...place }, text));
    }
    const even = evenFor(found);
    if (!isDirty && even(text) === even(disk.text)) return true;
    await refuseUnlessHeld(place.path, encoding, text);
    const replaced = await this.options.files.replaceText(place, found.text, text);
    if (replaced !== 'unavailable') return replaced === 'written';
    if (isDirty) return false;
    const end = lineEndOf(disk.text);
    return overwriteFile(place.path, bytes, await encoding.encode(end ? withLineEnd(text, end) : text));
  }

  /** Makes a file, or saves the document of one that is gone. */
  private async make(place: Place, found: Found, text: string): Promise<boolean> {
    const { files } = this.options;
    const bytes = await newFile(place.path, files.encodingOfNew(place), text);
    // Before the document is saved: its folder may be gone too.
    await mkdir(dirname(place.path), { recursive: true });
    const replaced = await files.replaceText(place, found.text, unmarked(text));
    if (replaced !== 'unavailable') return replaced === 'written';
    return createFile(place.path, bytes);
  }

  /** Looked up at once, as the person may save a text of their own next. */
  private async asSaved({ place, content }: WriteRequest, written: string): Promise<Seen> {
    const text = unmarked(content);
    const bytes = unmarked(written) === text ? await readFile(place.path).catch(() => undefined) : undefined;
    const saved = bytes && (await this.options.files.decode(place, bytes));
    const isOther = saved !== undefined && withLineEnd(saved, '\n') !== withLineEnd(text, '\n');
    return isOther ? { text, saved } : { text };
  }
}

/** The mark at the beginning of a file is part of the encoding, not of the text of a document. */
const unmarked = (text: string): string => text.replace(/^\uFEFF/, '');

/** Makes line ends alike, so that texts can be compared. A lone CR is one for an editor, but not where a file has them already. */
function evenFor({ disk }: Found): (text: string) => string {
  const hasLone = /\r(?!\n)/.test(disk?.text ?? '');
  return (text) => (hasLone ? text.replaceAll('\r\n', '\n') : withLineEnd(text, '\n'));
}

function mergeTexts(texts: { base: string; mine: string; theirs: string }): {
  text: string;
  isConflict: boolean;
} {
  const { base, mine, theirs } = texts;
  // By the rules of a merge the agent changed nothing, and its write would do nothing; but it may want to go back to this text.
  if (theirs === base && mine !== base) return { text: theirs, isConflict: true };
  const { text, conflicts } = merge(texts, 'theirs');
  return { text, isConflict: conflicts.length > 0 };
}

/** Nobody changed the file since the agent saw it. Of one that it never saw, what is on disk is what it may replace. */
function isAsSeen(found: Found, seen: Seen | undefined): boolean {
  if (!seen) return !found.isDirty;
  const even = evenFor(found);
  const text = even(found.text ?? '');
  return text === even(seen.text) || (seen.saved !== undefined && text === even(seen.saved));
}

function isSame(a: Found, b: Found): boolean {
  if (a.text !== b.text || a.isDirty !== b.isDirty) return false;
  return a.disk && b.disk ? isSameBytes(a.disk.bytes, b.disk.bytes) : a.disk === b.disk;
}

function keptByPerson(path: string): WireError {
  return new WireError(
    ErrorCode.internal,
    `The person changed the same lines of the file "${path}" and kept their own version; read it again.`,
  );
}

function notSavable(path: string): WireError {
  return WireError.invalidParams(
    `The file "${path}" has unsaved changes, and bytes or line ends that the editor would change when it saves them.`,
  );
}
