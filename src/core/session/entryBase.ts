/** What every entry of a transcript has. */
export interface EntryBase {
  /** Position-independent id, unique in the session. */
  id: number;
  /** Grows with each change of the entry. */
  version: number;
  /** The turn in which the entry was made; 0 before the first. */
  turn: number;
}
