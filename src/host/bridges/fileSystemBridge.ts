import { constants, type Stats } from 'node:fs';
import { access, mkdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FileSystemPort } from '../../acp/agentClient';
import { ErrorCode } from '../../core/acp';
import type { Compatibility } from '../../core/agents/compatibility';
import { WireError } from '../../core/errors';
import { isAbsolutePath } from '../../core/files/containment';
import { parseRange, sliceLines, type LineRange } from '../../core/files/slice';
import type { JsonObject } from '../../core/json';
import { locate, OutsideError, type Place } from '../files/boundary';
import { PathQueue } from '../files/pathQueue';
import { writeKeepingForm } from '../files/plainWrite';
import type { TextFiles } from '../files/textFiles';

/** Largest file that is read as a whole, in bytes, and largest answer, in UTF-16 units. */
const MAX_WHOLE = 64 << 20;
/** Largest file of which a part is read, in bytes: it has to fit into one string. */
const MAX_RANGED = 256 << 20;

export interface FileSystemBridgeOptions {
  /** Folders that a session may use; undefined for one that is not open. `sessionId` is Parley's key, here and below. */
  roots(sessionId: string): readonly string[] | undefined;
  compatibility(sessionId: string): Compatibility;
  files: TextFiles;
  /** A path outside the roots was asked for. */
  onRefused(sessionId: string, path: string): void;
  log(line: string): void;
}

/** Serves the agent's reads and writes of files inside the session's folders (FS-1 to FS-13). */
export class FileSystemBridge implements FileSystemPort {
  private readonly queue = new PathQueue();
  private locating: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: FileSystemBridgeOptions) {}

  async readTextFile(params: JsonObject): Promise<{ content: string }> {
    const range = parseRange(params);
    // Behind a write that is under way, so that the agent reads what it wrote.
    const ifMissing = this.options.compatibility(String(params['sessionId'])).missingFileIsEmpty
      ? ''
      : undefined;
    return this.inOrder(params, ErrorCode.notFound, async (place) => ({
      content: await this.read(place, range, ifMissing),
    }));
  }

  async writeTextFile(params: JsonObject): Promise<object> {
    const { content } = params;
    if (typeof content !== 'string') throw WireError.invalidParams('"content" must be a text.');
    await this.inOrder(params, ErrorCode.invalidParams, (place) => this.write(place, content));
    return {};
  }

  /** Runs the tasks on one file in the order of the requests, whichever path is followed faster. */
  private inOrder<T>(params: JsonObject, refusal: number, task: (place: Place) => Promise<T>): Promise<T> {
    const located = this.locating.then(() => this.locate(params, refusal));
    this.locating = located.catch(() => undefined);
    return located.then((place) => this.queue.run(place.real, () => task(place)));
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
      this.options.onRefused(String(sessionId), path);
      throw new WireError(refusal, 'The path is outside the folders of the session.', { uri: uriOf(path) });
    }
  }

  private async read(place: Place, range: LineRange, ifMissing: string | undefined): Promise<string> {
    const { path } = place;
    const text =
      (await this.options.files.unsavedText(place)) ?? (await this.readDisk(place, range, ifMissing));
    const part = sliceLines(text, range);
    if (part.length > MAX_WHOLE) throw tooLarge(path);
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

  private async write(place: Place, content: string): Promise<void> {
    const { path } = place;
    const found = await statOf(path);
    if (found && !found.isFile()) throw notAFile(path, found);
    // Asked first: the editor would ask the person whether to overwrite it nevertheless.
    if (found && !(await isWritable(path))) throw WireError.invalidParams(`The file "${path}" is read-only.`);
    try {
      // The folders first: an open document whose folder was deleted can't be saved otherwise.
      if (!found) await mkdir(dirname(path), { recursive: true });
      if (await this.options.files.replaceText(place, content)) return;
      await writeKeepingForm(path, content);
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
