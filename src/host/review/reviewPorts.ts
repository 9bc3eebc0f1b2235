import type { ChangeScope } from '../../core/review/changes';
import type { Content, Obstacle, Plan } from '../../core/review/plan';

/** Why a file was not changed: what a plan says; it is not as expected any more; or the system refused it, with its reason. */
export type Trouble = Obstacle | 'changed' | 'outside' | { refused: string };

/** The files under review, as they stand in the editor or on disk. Paths are absolute. */
export interface ReviewFiles {
  /** The bytes as they would be if all was saved; null for no file; undefined where they can't be told. */
  read(path: string): Promise<Content>;
  /**
   * Makes a file these bytes, or takes it away, if it is still as expected. An open document is edited, so that it can be undone there,
   * and saved if it had no unsaved changes.
   */
  write(path: string, expected: Uint8Array | null, wanted: Uint8Array | null): Promise<'written' | Trouble>;
}

/** A file with what would become of it. */
export interface PlannedFile {
  path: string;
  current: Content;
  plan: Plan;
}

/** What is done: a review takes changes back, an undo a whole turn, and a redo an undo. */
export type Purpose = 'revert' | 'undo' | 'redo';

/** Things that a person is told in one sentence. */
export type Remark =
  | 'nothingToReview'
  | 'nothingToUndo'
  | 'nothingToRedo'
  | 'turnRuns'
  | 'notAChange'
  | 'asBefore'
  | 'changedMeanwhile';

/** The questions and views of a review. */
export interface ReviewScreen {
  /** Diffs of the earlier text and the file. */
  open(key: string, scope: ChangeScope, paths: readonly string[]): Promise<void>;
  /** Shows what would change and asks; only a yes of the person is true. */
  confirm(purpose: Purpose, files: readonly PlannedFile[]): Promise<boolean>;
  /** Asks what to do with a file that was changed at the same places; undefined where the person did not choose. */
  resolve(file: PlannedFile): Promise<'keep' | 'earlier' | undefined>;
  tell(remark: Remark): void;
  /** Files that could not be changed, with the reason of each. */
  tellProblems(problems: readonly { path: string; reason: Trouble }[]): void;
  /** The turn is undone; the person may take that back at once. */
  tellUndone(count: number, redo: () => Promise<void>): void;
}
