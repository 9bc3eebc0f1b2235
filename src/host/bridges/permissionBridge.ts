import type { PermissionPort } from '../../acp/agentClient';
import { ErrorCode } from '../../core/acp';
import { WireError } from '../../core/errors';
import type { JsonObject } from '../../core/json';
import { readPermissionOptions, readToolPatch, type DiffKeeper } from '../../core/session/intake';
import type { SessionAction, ToolPatch } from '../../core/session/actions';
import type { PermissionOptionView } from '../../core/session/state';

/** An open question. */
export interface PermissionRequest {
  requestId: string;
  /** Parley's key of the session. */
  key: string;
  patch: ToolPatch;
  options: PermissionOptionView[];
}

/** Where a question is asked besides the card, such as a quick pick. */
export interface PermissionPrompter {
  ask(request: PermissionRequest): void;
  /** The question was answered, here or elsewhere. */
  withdraw(requestId: string): void;
}

export interface PermissionBridgeOptions {
  /** True while the session's turn is being cancelled: what is asked then is answered `cancelled` at once. */
  isCancelling(key: string): boolean;
  dispatch(key: string, action: SessionAction): void;
  keepDiff: DiffKeeper;
  prompter: PermissionPrompter;
  now(): number;
}

type Outcome = { outcome: 'selected'; optionId: string } | { outcome: 'cancelled' };

/** Asks the person in the card and in a quick pick together; the first answer wins, and only a person's choice is one (PE-1..9). */
export class PermissionBridge implements PermissionPort {
  private readonly open = new Map<string, { request: PermissionRequest; resolve(outcome: Outcome): void }>();
  private nextId = 1;

  constructor(private readonly options: PermissionBridgeOptions) {}

  async request(params: JsonObject, signal: AbortSignal): Promise<object> {
    const patch = readToolPatch(params['toolCall'], this.options.keepDiff);
    if (!patch) throw WireError.invalidParams('"toolCall" has no "toolCallId".');
    const request = {
      requestId: `permission-${this.nextId++}`,
      key: String(params['sessionId']),
      patch,
      options: readPermissionOptions(params['options']),
    };
    const answered = this.ask(request);
    const withdraw = (): void => this.settle(request.requestId, { outcome: 'cancelled' });
    if (signal.aborted) withdraw();
    else signal.addEventListener('abort', withdraw, { once: true });
    const outcome = await answered;
    if (signal.aborted) throw new WireError(ErrorCode.cancelled, 'The request was cancelled.');
    return { outcome };
  }

  /** The person chose an option; false if the question is no longer open. */
  answer(requestId: string, optionId: string): boolean {
    const known = this.open.get(requestId)?.request.options.some((option) => option.optionId === optionId);
    if (known) this.settle(requestId, { outcome: 'selected', optionId });
    return known ?? false;
  }

  /** Answers every open question of a session `cancelled` (CA-3). */
  cancelSession(key: string): void {
    for (const [requestId, { request }] of [...this.open])
      if (request.key === key) this.settle(requestId, { outcome: 'cancelled' });
  }

  /** Asks the oldest open question again, for a person who closed the quick pick; false if none is open. */
  showAgain(): boolean {
    const [first] = this.open.values();
    if (first) this.options.prompter.ask(first.request);
    return first !== undefined;
  }

  private ask(request: PermissionRequest): Promise<Outcome> {
    const { requestId, key, patch, options } = request;
    const late = this.options.isCancelling(key);
    const at = this.options.now();
    this.options.dispatch(key, { type: 'permissionRequested', requestId, patch, options, at });
    return new Promise((resolve) => {
      this.open.set(requestId, { request, resolve });
      if (late) this.settle(requestId, { outcome: 'cancelled' });
      else this.options.prompter.ask(request);
    });
  }

  private settle(requestId: string, outcome: Outcome): void {
    const question = this.open.get(requestId);
    if (!question) return;
    this.open.delete(requestId);
    this.options.prompter.withdraw(requestId);
    const optionId = outcome.outcome === 'selected' ? outcome.optionId : null;
    const at = this.options.now();
    this.options.dispatch(question.request.key, { type: 'permissionAnswered', requestId, optionId, at });
    question.resolve(outcome);
  }
}
