import { lstat, mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, normalize } from 'node:path';
import { withLineEnd, type LineEnd } from '../../core/files/eol';
import { isSameContent, type Content } from '../../core/review/plan';
import { locate, OutsideError } from '../files/boundary';
import { createFile, overwriteFile } from '../files/plainWrite';
import type { ReviewFiles, Trouble } from './reviewPorts';

/** A document that is open in the editor. */
export interface OpenText {
  readonly isDirty: boolean;
  readonly text: string;
  readonly lineEnd: LineEnd;
  /** By the encoding of the document, without the byte order mark. */
  decode(bytes: Uint8Array): Promise<string>;
  encode(text: string): Promise<Uint8Array>;
  /** Small edits, which the person can undo. False if the editor did not take them. */
  replace(text: string): Promise<boolean>;
  save(): Promise<boolean>;
}

export interface WorkingFilesOptions {
  /** The open document of a file. */
  find(path: string): OpenText | undefined;
  /** Folders beyond which nothing is written, wherever links lead. */
  roots(): readonly string[];
  /** A file was made, written or taken away. */
  onWritten: (path: string) => void;
}

/** Files as they stand in the editor, where they have unsaved changes there, else on disk. */
export class WorkingFiles implements ReviewFiles {
  constructor(private readonly options: WorkingFilesOptions) {}

  async read(given: string): Promise<Content> {
    const path = normalize(given);
    const document = this.options.find(path);
    const disk = await readDisk(path);
    if (disk === undefined) return undefined;
    if (!document?.isDirty) return disk;
    // Text that does not come back from bytes as it was would be lost by a merge of bytes.
    if (disk && !(await roundTrips(document, disk))) return undefined;
    const { text } = document;
    const bytes = await document.encode(text);
    // It may have characters that its encoding does not have.
    return (await document.decode(bytes)) === text ? bytes : undefined;
  }

  async write(
    given: string,
    expected: Uint8Array | null,
    wanted: Uint8Array | null,
  ): Promise<'written' | Trouble> {
    try {
      // Links are followed after `..` is gone, so the path that was given may lead elsewhere.
      const { path } = await locate(given, this.options.roots());
      if (!isSameContent(await this.read(path), expected)) return 'changed';
      const done = await this.replace(path, expected, wanted);
      if (done === 'written') this.options.onWritten(path);
      return done;
    } catch (error) {
      if (error instanceof OutsideError) return 'outside';
      return { refused: (error as NodeJS.ErrnoException).code ?? String(error) };
    }
  }

  private async replace(
    path: string,
    expected: Uint8Array | null,
    wanted: Uint8Array | null,
  ): Promise<'written' | Trouble> {
    if (expected === null) return wanted ? create(path, wanted) : 'written';
    const document = this.options.find(path);
    return wanted ? change(path, { document, expected, wanted }) : remove(path, document);
  }
}

async function readDisk(path: string): Promise<Content> {
  try {
    // A pipe has no end, and a link leads to another file: neither is what the agent changed.
    return (await lstat(path)).isFile() ? await readFile(path) : undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A parent that became a file leaves no file here either. All else, such as a folder in its place, is left alone.
    return code === 'ENOENT' || code === 'ENOTDIR' ? null : undefined;
  }
}

async function create(path: string, bytes: Uint8Array): Promise<'written' | 'changed'> {
  await mkdir(dirname(path), { recursive: true });
  return (await createFile(path, bytes)) ? 'written' : 'changed';
}

async function remove(path: string, document: OpenText | undefined): Promise<'written' | 'changed'> {
  if (document?.isDirty) return 'changed';
  await rm(path);
  return 'written';
}

interface Replacement {
  document: OpenText | undefined;
  expected: Uint8Array;
  wanted: Uint8Array;
}

async function change(
  path: string,
  { document, expected, wanted }: Replacement,
): Promise<'written' | Trouble> {
  const text = document && (await fittingText(document, wanted));
  if (document?.isDirty) {
    if (text === undefined) return 'unreadable';
    // The person may have written on since it was read.
    if (!(await shows(document, expected))) return 'changed';
    return (await document.replace(text)) ? 'written' : 'changed';
  }
  // A document that lags behind the disk takes the change over from there.
  if (document && text !== undefined && (await shows(document, expected))) return editAndSave(document, text);
  return (await overwriteFile(path, expected, wanted)) ? 'written' : 'changed';
}

async function editAndSave(document: OpenText, text: string): Promise<'written' | Trouble> {
  const before = document.text;
  if (!(await document.replace(text))) return 'changed';
  if (await document.save()) return 'written';
  if (document.text === text) await document.replace(before);
  return { refused: 'save' };
}

/** The text of bytes, if a document that has it saves exactly these bytes. */
async function fittingText(document: OpenText, bytes: Uint8Array): Promise<string | undefined> {
  if (!(await roundTrips(document, bytes))) return undefined;
  const text = await document.decode(bytes);
  return withLineEnd(text, document.lineEnd) === text ? text : undefined;
}

async function roundTrips(document: OpenText, bytes: Uint8Array): Promise<boolean> {
  return isSameContent(await document.encode(await document.decode(bytes)), bytes);
}

async function shows(document: OpenText, bytes: Uint8Array): Promise<boolean> {
  return (await document.decode(bytes)) === document.text;
}
