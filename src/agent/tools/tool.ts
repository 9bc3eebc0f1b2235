import type { PlanEntry, ToolCall, ToolCallContent, ToolKind } from '../../core/acp';
import type { JsonObject } from '../../core/json';
import type { CommandAccess } from '../access/commands';
import type { FileAccess } from '../access/files';
import type { Workspace } from '../access/paths';
import type { TaskComplete } from '../loop';
import type { ToolDefinition } from '../model/model';

/** Why a tool could not do what it was asked: one sentence for the person and for the model. */
export class ToolFailure extends Error {
  constructor(
    message: string,
    /** What the model is told, where that is more than the sentence. */
    readonly output = message,
  ) {
    super(message);
    this.name = 'ToolFailure';
  }
}

/** The person refused; fed back to the model as a result. */
export class RejectedByPerson extends Error {
  constructor() {
    super('Rejected by the person');
    this.name = 'RejectedByPerson';
  }
}

/** What a tool works with. */
export interface ToolEnvironment extends Workspace {
  files: FileAccess;
  commands: CommandAccess;
  /** Absolute path of ripgrep; without it the agent searches by itself. */
  ripgrep?: string | undefined;
}

/** What the person is asked to allow. */
export interface PermissionScope {
  /** An "always" answer holds for this key. */
  key: string;
  alwaysName: string;
}

/** What a running tool call may use. All of it throws once the prompt turn is cancelled. */
export interface ToolContext extends ToolEnvironment {
  signal: AbortSignal;
  /** Asks the person; returns when the call may go on. What is shown stays in the call's card. */
  permit: (scope: PermissionScope, shown: ToolCallContent[]) => Promise<void>;
  /** Replaces what the call's card shows. */
  show: (content: ToolCallContent[]) => void;
  /** Shows the person the whole plan (PL-2). */
  plan: (entries: PlanEntry[]) => void;
}

/** What a tool call gives. */
export interface ToolOutput {
  /** For the model. */
  output: string;
  /** For the card; by default what it shows already, or else the output. */
  content?: ToolCallContent[];
  taskComplete?: TaskComplete;
}

/** A tool call whose input was understood. */
export interface StartedCall {
  title: string;
  locations?: NonNullable<ToolCall['locations']>;
  run(context: ToolContext): Promise<ToolOutput>;
}

/** Something that the model can ask for. */
export interface Tool {
  readonly name: string;
  readonly kind: ToolKind;
  /** What the model is told of it. */
  readonly description: string;
  /** JSON Schema of the input. */
  readonly inputSchema: JsonObject;
  /** True for a tool that changes something: it asks for permission, and does nothing in plan mode. */
  readonly changes: boolean;
  /** True for a tool that never runs side by side with others, though it changes nothing. */
  readonly alone?: boolean;
  /** True for a tool that asks for permission although it changes nothing: also in plan mode. */
  readonly asks?: boolean;
  /** True for a tool that needs an answer of the person; it is not offered in autopilot, which decides by itself. */
  readonly needsPerson?: boolean;
  /** Reads the input; throws a ToolFailure for one that makes no sense. */
  start(input: JsonObject, workspace: Workspace): StartedCall;
}

/** What the model is told of a tool. */
export function definitionOf({ name, description, inputSchema }: Tool): ToolDefinition {
  return { name, description, inputSchema };
}

/** A schema of an input with these members; all but the optional ones are required. */
export function objectSchema(properties: JsonObject, optional: readonly string[] = []): JsonObject {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

/** A text as an item of a card. */
export function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}

/** A member of the input that has to be a string. */
export function requiredString(input: JsonObject, name: string): string {
  const value = input[name];
  if (typeof value !== 'string') throw new ToolFailure(`"${name}" is missing.`);
  return value;
}
