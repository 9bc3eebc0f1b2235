import type { PlanEntry } from '../../core/acp';
import type { JsonObject } from '../../core/json';

/** What the agent may do: carry requests out, or only show the plan. */
export type Mode = 'interactive' | 'plan';

/** A tool that the model asks for. The loop gives it an id that is unique in the session. */
export interface ToolRequest {
  id: string;
  name: string;
  input: JsonObject;
}

/** How a tool call ended: done, not possible, refused by the person, or stopped with its prompt turn. */
export type ToolOutcome = 'completed' | 'failed' | 'rejected' | 'cancelled';

/** One item of the conversation as the model sees it. Each tool request is followed by its result, also after a cancel. */
export type HistoryItem =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; toolRequests: ToolRequest[] }
  | { role: 'tool'; requestId: string; name: string; outcome: ToolOutcome; output: string };

/** A piece of the model's answer, in the order in which it comes. */
export type ModelEvent =
  | { type: 'text'; text: string }
  | { type: 'thought'; text: string }
  | { type: 'plan'; entries: PlanEntry[] }
  | { type: 'toolRequest'; name: string; input: JsonObject };

/** What a model answers to. */
export interface ModelInput {
  history: readonly HistoryItem[];
  mode: Mode;
}

/**
 * Something that continues a conversation. One call of `next` is one model call: there are no hidden ones. An answer without tool
 * requests ends the prompt turn.
 */
export interface Model {
  next(input: ModelInput, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
