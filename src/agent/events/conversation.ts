import { applyCuts } from '../context/cuts';
import { NOT_ENDED, NOT_RUN } from '../loop';
import { promptText } from '../promptText';
import type { HistoryItem, Mode, ToolRequest } from '../model/model';
import type { TimedEvent } from './event';

/** What the events of a session come to. */
export interface Conversation {
  cwd: string;
  additionalDirectories: readonly string[];
  title?: string;
  mode: Mode;
  /** The model that was chosen last. */
  model?: string;
  /** What the model is given; every request of a tool has its result. */
  history: HistoryItem[];
  /** Model calls that were begun, and those that ended; a difference tells of an interruption. */
  started: number;
  ended: number;
  /** Numbers of the ids that were given. */
  messages: number;
  toolCalls: number;
  /** Of the last prompt: the model said that its task is done. */
  taskComplete?: { summary?: string };
  /** True where the agent's process ended in the middle of the last prompt. */
  interrupted: boolean;
  /** ms since the epoch. */
  updatedAt: number;
}

type EventOf<T extends TimedEvent['type']> = Extract<TimedEvent, { type: T }>;

/** Follows the events one by one. */
class Reader {
  readonly history: HistoryItem[] = [];
  /** Requests of the last answer whose results are not in the history yet. */
  private open: ToolRequest[] = [];
  /** What came of them, by their ids. */
  private readonly results = new Map<string, HistoryItem>();
  private readonly begun = new Set<string>();
  private callOpen = false;
  /** True while the open call is no step of an answer. */
  private aside = false;
  /** False from a prompt on until it ended in some way. */
  private settled = true;
  readonly result: Conversation;

  constructor(cwd: string) {
    this.result = {
      cwd,
      additionalDirectories: [],
      mode: 'interactive',
      history: this.history,
      started: 0,
      ended: 0,
      messages: 0,
      toolCalls: 0,
      interrupted: false,
      updatedAt: 0,
    };
  }

  read(event: TimedEvent): void {
    const { result } = this;
    if (isTime(event.at)) result.updatedAt = event.at;
    switch (event.type) {
      case 'session.start':
        result.cwd = event.cwd;
        result.additionalDirectories = event.additionalDirectories ?? [];
        return;
      case 'session.directories':
        result.additionalDirectories = event.additionalDirectories;
        return;
      case 'session.title':
        result.title = event.title;
        return;
      case 'session.mode':
        result.mode = event.mode;
        return;
      case 'session.model':
        result.model = event.model;
        return;
      case 'session.compaction':
        this.history.splice(0, Infinity, ...event.history);
        return;
      case 'session.outputs_cut':
        this.history.splice(0, Infinity, ...applyCuts(this.history, event.kept));
        return;
      case 'user.message':
        return this.user(event);
      case 'assistant.turn_start':
        return this.begin(event);
      case 'agent.message':
        return this.count('messages', event.messageId);
      case 'assistant.message':
        return this.message(event);
      case 'tool.execution_start':
        this.begun.add(event.toolCallId);
        return;
      case 'tool.execution_complete':
        return this.complete(event);
      case 'assistant.turn_end':
        return this.end(event);
      case 'session.task_complete':
        result.taskComplete = event.summary === undefined ? {} : { summary: event.summary };
        this.settled = true;
        return;
      case 'session.error':
        if (event.kind === 'refusal') forgetPrompt(this.history);
        this.settled = true;
        return;
      case 'session.cancelled':
        this.settled = true;
        return;
      default:
    }
  }

  finish(): Conversation {
    this.result.interrupted = !this.settled || this.callOpen;
    this.closeRequests();
    return this.result;
  }

  private user({ blocks, synthetic, command, messageId }: EventOf<'user.message'>): void {
    this.closeRequests();
    this.count('messages', messageId);
    if (!synthetic) delete this.result.taskComplete;
    this.settled = command === true;
    if (command) return;
    const text = promptText(blocks, this.result.cwd);
    this.history.push({ role: 'user', text, ...(synthetic ? { synthetic: true } : {}) });
  }

  private begin({ purpose, thoughtId }: EventOf<'assistant.turn_start'>): void {
    this.closeRequests();
    if (thoughtId !== undefined) this.count('messages', thoughtId);
    this.callOpen = true;
    this.aside = purpose !== undefined;
    if (!this.aside) this.settled = false;
    this.result.started++;
  }

  private message({ text, toolRequests, messageId, thoughtId }: EventOf<'assistant.message'>): void {
    this.count('messages', messageId);
    this.count('messages', thoughtId);
    this.open = toolRequests.map((request) => ({ ...request }));
    if (text === '' && toolRequests.length === 0) return;
    this.history.push({
      role: 'assistant',
      text,
      toolRequests: this.open.map((request) => ({ ...request })),
    });
    for (const { id } of this.open) this.count('toolCalls', id);
  }

  /** Keeps the first word of a call; in the history it comes in the order of the requests, as tools may end in another one. */
  private complete({ toolCallId, name, status, output }: EventOf<'tool.execution_complete'>): void {
    if (this.results.has(toolCallId)) return;
    this.results.set(toolCallId, { role: 'tool', requestId: toolCallId, name, outcome: status, output });
  }

  private end({ toolRequests }: EventOf<'assistant.turn_end'>): void {
    this.callOpen = false;
    this.result.ended++;
    // An answer that asks for nothing ends the prompt; after one that does, another call has to come.
    if (!this.aside) this.settled = toolRequests === 0;
    this.closeRequests();
  }

  /** A history with open requests is none that a model can continue. */
  private closeRequests(): void {
    for (const { id, name } of this.open.splice(0))
      this.history.push(
        this.results.get(id) ?? {
          role: 'tool',
          requestId: id,
          name,
          outcome: 'cancelled',
          output: this.begun.has(id) ? NOT_ENDED : NOT_RUN,
        },
      );
    this.results.clear();
    this.begun.clear();
  }

  private count(what: 'messages' | 'toolCalls', id: string): void {
    this.result[what] = Math.max(this.result[what], Number(/\d+$/.exec(id)?.[0] ?? 0));
  }
}

/** A log may have been written to by others. */
const isTime = (at: unknown): boolean => typeof at === 'number' && !Number.isNaN(new Date(at).getTime());

/** Takes the last prompt of the person, with all that followed, out of what the model sees: it refused to answer that. */
export function forgetPrompt(history: HistoryItem[]): void {
  const prompt = history.findLastIndex((item) => item.role === 'user' && !item.synthetic);
  if (prompt >= 0) history.splice(prompt);
}

/** Reads the conversation from its events. */
export function conversationOf(events: readonly TimedEvent[]): Conversation {
  const reader = new Reader('');
  for (const event of events) reader.read(event);
  return reader.finish();
}
