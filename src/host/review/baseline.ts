import type { CopiedFile, Snapshot } from './copies';
import { lookAt, type OnDisk, type Signature } from './diskFile';

/** What a path had when the turn began. */
export type Earlier =
  | { kind: 'bytes'; bytes: Buffer }
  | { kind: 'absent' }
  /** Not tracked: ignored by git, or a link. */
  | { kind: 'ignored' }
  /** The signature tells whether it changed, where it is known. */
  | { kind: 'unknown'; signature?: Signature };

/** The files of a folder as they were when a turn began. */
export interface Baseline {
  /** Absolute, by the name that the session has for it; all paths here begin with it. */
  readonly folder: string;
  /** True where what is at a path now is what was there then; false where that is not certain. Runs nothing, if it can. */
  isAsBegun(path: string, now: OnDisk): Promise<boolean>;
  /** True where `earlier` will know what a path had, whatever becomes of the file meanwhile. Runs nothing, if it can. */
  has(path: string): Promise<boolean>;
  /** What the paths had; an answer for each. */
  earlier(paths: readonly string[]): Promise<Map<string, Earlier>>;
  /** All paths that may be different by now; some of them are not. */
  candidates(): Promise<string[]>;
  dispose(): Promise<void>;
}

/** A baseline with the repositories in it, which need baselines of their own. */
export interface Found {
  baseline: Baseline;
  nested: string[];
}

/** What a snapshot says of a path; undefined where it was not taken. */
export async function fromSnapshot(files: Snapshot, path: string): Promise<Earlier | undefined> {
  const copied = files.get(path);
  if (copied === undefined) return undefined;
  if (copied === 'absent') return { kind: 'absent' };
  const { signature, place } = copied;
  const bytes = place && (await place.pack.read(place.offset, signature.size));
  return bytes ? { kind: 'bytes', bytes } : { kind: 'unknown', signature };
}

/** True where the snapshot has the bytes of a path, or knows that there was nothing. */
export function isInSnapshot(files: Snapshot, path: string): boolean {
  const copied = files.get(path);
  return copied === 'absent' || copied?.place !== undefined;
}

/** True for a file that was not written since the snapshot. */
export async function isUntouched(files: Snapshot, path: string): Promise<boolean> {
  const copied = files.get(path);
  if (copied === undefined) return false;
  return isAsCopied(copied, await lookAt(path));
}

/** True for what is certainly the same file. */
export function isAsCopied(copied: CopiedFile | 'absent', now: OnDisk): boolean {
  if (copied === 'absent') return now.kind === 'absent';
  return !copied.fresh && now.kind === 'file' && now.signature.text === copied.signature.text;
}

/** True for a file that was written since a time, in ms since the epoch. */
export async function isWrittenSince(path: string, time: number): Promise<boolean> {
  const now = await lookAt(path);
  return now.kind === 'file' && now.signature.changedAt >= time;
}
