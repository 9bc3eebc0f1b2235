import {
  ClientMethod,
  LOOP_META,
  LoopMethod,
  type PlanEntry,
  type SessionUpdate,
  type ToolCall,
  type ToolCallContent,
  type ToolCallUpdate,
  type ToolKind,
} from '../core/acp';
import { compact, type JsonObject } from '../core/json';
import type { CallPurpose, RecordEvent } from './events/event';
import type { ToolOutcome, ToolRequest, Usage } from './model/model';

/** Sends a notification to the client. */
export type Notify = (method: string, params: object) => void;

/** How many ids of each kind a session has given already. */
export interface GivenIds {
  started: number;
  messages: number;
  toolCalls: number;
}

export interface SessionReportOptions {
  sessionId: string;
  notify: Notify;
  /** True if the client announced that it takes the loop's notifications. */
  turnEvents: boolean;
  /** True if the client announced that it shows notices. */
  notices?: boolean;
  record: RecordEvent;
  /** Of a session that goes on. */
  given?: GivenIds;
}

/** Tells the client and the event log what happens in a session; its ids count up, so that they are unique in the session (TC-5). */
export class SessionReport {
  private modelCalls: number;
  private messages: number;
  private toolCalls: number;
  readonly record: RecordEvent;

  constructor(private readonly options: SessionReportOptions) {
    const { given, record } = options;
    this.record = record;
    this.modelCalls = given?.started ?? 0;
    this.messages = given?.messages ?? 0;
    this.toolCalls = given?.toolCalls ?? 0;
  }

  update(update: SessionUpdate): void {
    this.options.notify(ClientMethod.update, { sessionId: this.options.sessionId, update });
  }

  /** Says something beside the conversation, which is not kept; a client that did not announce notices gets none (NO-1). */
  notice(severity: 'info' | 'warning', title: string, description?: string): void {
    if (this.options.notices)
      this.update({ sessionUpdate: 'notice', severity, title, ...compact({ description }) });
  }

  beginTurn(): TurnReport {
    return new TurnReport(this);
  }

  /** A loop notification, which a client that does not know the extension never gets. */
  loopEvent(method: string, params: object): void {
    if (this.options.turnEvents)
      this.options.notify(method, { sessionId: this.options.sessionId, ...params });
  }

  nextTurnId(): string {
    return `model-call-${++this.modelCalls}`;
  }

  nextMessageId(): string {
    return `message-${++this.messages}`;
  }

  nextToolCallId(): string {
    return `tool-call-${++this.toolCalls}`;
  }
}

/** The updates of one prompt turn. After `close` nothing is sent, since a turn's updates come before its answer. */
export class TurnReport {
  private closed = false;

  constructor(readonly session: SessionReport) {}

  /**
   * @param index of the call in its prompt turn, 1-based.
   * @param purpose given for a call that is no step of an answer.
   */
  beginModelCall(index: number, purpose?: CallPurpose): ModelCallReport {
    return new ModelCallReport(this, this.session.nextTurnId(), { index, ...compact({ purpose }) });
  }

  update(update: SessionUpdate): void {
    if (!this.closed) this.session.update(update);
  }

  close(): void {
    this.closed = true;
  }
}

/** The updates of one model call. The wire calls it a turn, in the words of the loop that the extension describes. */
export class ModelCallReport {
  private readonly messageId: string;
  private readonly thoughtId: string;
  private ended = false;

  constructor(
    private readonly turn: TurnReport,
    readonly turnId: string,
    private readonly call: { index: number; purpose?: CallPurpose },
  ) {
    this.messageId = turn.session.nextMessageId();
    this.thoughtId = turn.session.nextMessageId();
    turn.session.record({ type: 'assistant.turn_start', turnId, ...call, thoughtId: this.thoughtId });
    turn.session.loopEvent(LoopMethod.turnStart, { turnId, ...call });
  }

  nextToolCallId(): string {
    return this.turn.session.nextToolCallId();
  }

  text(text: string): void {
    this.chunk('agent_message_chunk', text, this.messageId);
  }

  thought(text: string): void {
    this.chunk('agent_thought_chunk', text, this.thoughtId);
  }

  /** Always the whole plan (PL-2). */
  plan(entries: PlanEntry[]): void {
    this.turn.session.record({ type: 'assistant.plan', turnId: this.turnId, entries });
    this.turn.update({ sessionUpdate: 'plan', entries });
  }

  /** Keeps the model's answer as a whole, also one that was cut off. */
  answered(text: string, thought: string, toolRequests: readonly ToolRequest[]): void {
    const { turnId, messageId, thoughtId } = this;
    this.turn.session.record({
      type: 'assistant.message',
      turnId,
      messageId,
      thoughtId,
      text,
      thought,
      toolRequests,
    });
  }

  toolCall(call: ToolCall & { name: string; kind: ToolKind; rawInput: JsonObject }): void {
    const { toolCallId, name, rawInput: input, title, kind, locations } = call;
    const started = { toolCallId, name, input, title, kind, ...compact({ locations }) };
    this.turn.session.record({ type: 'tool.execution_start', turnId: this.turnId, ...started });
    this.turn.update({ sessionUpdate: 'tool_call', ...call, _meta: this.meta() });
  }

  /** Keeps how a tool call ended; `content` is what its card shows. A call that outlives the model call was told as cancelled. */
  toolEnded(
    { id: toolCallId, name }: ToolRequest,
    end: { status: ToolOutcome; output: string },
    content: readonly ToolCallContent[],
  ): void {
    if (this.ended) return;
    this.turn.session.record({
      type: 'tool.execution_complete',
      turnId: this.turnId,
      toolCallId,
      name,
      ...end,
      content,
    });
  }

  /** @param more what the extension says of this call beyond the model call that it belongs to. */
  toolCallUpdate(update: ToolCallUpdate, more: object = {}): void {
    this.turn.update({ sessionUpdate: 'tool_call_update', ...update, _meta: this.meta(more) });
  }

  /** @param contextTokens how much the model can read in one call. */
  end(toolRequests: number, usage?: Usage, contextTokens?: number): void {
    const { turnId, call } = this;
    const { index } = call;
    this.ended = true;
    try {
      this.turn.session.record({ type: 'assistant.turn_end', turnId, toolRequests, ...compact({ usage }) });
    } finally {
      this.turn.session.loopEvent(LoopMethod.turnEnd, { turnId, index, toolRequests, ...compact({ usage }) });
    }
    if (usage?.inputTokens === undefined || contextTokens === undefined) return;
    const used = usage.inputTokens + (usage.outputTokens ?? 0);
    this.turn.update({ sessionUpdate: 'usage_update', used, size: contextTokens });
  }

  private chunk(kind: 'agent_message_chunk' | 'agent_thought_chunk', text: string, messageId: string): void {
    const content = { type: 'text' as const, text };
    this.turn.update({ sessionUpdate: kind, content, messageId, _meta: this.meta() });
  }

  private meta(more: object = {}): Record<string, unknown> {
    return { [LOOP_META]: { turnId: this.turnId, ...more } };
  }
}
