import type { PageString } from '../chat/strings';
import type { SessionUpdate } from './actions';
import { addEntry, changed, lastEntry } from './entries';
import type { EntryBase } from './entryBase';
import { append } from './messages';
import type { BlockView, SessionState } from './state';
import type { Touch } from './touch';

/** A message that the agent gave its model in the name of the user. The person neither wrote nor sent it. */
export interface SyntheticEntry extends EntryBase {
  kind: 'synthetic';
  blocks: BlockView[];
  /** Why, in the agent's word; `autopilot_nudge` is known. */
  reason: string;
  /** Which one of this turn, 1-based. */
  n?: number;
  messageId?: string;
}

/** Adds a part of a synthetic message; parts with the same id are one. */
export function applySynthetic(
  state: SessionState,
  update: Extract<SessionUpdate, { kind: 'synthetic' }>,
  touch: Touch,
): void {
  const { kind, block, ...rest } = update;
  const last = lastEntry(state);
  if (last?.kind === kind && last.messageId === rest.messageId && last.n === rest.n) {
    append(last.blocks, block);
    changed(last, touch);
  } else {
    addEntry(state, touch, { kind, blocks: [{ ...block }], ...rest });
  }
}

/** What a synthetic message is, in words. */
export function syntheticTitle(
  { reason, n }: Pick<SyntheticEntry, 'reason' | 'n'>,
  t: (key: PageString, ...args: number[]) => string,
): string {
  if (reason !== 'autopilot_nudge') return t('syntheticMessage');
  return n === undefined ? t('nudge') : t('nudgeNumber', n);
}

/** Says that the agent gave up reminding its model of the task. */
export function exhaustedTitle(
  nudges: number | undefined,
  t: (key: PageString, ...args: number[]) => string,
): string {
  if (nudges === undefined) return t('endNudges');
  return nudges === 1 ? t('endNudgesOne') : t('endNudgesMany', nudges);
}
