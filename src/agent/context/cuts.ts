import type { HistoryItem } from '../model/model';
import { estimateText } from './tokens';

type ToolItem = Extract<HistoryItem, { role: 'tool' }>;

/** Which tool outputs are cut: how many characters are kept of each, by the id of its request. */
export type Cuts = Readonly<Record<string, number>>;

/** Characters that are kept of an old output. */
const KEPT = 400;

/** Longest note that takes the place of the rest; an output that is hardly longer than what is kept stays whole. */
const NOTE = 120;

/** The history with these outputs cut; all else is as it was. The same cuts always give the same history. */
export function applyCuts(history: readonly HistoryItem[], cuts: Cuts): HistoryItem[] {
  return history.map((item) => {
    const kept = item.role === 'tool' && Object.hasOwn(cuts, item.requestId) && cuts[item.requestId];
    return item.role === 'tool' && typeof kept === 'number'
      ? { ...item, output: cut(item.output, kept) }
      : item;
  });
}

/**
 * Cuts of old outputs, the oldest first, until enough is free. Those that the last model call asked for stay, since the next one is to
 * work with them.
 *
 * @param tokens how many are to be freed, as estimated.
 */
export function oldOutputs(history: readonly HistoryItem[], tokens: number): Cuts {
  const cuts: Record<string, number> = {};
  let missing = tokens;
  for (const { requestId, output } of toolItems(history.slice(0, lastAnswer(history)))) {
    if (missing <= 0) break;
    const freed = estimateText(output) - estimateText(cut(output, KEPT));
    if (freed <= 0) continue;
    cuts[requestId] = KEPT;
    missing -= freed;
  }
  return cuts;
}

/**
 * Cuts of the last model call's outputs, all by the same share: for outputs that would not fit at all.
 *
 * @param tokens how many are to be freed, as estimated.
 */
export function lastOutputs(history: readonly HistoryItem[], tokens: number): Cuts {
  const long = toolItems(history.slice(lastAnswer(history))).filter(
    ({ output }) => output.length > KEPT + NOTE,
  );
  const all = long.reduce((total, { output }) => total + estimateText(output), 0);
  const share = Math.max(0, 1 - tokens / Math.max(1, all));
  const kept = ({ output }: ToolItem): number => Math.max(KEPT, Math.floor(output.length * share) - NOTE);
  return Object.fromEntries(long.map((item) => [item.requestId, kept(item)]));
}

function cut(output: string, kept: number): string {
  if (output.length <= kept + NOTE) return output;
  // Half a character is none.
  const end = /[\uD800-\uDBFF]/.test(output.charAt(kept - 1)) ? kept - 1 : kept;
  const rest = output.length - end;
  return `${output.slice(0, end)}\n[Cut to save room: ${rest} more characters. Call the tool again to see them.]`;
}

/** Where the last answer of the model is; the end where there is none. */
function lastAnswer(history: readonly HistoryItem[]): number {
  const at = history.findLastIndex(({ role }) => role === 'assistant');
  return at < 0 ? history.length : at;
}

function toolItems(history: readonly HistoryItem[]): ToolItem[] {
  return history.filter((item) => item.role === 'tool');
}
