import type { SessionAction } from '../session/actions';
import type { TerminalView } from '../session/state';

/**
 * The screen of a terminal as actions that give it to a terminal of which less is known. Two where lines are hidden: the first one
 * moves the place at which the second one begins.
 */
export function screenActions({ terminalId, lines, hiddenLines }: TerminalView): SessionAction[] {
  const type = 'terminalScreen' as const;
  const screen: SessionAction = { type, terminalId, from: hiddenLines, lines, hiddenLines };
  return hiddenLines === 0 ? [screen] : [{ type, terminalId, from: 0, lines: [], hiddenLines }, screen];
}
