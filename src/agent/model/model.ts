import type { PlanEntry } from '../../core/acp';
import type { JsonObject } from '../../core/json';

/**
 * What the agent does: carries requests out, only shows the plan, or goes on by itself until the model says that the task is done. None
 * of them allows anything without a question.
 */
export type Mode = 'interactive' | 'plan' | 'autopilot';

/** A tool that the model asks for. The loop gives it an id that is unique in the session. */
export interface ToolRequest extends AskedTool {
  id: string;
}

/** What a model says of a tool that it asks for. */
export interface AskedTool {
  name: string;
  input: JsonObject;
  /** Why the input can't be read, as a sentence that the model can act on; the tool is not run then. */
  problem?: string;
  /** What the model's provider wants to see again with this request; nobody else reads it. */
  meta?: JsonObject;
}

/** What the model is told of a tool. */
export interface ToolDefinition {
  name: string;
  description: string;
  /** JSON Schema of the input, an object. */
  inputSchema: JsonObject;
}

/** How a tool call ended: done, not possible, refused by the person, or stopped with its prompt turn. */
export type ToolOutcome = 'completed' | 'failed' | 'rejected' | 'cancelled';

/** One item of the conversation as the model sees it. Each tool request is followed by its result, also after a cancel. */
export type HistoryItem =
  /** `synthetic`: the agent wrote it, not the person. */
  | { role: 'user'; text: string; synthetic?: true }
  | { role: 'assistant'; text: string; toolRequests: ToolRequest[] }
  | { role: 'tool'; requestId: string; name: string; outcome: ToolOutcome; output: string };

/** A piece of the model's answer, in the order in which it comes. */
export type ModelEvent =
  | { type: 'text'; text: string }
  | { type: 'thought'; text: string }
  | { type: 'plan'; entries: PlanEntry[] }
  | ({ type: 'toolRequest' } & AskedTool)
  | { type: 'usage'; usage: Usage }
  /** The answer is no whole one: it reached its greatest length, or the model refuses to go on. */
  | { type: 'stop'; reason: 'max_tokens' | 'refusal' };

/** What a model call used, in tokens, as far as the model tells. */
export interface Usage {
  inputTokens?: number;
  outputTokens?: number;
}

/** What a model answers to. */
export interface ModelInput {
  history: readonly HistoryItem[];
  mode: Mode;
  /** What the model is told of its task and its surroundings before the conversation. */
  instructions: string;
  /** The tools that it may ask for. */
  tools: readonly ToolDefinition[];
}

/** What kind of trouble a model call had; `auth`: the key is missing or refused. */
export type ModelFailureKind = 'auth' | 'rate_limit' | 'timeout' | 'connection' | 'server' | 'request';

/** Why a model call failed: one sentence for the person, with the cause and without secrets. */
export class ModelFailure extends Error {
  /** @param retryAfterMs given where the same call may go well later, from now. */
  constructor(
    readonly kind: ModelFailureKind,
    message: string,
    readonly retryAfterMs?: number,
  ) {
    super(message);
    this.name = 'ModelFailure';
  }
}

/**
 * Something that continues a conversation. One call of `next` is one model call: there are no hidden ones. An answer without tool
 * requests ends the prompt turn.
 */
export interface Model {
  /** How much it can read in one call, in tokens; undefined where that is not known or has no limit. */
  readonly contextTokens?: number;
  /** Throws a ModelFailure where the model can't be reached or does not answer well. */
  next(input: ModelInput, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
