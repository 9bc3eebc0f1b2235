import type { EntryBase } from './entryBase';

export type TurnStatus = 'idle' | 'running' | 'cancelling' | 'failed';

/** Tokens of one model call, or of all of a turn. */
export interface TokenCounts {
  input: number;
  output: number;
}

/** One call of the model by the agent, with the tools that it asked for; times are the host's, in ms since the epoch. */
export interface ModelCall {
  /** The agent's id; tool calls name it as their `modelCallId`. */
  id: string;
  startedAt: number;
  /** Absent where the turn ended first. */
  endedAt?: number;
  usage?: TokenCounts;
}

/** The model calls of a turn, as the agent told them one by one (client-duties, section d.3). */
export interface ModelCalls {
  /** Start of the turn, in ms since the epoch. */
  since: number;
  /** The first ones, at most `MAX_MODEL_CALLS`. */
  kept: ModelCall[];
  /** How many followed those. */
  more: number;
}

/** What an agent tells of a model call. */
export type ModelCallEvent =
  { type: 'modelCallStarted'; id: string } | { type: 'modelCallEnded'; id: string; usage?: TokenCounts };

export interface TurnState {
  /** Counts the prompts of the session; 0 before the first. */
  number: number;
  status: TurnStatus;
  /** ms since the epoch. */
  startedAt: number;
  /** Index in `entries` of the turn's first entry. */
  firstEntry: number;
  /** What the agent may still echo of the prompt (MI-2). */
  echo: string;
  /** Absent where the agent tells none. */
  modelCalls?: ModelCalls;
  /** Of the model calls that were told by messages without text. */
  tokens?: TokenCounts;
}

/** What an agent of the loop says of a turn beyond the reason of its end. */
export interface LoopEnd {
  modelCalls?: number;
  /** Present only if the agent itself called the task done; the summary may be empty. */
  taskComplete?: string;
  /** How often the agent reminded its model that the task is not marked as complete. */
  nudges?: number;
  /** The agent gave up reminding. */
  nudgesExhausted?: true;
  /** Tokens of the turn. */
  tokens?: TokenCounts;
}

export interface EndEntry extends EntryBase, LoopEnd {
  kind: 'end';
  /** That of the agent; `interrupted` where it only says later that the turn never ended. */
  stopReason: string;
  /** Length of the turn in ms. */
  duration: number;
  /** Nothing came between the prompt and the end. */
  silent?: true;
  timeline?: ModelCalls;
}
