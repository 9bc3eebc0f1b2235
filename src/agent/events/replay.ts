import { LOOP_META, type ContentBlock, type SessionUpdate, type ToolCallContent } from '../../core/acp';
import { compact } from '../../core/json';
import type { ToolOutcome } from '../model/model';
import { textContent } from '../tools/tool';
import type { TimedEvent } from './event';

type EventOf<T extends TimedEvent['type']> = Extract<TimedEvent, { type: T }>;
type Started = EventOf<'tool.execution_start'>;
type Completed = EventOf<'tool.execution_complete'>;

/** What a client is shown of messages that the agent wrote for the user: as what they are, or not at all. */
export interface ReplayOptions {
  syntheticMessages: boolean;
  /** True if the client shows compactions. */
  compaction?: boolean;
}

/** The update for a message of the user that the agent wrote itself; a client that does not know the extension would take it for the person's. */
export function syntheticChunk({
  messageId,
  blocks,
  synthetic,
}: Pick<EventOf<'user.message'>, 'messageId' | 'blocks' | 'synthetic'>): SessionUpdate[] {
  return (blocks as ContentBlock[]).map((content) => ({
    sessionUpdate: 'user_message_chunk',
    content,
    messageId,
    _meta: { [LOOP_META]: { synthetic: true, ...synthetic } },
  }));
}

/** The conversation as updates, in its order (SE-8). Notices, questions and that the agent was idle are not part of it. */
export function replayOf(events: readonly TimedEvent[], options: ReplayOptions): SessionUpdate[] {
  const ends = new Map<string, Completed>();
  for (const event of events) if (event.type === 'tool.execution_complete') ends.set(event.toolCallId, event);
  return events.flatMap((event) => updatesOf(event, ends, options));
}

function updatesOf(
  event: TimedEvent,
  ends: ReadonlyMap<string, Completed>,
  { syntheticMessages, compaction = false }: ReplayOptions,
): SessionUpdate[] {
  switch (event.type) {
    case 'session.title':
      return [{ sessionUpdate: 'session_info_update', title: event.title }];
    case 'user.message':
      if (event.synthetic) return syntheticMessages ? syntheticChunk(event) : [];
      return (event.blocks as ContentBlock[]).map((content) => ({
        sessionUpdate: 'user_message_chunk',
        content,
        messageId: event.messageId,
      }));
    case 'agent.message':
      return [agentMessage(event)];
    case 'session.compaction':
      return compaction ? [compactionUpdate(event)] : [];
    case 'assistant.message':
      return messageUpdates(event);
    case 'assistant.plan':
      return [{ sessionUpdate: 'plan', entries: event.entries.map((entry) => ({ ...entry })) }];
    case 'tool.execution_start':
      return [toolUpdate(event, ends.get(event.toolCallId))];
    default:
      return [];
  }
}

/** What the agent itself says. */
export function agentMessage({
  messageId,
  text,
}: Pick<EventOf<'agent.message'>, 'messageId' | 'text'>): SessionUpdate {
  return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, messageId };
}

function compactionUpdate({ compactionId, summary }: EventOf<'session.compaction'>): SessionUpdate {
  return {
    sessionUpdate: 'compaction_update',
    compactionId,
    status: 'completed',
    summary: [{ type: 'text', text: summary }],
  };
}

function messageUpdates(event: EventOf<'assistant.message'>): SessionUpdate[] {
  const { turnId, messageId, thoughtId, text, thought } = event;
  const _meta = { [LOOP_META]: { turnId } };
  const updates: SessionUpdate[] = [];
  if (thought !== '') {
    const content = { type: 'text' as const, text: thought };
    updates.push({ sessionUpdate: 'agent_thought_chunk', content, messageId: thoughtId, _meta });
  }
  if (text !== '') {
    const content = { type: 'text' as const, text };
    updates.push({ sessionUpdate: 'agent_message_chunk', content, messageId, _meta });
  }
  return updates;
}

/** A call with how it ended; one that never did ended with the agent's process. */
function toolUpdate(start: Started, end: Completed | undefined): SessionUpdate {
  const { turnId, toolCallId, name, title, kind, input, locations } = start;
  const done = end?.status === 'completed';
  const content = end ? replayable(end) : [textContent('The agent ended before this call did.')];
  const more = end ? {} : { interrupted: true };
  const complete = done && name === 'task_complete' ? { event: 'task_complete', summary: end.output } : {};
  return {
    sessionUpdate: 'tool_call',
    toolCallId,
    name,
    title,
    kind,
    status: done ? 'completed' : 'failed',
    rawInput: input,
    content,
    ...compact({ locations }),
    _meta: { [LOOP_META]: { turnId, ...more, ...complete } },
  };
}

/** A terminal is gone with its session: its output stands in its place. */
function replayable({ content, output, status }: Completed): ToolCallContent[] {
  const kept = content.filter(({ type }) => type !== 'terminal');
  const lost =
    kept.length < content.length || (kept.length === 0 && status !== ('completed' satisfies ToolOutcome));
  return lost ? [...kept, textContent(output)] : kept;
}
