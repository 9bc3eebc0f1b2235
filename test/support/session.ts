import type { DiffKeeper } from '../../src/core/session/intake';
import { readUpdate } from '../../src/core/session/intake';
import type { SessionAction } from '../../src/core/session/actions';
import { lineDiff } from '../../src/core/diff/lineDiff';
import { applyAction } from '../../src/core/session/reduce';
import { emptySession, type Entry, type SessionState, type ToolEntry } from '../../src/core/session/state';

export const keepDiff: DiffKeeper = ({ oldText, newText }) => ({
  ref: 'ref',
  view: lineDiff(oldText, newText),
});

/** A session under test: wire updates and actions go in, the state is looked at. Time stands still unless told. */
export class TestSession {
  readonly state: SessionState = emptySession('Test');
  now = 1_000;

  apply(...actions: SessionAction[]): this {
    for (const action of actions) applyAction(this.state, action, () => undefined);
    return this;
  }

  /** Feeds raw `session/update` payloads, as they come off the wire. */
  wire(...updates: unknown[]): this {
    return this.apply(...updates.map((update) => this.action(update)));
  }

  action(update: unknown): SessionAction {
    return { type: 'update', update: readUpdate(update, keepDiff), at: this.now };
  }

  prompt(text = 'go'): this {
    return this.apply({ type: 'promptSubmitted', blocks: [{ type: 'text', text }], at: this.now });
  }

  end(stopReason = 'end_turn'): this {
    return this.apply({ type: 'turnEnded', turn: this.state.turn.number, stopReason, at: this.now });
  }

  ask(requestId: string, toolCallId: string): this {
    const options = [
      { optionId: 'yes', name: 'Allow', kind: 'allow_once' as const },
      { optionId: 'no', name: 'Reject', kind: 'reject_once' as const },
    ];
    return this.apply({
      type: 'permissionRequested',
      requestId,
      patch: { toolCallId },
      options,
      at: this.now,
    });
  }

  answer(requestId: string, optionId: string | null): this {
    return this.apply({ type: 'permissionAnswered', requestId, optionId, at: this.now });
  }

  tools(): ToolEntry[] {
    return this.state.entries.filter((entry): entry is ToolEntry => entry.kind === 'tool');
  }

  kinds(): Entry['kind'][] {
    return this.state.entries.map((entry) => entry.kind);
  }
}

export const text = (
  value: string,
  role: 'agent_message' | 'agent_thought' | 'user_message' = 'agent_message',
  messageId?: string,
) => ({
  sessionUpdate: `${role}_chunk`,
  content: { type: 'text', text: value },
  ...(messageId ? { messageId } : {}),
});

export const tool = (toolCallId: string, fields: object = {}) => ({
  sessionUpdate: 'tool_call',
  toolCallId,
  title: toolCallId,
  ...fields,
});

export const patch = (toolCallId: string, fields: object = {}) => ({
  sessionUpdate: 'tool_call_update',
  toolCallId,
  ...fields,
});
