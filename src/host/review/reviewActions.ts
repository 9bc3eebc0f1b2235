import type { ChangeScope } from '../../core/review/changes';

/** What a person does with the changes of a session; `key` is Parley's key, without `path` all files are meant. */
export interface ReviewActions {
  /** Opens a diff of the earlier text and the file, or of all files together. */
  open(key: string, scope: ChangeScope, path?: string): Promise<void>;
  /** The changes are fine: they leave the list. */
  keep(key: string, scope: ChangeScope, path?: string): Promise<void>;
  /** Takes changes back by a three-way merge, after a preview; what cannot be merged is asked. */
  revert(key: string, scope: ChangeScope, path?: string): Promise<void>;
  /** Takes the newest turn back that is not undone, after a preview. */
  undoTurn(key: string): Promise<void>;
  /** Takes back what the last undo did. */
  redoTurn(key: string): Promise<void>;
}
