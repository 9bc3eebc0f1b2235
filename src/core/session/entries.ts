import type { Entry, SessionState } from './state';
import type { Touch } from './touch';

type New<E> = E extends Entry ? Omit<E, 'id' | 'version' | 'turn'> : never;

export function lastEntry(state: SessionState): Entry | undefined {
  return state.entries.at(-1);
}

/** Adds an entry at the end, in the current turn. */
export function addEntry(state: SessionState, touch: Touch, entry: New<Entry>): Entry {
  const added = { ...entry, id: state.nextEntryId++, version: 1, turn: state.turn.number };
  state.entries.push(added);
  touch('entries');
  return added;
}

/** Stamps an entry as changed. */
export function changed(entry: Entry, touch: Touch): void {
  entry.version++;
  touch(`entry:${entry.id}`);
}
