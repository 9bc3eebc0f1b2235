import { constants } from 'node:os';
import type { TerminalExit } from './ptyProcess';

/** Names of signals by their numbers, of the platform that Parley runs on. */
const NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(constants.signals).map(([name, number]) => [number, name]),
);

/**
 * How a command ended, as the protocol tells it (TE-5, client-duties, section e.26): a code from 0 to 2³²-1, or a signal and no code.
 * Windows has no signals, and its codes, such as `0xC0000005`, come as negative numbers.
 */
export function toExit(
  code: number | null,
  signal: number | string | null | undefined,
  windows: boolean,
): TerminalExit {
  if (windows || !signal) return { code: code === null ? null : code >>> 0, signal: null };
  const name = typeof signal === 'string' ? signal : (NAMES.get(signal) ?? `SIG${signal}`);
  return { code: null, signal: name };
}
