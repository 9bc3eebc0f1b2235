import type { ChangedFileView, ChangeScope, ChangesView } from '../../core/review/changes';

/** What the list of changed files shows. */
export interface ShownChanges {
  scope: ChangeScope;
  files: readonly ChangedFileView[];
  /** The turn and the session have different changes, so that a person can choose. */
  both: boolean;
  /** What the newest turn allows. */
  turn: 'none' | 'undoable' | 'unknown' | 'undone';
}

const isSameFile = (a: ChangedFileView, b: ChangedFileView | undefined): boolean =>
  a.path === b?.path && a.added === b.added && a.removed === b.removed && a.change === b.change;

const areSame = (a: readonly ChangedFileView[], b: readonly ChangedFileView[]): boolean =>
  a.length === b.length && a.every((file, index) => isSameFile(file, b[index]));

/** True where at least one file can be taken back. */
export function canRevert(files: readonly ChangedFileView[]): boolean {
  return files.some(({ special }) => special !== 'unknown');
}

function turnOf({ turn }: ChangesView): ShownChanges['turn'] {
  if (turn?.undone) return 'undone';
  if (!turn || turn.files.length === 0) return 'none';
  return canRevert(turn.files) ? 'undoable' : 'unknown';
}

function filesOfTurn({ turn }: ChangesView): readonly ChangedFileView[] {
  return !turn || turn.undone ? [] : turn.files;
}

/** The changes to show; undefined where there are none. `turnChosen`: the person wants to see those of the turn where they differ. */
export function shownChanges(changes: ChangesView, turnChosen: boolean): ShownChanges | undefined {
  const turn = turnOf(changes);
  const { session } = changes;
  if (session.length === 0 && turn === 'none') return undefined;
  const ofTurn = filesOfTurn(changes);
  const both = ofTurn.length > 0 && session.length > 0 && !areSame(ofTurn, session);
  const scope = ofTurn.length > 0 && (session.length === 0 || (both && turnChosen)) ? 'turn' : 'session';
  return { scope, files: scope === 'turn' ? ofTurn : session, both, turn };
}

/** The lines of all files that came and went. */
export function totalLines(files: readonly ChangedFileView[]): { added: number; removed: number } {
  const total = { added: 0, removed: 0 };
  for (const { added, removed } of files) {
    total.added += added;
    total.removed += removed;
  }
  return total;
}
