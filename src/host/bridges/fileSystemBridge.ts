import { constants, type Stats } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { FileSystemPort } from '../../acp/agentClient';
import { ErrorCode } from '../../core/acp';
import type { Compatibility } from '../../core/agents/compatibility';
import { WireError } from '../../core/errors';
import { isAbsolutePath } from '../../core/files/containment';
import { parseRange, sliceLines, type LineRange } from '../../core/files/slice';
import type { JsonObject } from '../../core/json';
import { folderOf, locate, OutsideError, type Place } from '../files/boundary';
import { LastSeen } from '../files/lastSeen';
import { PathQueue } from '../files/pathQueue';
import type { TextFiles } from '../files/textFiles';
import { TextWriter, type AskConflict, type WriteRequest } from '../files/textWriter';
import type { TurnChanges } from '../review/turnChanges';

/** Largest file that is read as a whole, in bytes, and largest answer, in UTF-16 units. */
const MAX_WHOLE = 64 << 20;
/** Largest file of which a part is read, in bytes: it has to fit into one string. */
const MAX_RANGED = 256 << 20;

/** What an agent wants to do with a file; `path` is the real path. */
export type FileAccess = { kind: 'read'; path: string } | { kind: 'edit'; path: string; newText: string };

export interface FileSystemBridgeOptions {
  /** Folders that a session may use; undefined for one that is not open. `sessionId` is Parley's key, here and below. */
  roots(sessionId: string): readonly string[] | undefined;
  compatibility(sessionId: string): Pick<Compatibility, 'missingFileIsEmpty'>;
  files: TextFiles;
  /** Asked after the boundary and before any byte is read or written; a WireError that it rejects with is the answer to the agent. */
  gate(sessionId: string, access: FileAccess): Promise<void>;
  onConflict: AskConflict;
  changes: Pick<TurnChanges, 'writing'>;
  /**
   * A path outside the roots was asked for; told once where one path is asked for again and again. `folder` is the real folder that
   * could be allowed.
   */
  onRefused(sessionId: string, path: string, folder: string | undefined): void;
  log(line: string): void;
}

/** Serves the agent's reads and writes of files inside the session's folders (FS-1 to FS-13). */
export class FileSystemBridge implements FileSystemPort {
  private readonly queue = new PathQueue();
  private readonly seen = new LastSeen();
  private readonly writer: TextWriter;
  /** The path that was refused last, by session. */
  private readonly refused = new Map<string, string>();
  private locating: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: FileSystemBridgeOptions) {
    const { files, changes, onConflict } = options;
    this.writer = new TextWriter({ files, changes, onConflict, seen: this.seen });
  }

  async readTextFile(params: JsonObject): Promise<{ content: string }> {
    const range = parseRange(params);
    const key = String(params['sessionId']);
    const ifMissing = this.options.compatibility(key).missingFileIsEmpty ? '' : undefined;
    // Behind a write that is under way, so that the agent reads what it wrote.
    return this.inOrder(params, ErrorCode.notFound, async (place, check) => {
      await this.options.gate(key, { kind: 'read', path: place.real });
      await check();
      return { content: await this.read(key, place, { range, ifMissing }) };
    });
  }

  async writeTextFile(params: JsonObject): Promise<object> {
    const { content } = params;
    if (typeof content !== 'string') throw WireError.invalidParams('"content" must be a text.');
    const key = String(params['sessionId']);
    await this.inOrder(params, ErrorCode.invalidParams, async (place, check) => {
      await this.options.gate(key, { kind: 'edit', path: place.real, newText: content });
      await check();
      await this.write({ key, place, content, check });
    });
    return {};
  }

  /**
   * Runs the tasks on one file in the order of the requests, whichever path is followed faster. `check` is for when time has passed: a
   * link may lead elsewhere by then.
   */
  private inOrder<T>(
    params: JsonObject,
    refusal: number,
    task: (place: Place, check: () => Promise<void>) => Promise<T>,
  ): Promise<T> {
    const located = this.locating.then(() => this.locate(params, refusal));
    this.locating = located.catch(() => undefined);
    const checkFor = (place: Place) => async (): Promise<void> => {
      const { real } = await this.locate(params, refusal);
      if (real !== place.real)
        throw WireError.invalidParams(`The path "${place.path}" leads to another file by now.`);
    };
    return located.then((place) => this.queue.run(place.real, () => task(place, checkFor(place))));
  }

  /** Checks session and path before a byte is read or written. */
  private async locate(params: JsonObject, refusal: number): Promise<Place> {
    const { sessionId, path } = params;
    const roots = this.options.roots(String(sessionId));
    if (!roots) throw WireError.notFound(`The session "${String(sessionId)}"`);
    if (
      typeof path !== 'string' ||
      path.includes('\0') ||
      !isAbsolutePath(path, process.platform === 'win32')
    )
      throw WireError.invalidParams('"path" must be an absolute path.');
    try {
      return await locate(path, roots);
    } catch (error) {
      if (!(error instanceof OutsideError)) throw error;
      await this.tellRefused(String(sessionId), path, error);
      throw new WireError(refusal, 'The path is outside the folders of the session.', { uri: uriOf(path) });
    }
  }

  private async tellRefused(key: string, path: string, { real }: OutsideError): Promise<void> {
    if (this.refused.get(key) === path) return;
    this.refused.set(key, path);
    this.options.onRefused(key, path, real === undefined ? undefined : await folderOf(real));
  }

  private async read(
    key: string,
    place: Place,
    { range, ifMissing }: { range: LineRange; ifMissing: string | undefined },
  ): Promise<string> {
    const text =
      (await this.options.files.unsavedText(place)) ?? (await this.readDisk(place, range, ifMissing));
    const part = sliceLines(text, range);
    if (part.length > MAX_WHOLE) throw tooLarge(place.path);
    this.seen.set(key, place.real, { text });
    return part;
  }

  /** A document without changes is read from disk as well: after a change by another program the editor lags behind. */
  private async readDisk(place: Place, range: LineRange, ifMissing: string | undefined): Promise<string> {
    const { path } = place;
    const found = await statOf(path);
    if (!found) {
      if (ifMissing !== undefined) return ifMissing;
      throw WireError.notFound(`The file "${path}"`, { uri: uriOf(path) });
    }
    if (!found.isFile()) throw notAFile(path, found);
    const ranged = isGiven(range.line) || isGiven(range.limit);
    if (found.size > (ranged ? MAX_RANGED : MAX_WHOLE)) throw tooLarge(path);
    const bytes = await readFile(path).catch((error: unknown) => {
      throw this.failure(`The file "${path}" could not be read.`, error);
    });
    const text = await this.options.files.decode(place, bytes);
    if (text === undefined) throw WireError.invalidParams(`The file "${path}" is binary.`);
    return text;
  }

  private async write(request: WriteRequest): Promise<void> {
    const { path } = request.place;
    const found = await statOf(path);
    if (found && !found.isFile()) throw notAFile(path, found);
    if (found && found.size > MAX_RANGED)
      throw WireError.invalidParams(`The file "${path}" is too large to be replaced.`);
    // Asked first: the editor would ask the person whether to overwrite it nevertheless.
    if (found && !(await isWritable(path))) throw WireError.invalidParams(`The file "${path}" is read-only.`);
    try {
      await this.writer.write(request);
    } catch (error) {
      throw error instanceof WireError
        ? error
        : this.failure(`The file "${path}" could not be written.`, error);
    }
  }

  private failure(sentence: string, error: unknown): WireError {
    this.options.log(`${sentence} ${String(error)}`);
    const code = (error as NodeJS.ErrnoException | null)?.code;
    return new WireError(
      ErrorCode.internal,
      sentence,
      typeof code === 'string' ? { reason: code } : undefined,
    );
  }
}

const isGiven = (value: number | null | undefined): boolean =>
  value !== undefined && value !== null && value !== 0;

/** What is at a path; undefined for nothing. A parent that is a file makes the path as missing as a parent that is not there. */
async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch {
    return undefined;
  }
}

async function isWritable(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
}

/** The path as a `file:` URI, the form in which errors name a resource. */
const uriOf = (path: string): string => pathToFileURL(path).href;

function notAFile(path: string, found: Stats): WireError {
  return WireError.invalidParams(`"${path}" is ${found.isDirectory() ? 'a folder' : 'no regular file'}.`);
}

function tooLarge(path: string): WireError {
  return WireError.invalidParams(
    `The file "${path}" is too large; ask for fewer lines by "line" and "limit".`,
  );
}
