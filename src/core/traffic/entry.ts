import type { Fault } from './faultNote';

/** Who wrote a message: the agent (`in`) or Parley (`out`). */
export type Direction = 'in' | 'out';

/**
 * What was recorded: a message, text on stderr, a line on stdout that is no message, the start or the end of a process, or a fault in the
 * message before.
 */
export type EntryKind = Direction | 'stderr' | 'line' | 'start' | 'exit' | 'fault';

/** One thing that passed between Parley and an agent; its texts are masked. */
export interface TrafficEntry {
  /** Counts up from 1 in a window. */
  seq: number;
  /** ms since the epoch. */
  at: number;
  /** Name of the agent in the settings. */
  agent: string;
  /** Counts the starts of agents in a window. */
  run: number;
  kind: EntryKind;
  /** JSON of a message, a start or an end; the text of the others. */
  text: string;
  /** Bytes of the whole, before anything was masked or cut. */
  size: number;
  /** Parts were left out for their length. */
  cut?: true;
  /** Of a message; an answer has that of its request. */
  method?: string;
  answer?: 'result' | 'error';
  sessionId?: string;
  /** What stands out in the message: the kind of the update, the tool call, the message of an error. */
  what?: string;
  /** ms from the request to this answer. */
  ms?: number;
  /** Of a start: the agent was running when recording began. */
  midway?: true;
  fault?: Fault;
  /** `seq` of the entry that the fault is in. */
  about?: number;
  /** Opens a connection or a session, so that the rest can be understood: kept longer. */
  opens?: true;
}

/** Where a process ended. */
export interface RunEnd {
  code: number | null;
  signal: string | null;
  /** Parley ended it. */
  asked: boolean;
}
