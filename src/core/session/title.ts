import { textOf } from './select';
import type { SessionState } from './state';

/** Longest title that is made of a prompt, in UTF-16 units. */
const LONGEST = 80;

/**
 * What a session is called: the title that the agent gave it (SI-1), else the first line of the first prompt, cut; null where there
 * is neither.
 */
export function titleOf(state: SessionState): string | null {
  if (state.title) return state.title;
  const line = firstLine(state);
  if (line === '') return null;
  if (line.length <= LONGEST) return line;
  return `${line.slice(0, LONGEST - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Of the first prompt that a person can read. */
function firstLine({ entries }: SessionState): string {
  for (const entry of entries) {
    const shown = entry.kind === 'user' ? entry.blocks.filter(({ hidden }) => !hidden) : [];
    if (shown.length > 0) return textOf(shown).trimStart().split(/\r?\n/, 1)[0]?.trimEnd() ?? '';
  }
  return '';
}
