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
  const first = state.entries.find((entry) => entry.kind === 'user');
  if (first?.kind !== 'user') return null;
  const line =
    textOf(first.blocks.filter(({ hidden }) => !hidden))
      .trimStart()
      .split(/\r?\n/, 1)[0]
      ?.trimEnd() ?? '';
  if (line === '') return null;
  if (line.length <= LONGEST) return line;
  return `${line.slice(0, LONGEST - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
