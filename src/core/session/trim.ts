import { byId, setById } from './byId';
import type { Entry, NoticeEntry, SessionState, TerminalView } from './state';
import { titleOf } from './title';

export interface TrimOptions {
  /** What the entries that stay, with their terminals, may need; in the unit of `sizeOf`. */
  budget: number;
  sizeOf: (part: Entry | TerminalView) => number;
  /** Says that earlier messages were not kept; localised. */
  notKept: string;
}

/**
 * The session without its oldest entries, in whole turns; where the last turn alone is too large, without its first entries, but
 * with what is still open. A notice at the top says so. The given state is not changed; both share entries.
 */
export function trimmed(state: SessionState, options: TrimOptions): SessionState {
  const { entries } = state;
  const cut = turnStart(entries, firstThatFits(state, options));
  if (cut === 0) return state;
  const last = entries[cut - 1] as Entry;
  // The id of an entry that is gone: unique, and in order.
  const top: NoticeEntry = {
    id: last.id,
    version: 1,
    turn: last.turn,
    kind: 'notice',
    severity: 'info',
    title: options.notKept,
  };
  const kept = withEntries(state, (entry, index) => index >= cut || isOpen(entry), [top]);
  return { ...kept, title: titleOf(state), terminals: liveTerminals(kept) };
}

/** The session with some of its entries, below those of `top`; everything that names a place in the list is put right. */
export function withEntries(
  state: SessionState,
  keeps: (entry: Entry, index: number) => boolean,
  top: readonly Entry[] = [],
): SessionState {
  const entries = [...top];
  let firstEntry = top.length;
  state.entries.forEach((entry, index) => {
    if (!keeps(entry, index)) return;
    entries.push(entry);
    if (index < state.turn.firstEntry) firstEntry++;
  });
  return { ...state, entries, ...indexes(entries), turn: { ...state.turn, firstEntry } };
}

function indexes(entries: readonly Entry[]): Pick<SessionState, 'toolIndex' | 'compactionIndex'> {
  const toolIndex: Record<string, number> = {};
  const compactionIndex: Record<string, number> = {};
  entries.forEach((entry, index) => {
    if (entry.kind === 'tool') setById(toolIndex, entry.toolCallId, index);
    else if (entry.kind === 'compaction') setById(compactionIndex, entry.compactionId, index);
  });
  return { toolIndex, compactionIndex };
}

/** Index of the first entry from which on everything fits; the last entry always stays. */
function firstThatFits(state: SessionState, { budget, sizeOf }: TrimOptions): number {
  const { entries, terminals } = state;
  const sizes = entries.map((entry) => {
    const shown = terminalsOf(entry).map((id) => byId(terminals, id));
    return shown.reduce((sum, terminal) => sum + (terminal ? sizeOf(terminal) : 0), sizeOf(entry));
  });
  let left = sizes.reduce((sum, size) => sum + size, 0);
  let cut = 0;
  while (left > budget && cut < entries.length - 1) left -= sizes[cut++] ?? 0;
  return cut;
}

/** The first index from `from` on where a turn begins; `from` itself in the middle of the last turn. */
function turnStart(entries: readonly Entry[], from: number): number {
  for (let i = from; i > 0 && i < entries.length; i++)
    if (entries[i]?.turn !== entries[i - 1]?.turn) return i;
  return from;
}

function isOpen(entry: Entry): boolean {
  if (entry.kind === 'elicitation') return !entry.outcome;
  return entry.kind === 'tool' && entry.endedAt === undefined;
}

function terminalsOf(entry: Entry): string[] {
  if (entry.kind !== 'tool') return [];
  return entry.content.flatMap((item) => (item.type === 'terminal' ? [item.terminalId] : []));
}

/** Terminals that an entry shows, and those that still run. */
function liveTerminals(state: SessionState): SessionState['terminals'] {
  const shown = new Set(state.entries.flatMap(terminalsOf));
  const stays = ({ terminalId, exit, released }: TerminalView): boolean =>
    shown.has(terminalId) || !(exit ?? released);
  return Object.fromEntries(Object.entries(state.terminals).filter(([, terminal]) => stays(terminal)));
}
