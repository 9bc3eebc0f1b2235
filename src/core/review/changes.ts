/** A file that an agent changed, as the page shows it. */
export interface ChangedFileView {
  /** Absolute. */
  path: string;
  /** Relative to the session's folder where it lies in it. */
  name: string;
  change: 'added' | 'modified' | 'deleted';
  /** Lines that came and went; both 0 for a binary file. */
  added: number;
  removed: number;
  /** `binary`: no lines to show. `unknown`: the earlier text was not kept, so nothing can be reverted. */
  special?: 'binary' | 'unknown';
  /** Another session ran a turn in the same folder meanwhile, so the change may be its work. */
  shared?: true;
}

/** What waits for a review. */
export interface ChangesView {
  /** The newest turn that changed files; `undone` where the person took it back. */
  turn: { number: number; files: ChangedFileView[]; undone: boolean } | null;
  /** All turns together, without what was kept. */
  session: ChangedFileView[];
}

/** Which changes are meant: those of the newest turn, or all of the session. */
export type ChangeScope = 'turn' | 'session';
