import type { Event } from '../../core/emitter';

/** The bytes of a file at some time: kept under their hash, no file at all, or not kept. */
export type Version = { hash: string } | 'absent' | 'unknown';

/** What one turn did to one file. */
export interface FileChange {
  /** Absolute. */
  path: string;
  /** As the agent found it, with what the person did meanwhile put in where that could be merged. */
  before: Version;
  /** As the agent left it. */
  after: Version;
  /** What the review compares with: `before`, and later on what the person kept. */
  base: Version;
  binary: boolean;
  /** Another session ran a turn in the same folder, so the change may be its work. */
  shared: boolean;
}

/** What an undo did to the files, so that it can be taken back. */
export type Undo = { path: string; from: Version; to: Version }[];

/** What one turn did. Plain JSON, kept in the extension's storage. */
export interface TurnRecord {
  number: number;
  files: FileChange[];
  /** Present while the turn is undone. */
  undo?: Undo;
  /** Present with `undo`: later undos have higher numbers, so that they are taken back in the reverse order. */
  undoOrder?: number;
}

/** The turns of each session that changed files, oldest first; on disk, so that they outlive the window. `key` is Parley's key. */
export interface ChangeRecords {
  readonly onDidChange: Event<string>;
  turns(key: string): Promise<readonly TurnRecord[]>;
  /** Replaces the records of a session; the list in the panel follows. */
  set(key: string, turns: readonly TurnRecord[]): Promise<void>;
  /** Replaces the records of a session by what becomes of those that are there at that moment; nothing else comes between. */
  update(key: string, change: (turns: readonly TurnRecord[]) => readonly TurnRecord[]): Promise<void>;
}

/** Contents by their hash, outside the workspace, capped in size. */
export interface Contents {
  /** Keeps bytes; the answer is `unknown` where there is no room. */
  put(bytes: Uint8Array): Promise<Version>;
  /** The bytes; undefined where they are no longer kept. Must not be called with `absent` or `unknown`. */
  get(version: { hash: string }): Promise<Uint8Array | undefined>;
}

/** Two versions are the same bytes; what is unknown equals nothing. */
export function isSameVersion(a: Version, b: Version): boolean {
  if (typeof a === 'object' && typeof b === 'object') return a.hash === b.hash;
  return a === b && a !== 'unknown';
}
