import { conversationOf } from '../../../../src/agent/events/conversation';
import type { TimedEvent } from '../../../../src/agent/events/event';
import type { FileAccess } from '../../../../src/agent/access/files';
import { AgentSession } from '../../../../src/agent/agentSession';
import { createPause } from '../../../../src/agent/abort';
import type { HistoryItem, Model, ModelEvent, ModelInput } from '../../../../src/agent/model/model';
import { FixedModels } from '../../../../src/agent/model/models';
import { Planner } from '../../../../src/agent/model/planner';
import { SessionReport } from '../../../../src/agent/report';
import { PermissionDesk } from '../../../../src/agent/tools/permissions';
import type { Tool } from '../../../../src/agent/tools/tool';
import { LOOP_META, type PromptResponse, type SessionUpdate } from '../../../../src/core/acp';
import { asObject, compact, type JsonObject } from '../../../../src/core/json';

export const say = (text: string): ModelEvent => ({ type: 'text', text });
export const ask = (name: string, input: JsonObject = {}): ModelEvent => ({
  type: 'toolRequest',
  name,
  input,
});
export const spent = (inputTokens: number, outputTokens = 1): ModelEvent => ({
  type: 'usage',
  usage: { inputTokens, outputTokens },
});

/** True for the call that asks for a summary: the only one without tools. */
export const isSummary = ({ tools }: ModelInput): boolean => tools.length === 0;

/** What a scripted model answers to a call. */
export type Script = (input: ModelInput, signal: AbortSignal) => ModelEvent[] | Promise<ModelEvent[]>;

export interface BenchOptions {
  contextTokens?: number;
  compactionUpdates?: boolean;
  files?: Readonly<Record<string, string>>;
  /** Reads files in the place of those. */
  read?: FileAccess['read'];
  /** The events of a session that goes on. */
  events?: TimedEvent[];
  /** True for a session that the rules answer. */
  offline?: boolean;
}

/** A tool that gives a text of as many characters as it is asked for. */
const big: Tool = {
  name: 'big',
  kind: 'read',
  description: 'Gives a long text.',
  inputSchema: { type: 'object' },
  changes: false,
  start: ({ characters }) => ({
    title: 'Big',
    run: () => Promise.resolve({ output: 'x'.repeat(Number(characters)) }),
  }),
};

/** A session with a scripted model, without a process. */
export class SessionBench {
  readonly events: TimedEvent[];
  readonly updates: SessionUpdate[] = [];
  readonly seen: ModelInput[] = [];
  readonly session: AgentSession;

  constructor(script: Script, options: BenchOptions = {}) {
    const { contextTokens, compactionUpdates = true, files = {}, events = [], offline = false } = options;
    this.events = [...events];
    const { seen } = this;
    const model: Model = {
      ...compact({ contextTokens }),
      async *next(input, signal) {
        seen.push(input);
        yield* await script(input, signal);
      },
    };
    const configured = offline ? [] : [{ choice: { id: 'scripted', name: 'Scripted' }, model }];
    const before = events.length > 0 ? conversationOf(events) : undefined;
    this.session = new AgentSession({
      models: new FixedModels(new Planner(createPause(0)), configured),
      tools: new Map([['big', big]]),
      environment: {
        cwd: '/work',
        additionalDirectories: [],
        files: { ...fakeFiles(files), ...compact({ read: options.read }) },
        commands: { run: () => Promise.reject(new Error('No commands here.')) },
      },
      permissions: new PermissionDesk('s', () => Promise.reject(new Error('Nobody is asked.'))),
      compactionUpdates,
      report: new SessionReport({
        sessionId: 's',
        turnEvents: true,
        record: (event) => this.events.push({ ...structuredClone(event), at: this.events.length }),
        notify: (method, params) => {
          if (method === 'session/update') this.updates.push(asObject(params)['update'] as SessionUpdate);
        },
        ...compact({ given: before }),
      }),
      ...compact({ before }),
    });
  }

  prompt(text: string): Promise<PromptResponse> {
    return this.session.prompt([{ type: 'text', text }], new AbortController().signal);
  }

  of<K extends SessionUpdate['sessionUpdate']>(kind: K): Extract<SessionUpdate, { sessionUpdate: K }>[] {
    return this.updates.filter(
      (update): update is Extract<SessionUpdate, { sessionUpdate: K }> => update.sessionUpdate === kind,
    );
  }

  /** What the agent said. */
  get text(): string {
    return this.of('agent_message_chunk')
      .map(({ content }) => (content.type === 'text' ? content.text : ''))
      .join('');
  }

  /** What the model is given after the session was loaded. */
  get loaded(): HistoryItem[] {
    return conversationOf(this.events).history;
  }

  types(): string[] {
    return this.events.map(({ type }) => type);
  }
}

/** What the answer to a prompt says of its loop. */
export function loopOf({ _meta }: PromptResponse): JsonObject {
  return asObject(asObject(_meta)[LOOP_META]);
}

/** Who speaks in a history; `note`: the agent to the model. */
export function rolesOf(history: readonly HistoryItem[] = []): string[] {
  return history.map((item) => (item.role === 'user' && item.synthetic ? 'note' : item.role));
}

/** Each request of a tool has one result after it, in its order, and no result is without its request. */
export function openRequests(history: readonly HistoryItem[]): string[] {
  const asked: string[] = [];
  const problems: string[] = [];
  for (const item of history) {
    if (item.role !== 'tool') problems.push(...asked.splice(0));
    if (item.role === 'assistant') asked.push(...item.toolRequests.map(({ id }) => id));
    if (item.role === 'tool' && asked.shift() !== item.requestId) problems.push(item.requestId);
  }
  return [...problems, ...asked];
}

function fakeFiles(files: Readonly<Record<string, string>>): FileAccess {
  return {
    read: (path) => {
      const text = files[path];
      return text === undefined ? Promise.reject(new Error('There is no such file.')) : Promise.resolve(text);
    },
    write: () => Promise.reject(new Error('Nothing is written here.')),
    exists: (path) => Promise.resolve(Object.hasOwn(files, path)),
  };
}
