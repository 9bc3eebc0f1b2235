import {
  ClientMethod,
  LOOP_META,
  LoopMethod,
  type PlanEntry,
  type SessionUpdate,
  type ToolCall,
  type ToolCallUpdate,
} from '../core/acp';

/** Sends a notification to the client. */
export type Notify = (method: string, params: object) => void;

export interface SessionReportOptions {
  sessionId: string;
  notify: Notify;
  /** True if the client announced that it takes the loop's notifications. */
  turnEvents: boolean;
}

/** Tells the client what happens in a session; its ids count up, so that they are unique in the session (TC-5). */
export class SessionReport {
  private modelCalls = 0;
  private messages = 0;
  private toolCalls = 0;

  constructor(private readonly options: SessionReportOptions) {}

  update(update: SessionUpdate): void {
    this.options.notify(ClientMethod.update, { sessionId: this.options.sessionId, update });
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

  beginModelCall(index: number): ModelCallReport {
    return new ModelCallReport(this, this.session.nextTurnId(), index);
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

  constructor(
    private readonly turn: TurnReport,
    private readonly turnId: string,
    private readonly index: number,
  ) {
    this.messageId = turn.session.nextMessageId();
    this.thoughtId = turn.session.nextMessageId();
    turn.session.loopEvent(LoopMethod.turnStart, { turnId, index });
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
    this.turn.update({ sessionUpdate: 'plan', entries });
  }

  toolCall(call: ToolCall): void {
    this.turn.update({ sessionUpdate: 'tool_call', ...call, _meta: this.meta() });
  }

  /** @param more what the extension says of this call beyond the model call that it belongs to. */
  toolCallUpdate(update: ToolCallUpdate, more: object = {}): void {
    this.turn.update({ sessionUpdate: 'tool_call_update', ...update, _meta: this.meta(more) });
  }

  end(toolRequests: number): void {
    this.turn.session.loopEvent(LoopMethod.turnEnd, { turnId: this.turnId, index: this.index, toolRequests });
  }

  private chunk(kind: 'agent_message_chunk' | 'agent_thought_chunk', text: string, messageId: string): void {
    const content = { type: 'text' as const, text };
    this.turn.update({ sessionUpdate: kind, content, messageId, _meta: this.meta() });
  }

  private meta(more: object = {}): Record<string, unknown> {
    return { [LOOP_META]: { turnId: this.turnId, ...more } };
  }
}
