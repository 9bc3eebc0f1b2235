import type { PlanEntry, ToolCall, ToolCallContent } from '../../core/acp';
import type { JsonObject } from '../../core/json';
import type { Cuts } from '../context/cuts';
import type { HistoryItem, Mode, ToolOutcome, ToolRequest, Usage } from '../model/model';

/** Why a message of the user was made by the agent itself. */
export interface Synthetic {
  reason: 'autopilot_nudge';
  /** Which one of the prompt turn it is, 1-based. */
  n: number;
}

/** What a model call is for, if not for an answer: a summary of the conversation. */
export type CallPurpose = 'compaction';

/**
 * Something that happened in a session and is kept. The names are those of the founding document of the loop, where a "turn" is one
 * model call. That the agent is idle, and what streams, is never kept.
 */
export type AgentEvent =
  | {
      type: 'session.start';
      sessionId: string;
      cwd: string;
      additionalDirectories?: readonly string[];
      version: string;
    }
  /** Those that the session was given with its last load or resume. */
  | { type: 'session.directories'; additionalDirectories: readonly string[] }
  | { type: 'session.title'; title: string }
  | { type: 'session.mode'; mode: Mode }
  | { type: 'session.model'; model: string }
  /** The model goes on with this, which begins with the summary, in the place of all that was said before. */
  | { type: 'session.compaction'; history: readonly HistoryItem[]; compactionId: string; summary: string }
  /** The model goes on with these outputs of tools cut: characters that are kept, by the ids of the calls. */
  | { type: 'session.outputs_cut'; kept: Cuts }
  /** `command`: it is for the agent itself; the model is not given it. */
  | {
      type: 'user.message';
      messageId: string;
      blocks: readonly unknown[];
      synthetic?: Synthetic;
      command?: true;
    }
  /** What the agent itself answers to a command; no model wrote it, and none is given it. */
  | { type: 'agent.message'; messageId: string; text: string }
  /** `purpose`: the call is no step of an answer. */
  | {
      type: 'assistant.turn_start';
      turnId: string;
      index: number;
      purpose?: CallPurpose;
      /** The last message id that was given to the call; what streams under it is kept only when the answer has ended. */
      thoughtId?: string;
    }
  | {
      type: 'assistant.message';
      turnId: string;
      messageId: string;
      thoughtId: string;
      text: string;
      thought: string;
      toolRequests: readonly ToolRequest[];
    }
  | { type: 'assistant.plan'; turnId: string; entries: readonly PlanEntry[] }
  | {
      type: 'tool.execution_start';
      turnId: string;
      toolCallId: string;
      name: string;
      input: JsonObject;
      title: string;
      kind: NonNullable<ToolCall['kind']>;
      locations?: ToolCall['locations'];
    }
  | {
      type: 'tool.execution_complete';
      turnId: string;
      toolCallId: string;
      name: string;
      status: ToolOutcome;
      /** What the model is told. */
      output: string;
      /** What the card showed at the end. */
      content: readonly ToolCallContent[];
    }
  | { type: 'assistant.turn_end'; turnId: string; toolRequests: number; usage?: Usage }
  | { type: 'session.task_complete'; summary?: string }
  | { type: 'session.error'; kind: string; message: string }
  | { type: 'session.cancelled' };

/** An event with its time, ms since the epoch. */
export type TimedEvent = AgentEvent & { at: number };

/** Keeps an event. */
export type RecordEvent = (event: AgentEvent) => void;
