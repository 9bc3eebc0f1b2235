import { randomUUID } from 'node:crypto';
import { isConnectionClosed } from '../../acp/wireErrors';
import { Emitter } from '../../core/emitter';
import { asObject, asString, type JsonObject } from '../../core/json';
import {
  LM_META,
  LmMethod,
  readLmModels,
  readLmPart,
  type LmMessage,
  type LmModel,
  type LmPart,
} from '../../core/languageModels';
import type { Disposable } from '../../core/lifecycle';
import { TurnCancelled } from '../abort';
import { failureText } from '../access/failureText';
import type { ClientRequest } from '../access/clientRequest';
import {
  ModelFailure,
  type HistoryItem,
  type Model,
  type ModelEvent,
  type ModelFailureKind,
  type ModelInput,
} from './model';
import { OFFLINE, type ModelChoice, type Models } from './models';
import { NO_TEXT, wireName } from './providers/prompt';

/** What the ids of the client's models begin with. */
const PREFIX = 'vscode/';

/** True for the capabilities of a client that has language models of its own. */
export function hasClientModels(capabilities: JsonObject): boolean {
  return asObject(asObject(capabilities['_meta'])[LM_META])['version'] === 1;
}

export interface ClientModelsOptions {
  request: ClientRequest;
  warn: (line: string) => void;
}

/** The models of the agent and those of its client. A client's model is used only where the person chose it. */
export class ClientModels implements Models {
  /** By their ids with the client; undefined before the client has told them. */
  private listed: ReadonlyMap<string, LmModel> | undefined;
  private asked = 0;
  private readonly calls = new Map<string, Parts>();
  private readonly changed = new Emitter<void>();

  constructor(
    private readonly own: Models,
    private readonly options: ClientModelsOptions,
  ) {}

  choices(): readonly ModelChoice[] {
    const own = this.own.choices();
    const theirs = [...(this.listed?.values() ?? [])].map(({ id, name, vendor }) => ({
      id: PREFIX + id,
      name,
      description: vendor === '' ? 'VS Code' : `VS Code · ${vendor}`,
    }));
    return [...own.filter(({ id }) => id !== OFFLINE), ...theirs, ...own.filter(({ id }) => id === OFFLINE)];
  }

  get preferred(): string {
    return this.own.preferred;
  }

  get offline(): Model {
    return this.own.offline;
  }

  get(id: string): Model | undefined {
    if (!id.startsWith(PREFIX)) return this.own.get(id);
    const modelId = id.slice(PREFIX.length);
    const model = this.listed?.get(modelId);
    // A session that goes on with a client's model must not get another one only because the list is still on its way.
    if (this.listed && !model) return undefined;
    return {
      ...(model && model.maxInputTokens > 0 ? { contextTokens: model.maxInputTokens } : {}),
      next: (input, signal) => this.send(modelId, input, signal),
    };
  }

  onDidChange(listener: () => void): Disposable {
    const mine = this.changed.event(listener);
    const theirs = this.own.onDidChange(listener);
    return {
      dispose: () => {
        mine.dispose();
        theirs.dispose();
      },
    };
  }

  /** Asks the client for its models; never rejects. Where it does not tell them, a session keeps the one that it has. */
  async refresh(): Promise<void> {
    const asked = ++this.asked;
    let models: LmModel[];
    try {
      models = readLmModels(await this.options.request(LmMethod.models, {}));
    } catch (error) {
      this.options.warn(`The client did not tell its models: ${failureText(error)}`);
      return;
    }
    // The answer to a later question counts.
    if (asked !== this.asked) return;
    const before = JSON.stringify(this.choices());
    this.listed = new Map(models.map((model) => [model.id, model]));
    if (JSON.stringify(this.choices()) !== before) this.changed.fire();
  }

  /** Takes a notification with a piece of an answer. */
  takePart({ callId, part }: JsonObject): void {
    const read = readLmPart(part);
    if (read) this.calls.get(asString(callId) ?? '')?.add(read);
  }

  private async *send(modelId: string, input: ModelInput, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const callId = randomUUID();
    const parts = new Parts();
    // Whoever stops reading wants no more of the answer.
    const left = new AbortController();
    const params = { callId, modelId, messages: messagesOf(input), tools: input.tools };
    this.calls.set(callId, parts);
    this.options.request(LmMethod.send, params, AbortSignal.any([signal, left.signal])).then(
      () => parts.end(),
      (error: unknown) => parts.end(toFailure(error)),
    );
    try {
      for await (const part of parts.read()) yield eventOf(part);
    } finally {
      this.calls.delete(callId);
      left.abort();
    }
  }
}

/** The pieces of an answer on their way from notifications to a reader. */
class Parts {
  private readonly waiting: LmPart[] = [];
  private ended: { error?: Error } | undefined;
  private wake: () => void = () => undefined;

  add(part: LmPart): void {
    this.waiting.push(part);
    this.wake();
  }

  end(error?: Error): void {
    this.ended = error ? { error } : {};
    this.wake();
  }

  async *read(): AsyncGenerator<LmPart> {
    for (;;) {
      const part = this.waiting.shift();
      if (part) yield part;
      else if (this.ended?.error) throw this.ended.error;
      else if (this.ended) return;
      else await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}

function eventOf(part: LmPart): ModelEvent {
  if (part.type !== 'toolCall') return part;
  const { name, input } = part;
  return { type: 'toolRequest', name, input };
}

/** The conversation as messages. Language models of VS Code know no instructions apart, so they are the first message. */
export function messagesOf({
  history,
  instructions,
}: Pick<ModelInput, 'history' | 'instructions'>): LmMessage[] {
  const messages: LmMessage[] = [];
  const add = (role: LmMessage['role'], parts: LmMessage['parts']): void => {
    const last = messages.at(-1);
    // Results belong together, as the requests did; other messages stay apart.
    const joins = last?.role === role && [...last.parts, ...parts].every(({ type }) => type === 'toolResult');
    if (joins) last.parts.push(...parts);
    else if (parts.length > 0) messages.push({ role, parts });
  };
  if (instructions !== '') add('user', [{ type: 'text', text: instructions }]);
  for (const item of history) add(item.role === 'assistant' ? 'assistant' : 'user', partsOf(item));
  return messages;
}

function partsOf(item: HistoryItem): LmMessage['parts'] {
  if (item.role === 'tool')
    return [{ type: 'toolResult', callId: item.requestId, text: someText(item.output) }];
  if (item.role === 'user') return [{ type: 'text', text: someText(item.text) }];
  const text = item.text.trim() === '' ? [] : [{ type: 'text' as const, text: item.text }];
  const calls = item.toolRequests.map(({ id, name, input }) => ({
    type: 'toolCall' as const,
    callId: id,
    name: wireName(name),
    input,
  }));
  return [...text, ...calls];
}

const someText = (text: string): string => (text.trim() === '' ? NO_TEXT : text);

const KINDS: ReadonlySet<string> = new Set<ModelFailureKind>([
  'auth',
  'rate_limit',
  'timeout',
  'connection',
  'server',
  'request',
]);

function toFailure(error: unknown): Error {
  if (error instanceof TurnCancelled) return error;
  if (isConnectionClosed(error))
    return new ModelFailure('connection', 'The connection to the client that has the model was closed.');
  const { kind } = asObject(asObject(error)['data']);
  const isKind = typeof kind === 'string' && KINDS.has(kind);
  return new ModelFailure(isKind ? (kind as ModelFailureKind) : 'server', failureText(error));
}
