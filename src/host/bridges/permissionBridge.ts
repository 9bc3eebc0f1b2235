import { randomUUID } from 'node:crypto';
import type { PermissionPort } from '../../acp/agentClient';
import { ErrorCode } from '../../core/acp';
import { Emitter } from '../../core/emitter';
import { WireError } from '../../core/errors';
import { asObject, compact, type JsonObject } from '../../core/json';
import { ruleText } from '../../core/permission/ruleText';
import type { Decision, PermissionRule, RuleScope } from '../../core/permission/rules';
import { readSubject } from '../../core/permission/subject';
import { cutMiddle, MAX_RAW } from '../../core/session/limits';
import { readPermissionOptions, readToolPatch, type DiffKeeper } from '../../core/session/intake';
import type { SessionAction, ToolPatch } from '../../core/session/actions';
import type { PermissionOptionView, SessionState, WireStatus } from '../../core/session/state';
import { PersonAllowed } from '../permission/personAllowed';
import type { Asked, PermissionPolicy } from '../permission/policy';
import { optionByRule } from '../permission/ruleChoice';
import { toolCallInFull, topicOf, type QuestionTopic } from '../permission/toolCallInFull';

/** An open question. */
export interface PermissionRequest {
  requestId: string;
  /** Parley's key of the session. */
  key: string;
  patch: ToolPatch;
  options: PermissionOptionView[];
  topic: QuestionTopic;
  /** Rules that would answer this from now on; absent where none is offered. */
  offer?: PermissionRule[];
}

/** Where a question is asked besides the card, such as a quick pick. */
export interface PermissionPrompter {
  /** `first`: before those that wait there. */
  ask(request: PermissionRequest, first?: boolean): void;
  /** The question was answered, here or elsewhere. */
  withdraw(requestId: string): void;
}

export interface PermissionBridgeOptions {
  /**
   * A session by Parley's key. While its turn is being cancelled, what is asked is answered `cancelled` at once, and no rule grants
   * anything.
   */
  state(key: string): SessionState | undefined;
  dispatch(key: string, action: SessionAction): void;
  keepDiff: DiffKeeper;
  prompter: PermissionPrompter;
  /** The person's rules; without it the person answers everything. */
  policy?: PermissionPolicy | undefined;
  /** The person said why they rejected something: it becomes the next prompt of the session. */
  onReason: (key: string, reason: string) => void;
  log: (line: string) => void;
  now(): number;
}

/** A question of Parley itself. */
export interface OwnQuestion {
  title: string;
  /** Kind of a tool call, such as `edit`. */
  kind: string;
  command?: string;
  cwd?: string;
  diff?: { path: string; oldText: string; newText: string };
}

type Outcome = { outcome: 'selected'; optionId: string } | { outcome: 'cancelled' };
const CANCELLED: Outcome = { outcome: 'cancelled' };

interface Question {
  request: PermissionRequest;
  asked: Asked;
  /** The person sees it. */
  shown: boolean;
  resolve(outcome: Outcome): void;
}

/**
 * Asks the person in the card and in a quick pick together; the first answer wins, and only a person's choice or a rule of theirs is one
 * (PE-1..11).
 */
export class PermissionBridge implements PermissionPort {
  private readonly open = new Map<string, Question>();
  private readonly changed = new Emitter<void>();
  /** What waits for the person changed. */
  readonly onDidChange = this.changed.event;
  private readonly allowed = new PersonAllowed();
  private nextId = 1;

  constructor(private readonly options: PermissionBridgeOptions) {}

  async request(params: JsonObject, signal: AbortSignal): Promise<object> {
    const patch = readToolPatch(params['toolCall'], this.options.keepDiff);
    if (!patch) throw WireError.invalidParams('"toolCall" has no "toolCallId".');
    const key = String(params['sessionId']);
    const state = this.options.state(key);
    const call = toolCallInFull(state, asObject(params['toolCall']));
    const asked = readSubject(call);
    const topic = topicOf(state, call, asked);
    const options = readPermissionOptions(params['options']);
    const outcome = await this.pose({ key, patch, options, topic }, asked, signal);
    if (signal.aborted) throw new WireError(ErrorCode.cancelled, 'The request was cancelled.');
    return { outcome };
  }

  /**
   * Asks a question of Parley itself, as an agent's is asked; no rule answers it. Gives the id of the chosen option; undefined where the
   * question was cancelled.
   */
  async askOwn(
    key: string,
    question: OwnQuestion,
    options: PermissionOptionView[],
    signal: AbortSignal = new AbortController().signal,
  ): Promise<string | undefined> {
    const patch = this.ownCall(question);
    const { title, kind, command, cwd, diff } = question;
    const topic = { title, paths: diff ? [diff.path] : [], ...compact({ command, cwd }) };
    const outcome = await this.pose({ key, patch, options, topic }, undefined, signal, kind);
    const chosen = outcome.outcome === 'selected' ? outcome.optionId : undefined;
    const option = options.find(({ optionId }) => optionId === chosen);
    if (!option) this.settleOwn(key, patch.toolCallId, signal.aborted ? 'failed' : undefined);
    else this.settleOwn(key, patch.toolCallId, option.kind.startsWith('allow') ? 'completed' : 'failed');
    return option?.optionId;
  }

  /**
   * The person chose an option; false if the question is no longer open.
   *
   * @param reason Why they rejected it; becomes the session's next prompt.
   */
  answer(requestId: string, optionId: string, reason?: string): boolean {
    const question = this.open.get(requestId);
    const option = question?.request.options.find((item) => item.optionId === optionId);
    if (!question?.shown || !option) return false;
    const { key } = question.request;
    if (option.kind.startsWith('allow')) {
      const cwd = this.options.state(key)?.cwd ?? '/';
      this.allowed.add(key, this.turnOf(key), question.asked, {
        always: option.kind === 'allow_always',
        cwd,
      });
    }
    this.settle(requestId, { outcome: 'selected', optionId });
    const why = option.kind.startsWith('reject') ? reason?.trim() : undefined;
    if (why) this.options.onReason(key, why);
    return true;
  }

  /**
   * Saves the rules that were offered with a question, then answers it with an option that allows; false if that is no longer open.
   * Rejects with a sentence where they can't be saved, and leaves the question open then.
   */
  async keepAndAnswer(requestId: string, optionId: string, scope: RuleScope): Promise<boolean> {
    const request = this.open.get(requestId)?.request;
    const option = request?.options.find((item) => item.optionId === optionId);
    if (!request?.offer || !option?.kind.startsWith('allow')) return false;
    const rules = request.offer.map((rule) => ({ ...rule }));
    await this.options.policy?.keep(request.key, rules, scope);
    return this.answer(requestId, optionId);
  }

  /** True if the person, not a rule, allowed just this in the session's current turn; used up by that where it was allowed once. */
  takeAllowed(key: string, asked: Asked): boolean {
    return this.allowed.take(key, this.turnOf(key), asked);
  }

  /** Answers every open question of a session `cancelled` (CA-3). */
  cancelSession(key: string): void {
    for (const [requestId, { request }] of [...this.open])
      if (request.key === key) this.settle(requestId, CANCELLED);
  }

  /** What waits for the person, oldest first. */
  waiting(): PermissionRequest[] {
    return [...this.open.values()].filter(({ shown }) => shown).map(({ request }) => request);
  }

  /** Asks a question again, by default the oldest, for a person who closed the quick pick; false if none is open. */
  showAgain(requestId?: string): boolean {
    const found = this.waiting().find(
      (request) => requestId === undefined || request.requestId === requestId,
    );
    if (found) this.options.prompter.ask(found, true);
    return found !== undefined;
  }

  /** Poses a question; `asked` is what rules are asked about, undefined where none is to answer. */
  private pose(
    what: Omit<PermissionRequest, 'requestId'>,
    asked: Asked | undefined,
    signal: AbortSignal,
    kind = 'other',
  ): Promise<Outcome> {
    const request = { ...what, requestId: `permission-${this.nextId++}` };
    const { requestId, key } = request;
    return new Promise((resolve) => {
      const question = { request, asked: asked ?? { kind, paths: [] }, shown: false, resolve };
      this.open.set(requestId, question);
      const withdraw = (): void => this.settle(requestId, CANCELLED);
      signal.addEventListener('abort', withdraw, { once: true });
      const state = this.options.state(key);
      // A session that was closed meanwhile has no card, and nobody to ask.
      if (!state || state.turn.status === 'cancelling' || signal.aborted) {
        this.show(question);
        withdraw();
      } else if (asked && this.options.policy) {
        // At once, so that a later update of the call is not undone by the question.
        this.dispatch(key, { type: 'update', update: { kind: 'toolCall', patch: request.patch } });
        void this.judge(question, this.options.policy);
      } else this.askPerson(question);
    });
  }

  /** Lets the rules answer; whatever they don't answer is asked. */
  private async judge(question: Question, policy: PermissionPolicy): Promise<void> {
    const { request, asked } = question;
    const { key, requestId, options } = request;
    try {
      const decision = await policy.decide(key, asked);
      // An explicit "ask" is not to be undone by the way.
      const offer = decision.rules.length > 0 ? [] : await policy.offer(key, asked);
      // It may have been cancelled, or taken back.
      if (!this.open.has(requestId)) return;
      const optionId = optionByRule(decision, options);
      if (optionId !== undefined) {
        this.answerByRule(question, optionId, decision);
        return;
      }
      const once = options.some((option) => option.kind === 'allow_once');
      if (once && offer.length > 0) request.offer = offer;
    } catch (error) {
      this.options.log(`the rules could not be asked: ${String(error)}`);
      if (!this.open.has(requestId)) return;
    }
    this.askPerson(question, true);
  }

  private answerByRule(question: Question, optionId: string, decision: Decision): void {
    const { key, requestId } = question.request;
    const rule = decision.rules.map((scoped) => ruleText(scoped.rule)).join('; ');
    this.show(question, true);
    this.options.policy?.note(key, question.asked, decision);
    this.settle(requestId, { outcome: 'selected', optionId }, rule);
  }

  private askPerson(question: Question, announced = false): void {
    this.show(question, announced);
    this.options.prompter.ask(question.request);
    this.changed.fire();
  }

  /** `announced`: its card has the details already. */
  private show(question: Question, announced = false): void {
    const { requestId, key, patch, options, topic, offer } = question.request;
    question.shown = true;
    this.dispatch(key, {
      type: 'permissionRequested',
      requestId,
      patch: announced ? { toolCallId: patch.toolCallId } : patch,
      options,
      // What the state holds is not shared with the request.
      ...compact({
        cwd: topic.cwd,
        command: shownCommand(topic),
        offer: offer?.map((rule) => ({ ...rule })),
      }),
    });
  }

  private settle(requestId: string, outcome: Outcome, rule?: string): void {
    const question = this.open.get(requestId);
    if (!question) return;
    this.open.delete(requestId);
    const { key } = question.request;
    if (question.shown) {
      this.options.prompter.withdraw(requestId);
      const optionId = outcome.outcome === 'selected' ? outcome.optionId : null;
      this.dispatch(key, { type: 'permissionAnswered', requestId, optionId, ...compact({ rule }) });
    }
    question.resolve(outcome);
    this.changed.fire();
  }

  private turnOf(key: string): number {
    return this.options.state(key)?.turn.number ?? 0;
  }

  /** The card of a question of Parley's own. No agent can know its id, and so none can change what it says. */
  private ownCall({ title, kind, command, diff }: OwnQuestion): ToolPatch {
    const toolCallId = `parley-${randomUUID()}`;
    const patch: ToolPatch = {
      toolCallId,
      title,
      toolKind: kind,
      status: 'pending',
      ...compact({ command }),
    };
    if (!diff) return patch;
    const { ref, view } = this.options.keepDiff(diff);
    const content = [{ type: 'diff' as const, path: diff.path, isNew: false, diff: view, ref }];
    return { ...patch, content, locations: [{ path: diff.path }] };
  }

  /** A cancelled turn settles its cards itself. */
  private settleOwn(key: string, toolCallId: string, status: WireStatus | undefined): void {
    if (status)
      this.dispatch(key, {
        type: 'update',
        update: { kind: 'toolCallUpdate', patch: { toolCallId, status } },
      });
  }

  private dispatch(key: string, action: Undated): void {
    this.options.dispatch(key, { ...action, at: this.options.now() });
  }
}

const shownCommand = ({ command }: QuestionTopic): string | undefined =>
  command === undefined ? undefined : cutMiddle(command, MAX_RAW);

type WithoutTime<A> = A extends { at: number } ? Omit<A, 'at'> : never;
type Undated = WithoutTime<SessionAction>;
