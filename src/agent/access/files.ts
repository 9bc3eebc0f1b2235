import { constants } from 'node:fs';
import { lstat, mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ClientMethod } from '../../core/acp';
import { asObject } from '../../core/json';
import { ToolFailure } from '../tools/tool';
import type { ClientRequest } from './clientRequest';
import { realPathInside, type Workspace } from './paths';

/** Largest file that is read, in bytes. */
export const MAX_FILE_BYTES = 2 * 1024 * 1024;

/** Reads and writes text files of a session. Paths are absolute. */
export interface FileAccess {
  read: (path: string, signal?: AbortSignal) => Promise<string>;
  /** Makes missing folders; an existing file gets the new text. */
  write: (path: string, text: string, signal?: AbortSignal) => Promise<void>;
  exists: (path: string) => Promise<boolean>;
}

/** Which of the client's file methods were announced; the others are never called (IN-7). */
export interface FileCapabilities {
  readTextFile: boolean;
  writeTextFile: boolean;
}

export interface FileAccessOptions {
  sessionId: string;
  workspace: Workspace;
  request: ClientRequest;
  capabilities: FileCapabilities;
}

/** The client's files where it offers them, since it knows what is not saved yet (FS-3); else the agent's own access. */
export function createFileAccess(options: FileAccessOptions): FileAccess {
  const { sessionId, workspace, request, capabilities } = options;
  const own = ownFiles(workspace);
  const read: FileAccess['read'] = async (path, signal) => {
    const answer = asObject(await request(ClientMethod.readTextFile, { sessionId, path }, signal));
    if (typeof answer['content'] !== 'string') throw new ToolFailure('The client gave no text.');
    return answer['content'];
  };
  const write: FileAccess['write'] = async (path, content, signal) => {
    await request(ClientMethod.writeTextFile, { sessionId, path, content }, signal);
  };
  return {
    read: capabilities.readTextFile ? read : own.read,
    write: capabilities.writeTextFile ? write : own.write,
    exists: own.exists,
  };
}

/** The agent's own access to the files of a session; a link that leads out of its folders is refused. */
export function ownFiles(workspace: Workspace): FileAccess {
  return {
    read: async (path) => readText(await realPathInside(workspace, path)),
    write: async (path, text) => {
      const real = await realPathInside(workspace, path);
      await mkdir(dirname(real), { recursive: true });
      // NOFOLLOW: the path was real a moment ago, so a link in its place was put there since.
      const flags = constants.O_WRONLY | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0) | NO_WAIT;
      const file = await open(real, flags);
      try {
        await checkIsFile(file);
        await file.truncate();
        await file.writeFile(text, 'utf8');
      } finally {
        await file.close();
      }
    },
    exists: async (path) => {
      // Refused here already, so that nobody is asked to allow what can't be done.
      await realPathInside(workspace, path);
      const found = await lstat(path).catch(() => undefined);
      return found !== undefined;
    },
  };
}

/** The text of a file; one that is too large or is no text is a failure. */
export async function readText(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | NO_WAIT);
  try {
    await checkIsFile(file);
    return decode(await bytesOf(file));
  } finally {
    await file.close();
  }
}

/** A pipe is opened at once, not when another program opens its other end; until then nothing could be cancelled. */
const NO_WAIT = constants.O_NONBLOCK ?? 0;

async function checkIsFile(file: FileHandle): Promise<void> {
  const stats = await file.stat();
  if (stats.isDirectory()) throw new ToolFailure('This is a folder, not a file.');
  if (!stats.isFile()) throw new ToolFailure('This is no ordinary file but a pipe or a device.');
}

/** Counted as they are read: the size that is told may be none, or grow. */
async function bytesOf(file: FileHandle): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of file.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_FILE_BYTES)
      throw new ToolFailure(
        'The file is larger than 2 MB: find the part with search_text, or print it with run_command.',
      );
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Uint8Array): string {
  if (bytes.includes(0)) throw new ToolFailure('This is not a text file.');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ToolFailure('The file is not UTF-8 text.');
  }
}
