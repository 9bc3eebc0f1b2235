import { randomUUID } from 'node:crypto';
import { ErrorCode } from '../../core/acp';
import { readForm, type FieldView, type FormView } from '../../core/elicitation/form';
import { inspectUrl, MAX_URL } from '../../core/elicitation/url';
import {
  answersOf,
  validateForm,
  type FieldProblem,
  type FormAnswers,
} from '../../core/elicitation/validate';
import { WireError } from '../../core/errors';
import { isObject, type JsonObject } from '../../core/json';
import type { SessionAction } from '../../core/session/actions';
import { cutMiddle, MAX_RAW } from '../../core/session/limits';
import type { ElicitationAction } from '../../core/session/state';

/** Where a question is shown and who asked it. */
export interface ElicitationOwner {
  /** Parley's key of the session that shows the question. */
  key: string;
  /** Id of the connection: elicitation ids of different agents may be equal. */
  connection: string;
}

/** Sentences for the person, in their language. */
export interface ElicitationTexts {
  /** The question was answered or taken back meanwhile. */
  gone(): string;
  invalid(field: FieldView, problem: FieldProblem): string;
  /** The address is neither https nor on this machine (EL-24). */
  notAllowed(url: string): string;
  openFailed(url: string): string;
}

export interface ElicitationBridgeOptions {
  dispatch(key: string, action: SessionAction): void;
  /** True while the turn is being cancelled: what is asked then is answered `cancel` at once. */
  isCancelling(key: string): boolean;
  /** Opens the person's own browser (EL-23); false if that failed. */
  openExternal(url: string): Promise<boolean>;
  log(line: string): void;
  texts: ElicitationTexts;
}

/** What the agent is told; `content` only with an accepted form (EL-4). */
interface Answer {
  action: ElicitationAction;
  content?: FormAnswers;
}

type Subject = { form: FormView } | { url: string; elicitationId: string };

type Question = ElicitationOwner & {
  requestId: string;
  subject: Subject;
  /** Absent once the agent has its answer; the question then only waits for the page. */
  resolve?: (answer: Answer) => void;
  /** The agent said that the page is done, maybe before the person agreed. */
  completed?: boolean;
  /** A page that is being opened: a second click must not open it twice. */
  opening?: Promise<void>;
};

/** Asks the person by a form or a web page; each question gets exactly one answer, and only a person accepts (EL-1..26). */
export class ElicitationBridge {
  private readonly questions = new Map<string, Question>();

  constructor(private readonly options: ElicitationBridgeOptions) {}

  /** Questions that the agent waits for; pages that are only waited for are not counted. */
  get openCount(): number {
    return [...this.questions.values()].filter((question) => question.resolve).length;
  }

  /**
   * Serves `elicitation/create`. Throws a `WireError`: -32602 for what Parley can't show (EL-5), -32800 if the agent takes the question
   * back (EL-7).
   */
  async create(owner: ElicitationOwner, params: JsonObject, signal: AbortSignal): Promise<object> {
    const message = textMember(params, 'message');
    const subject = readSubject(params);
    if (!subject) {
      this.options.log('declined a form: it needs a field of a kind that is not known');
      return { action: 'decline' } satisfies Answer;
    }
    const requestId = `elicitation-${randomUUID()}`;
    const answered = this.ask({ ...owner, requestId, subject }, message);
    const withdraw = (): void => this.settleById(requestId, { action: 'cancel' });
    if (signal.aborted) withdraw();
    else signal.addEventListener('abort', withdraw, { once: true });
    const answer = await answered;
    signal.removeEventListener('abort', withdraw);
    if (signal.aborted) throw new WireError(ErrorCode.cancelled, 'The request was cancelled.');
    return answer;
  }

  /** Serves `elicitation/complete`: the page is done; ids that are unknown or done are ignored (EL-26). */
  complete(connection: string, elicitationId: string): void {
    for (const question of [...this.questions.values()]) {
      const { subject } = question;
      const isMeant = 'url' in subject && subject.elicitationId === elicitationId;
      if (!isMeant || question.connection !== connection || question.completed) continue;
      question.completed = true;
      if (!question.resolve) this.questions.delete(question.requestId);
      this.options.dispatch(question.key, { type: 'elicitationCompleted', requestId: question.requestId });
    }
  }

  /**
   * The person answered. Accepting a page opens it, each time; declining or cancelling one that is open ends the waiting. Throws an
   * `Error` with a sentence for the person, and leaves the question as it is, if it is gone, a value is invalid, or the page can't be
   * opened.
   */
  async answer(
    requestId: string,
    action: ElicitationAction,
    content: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    const question = this.questions.get(requestId);
    if (!question) throw new Error(this.options.texts.gone());
    const { subject } = question;
    if (action !== 'accept') {
      this.settle(question, { action });
    } else if ('form' in subject) {
      this.settle(question, { action, content: this.checked(subject.form, content) });
    } else {
      await this.openOnce(question, subject.url);
      // It may have been taken back while the browser opened.
      if (question.resolve && this.questions.has(requestId)) this.settle(question, { action });
    }
  }

  /** Answers every open question of a session `cancel` (CA-3, EL-7); pages that are open can still be completed. */
  cancelSession(key: string): void {
    for (const question of [...this.questions.values()])
      if (question.key === key && question.resolve) this.settle(question, { action: 'cancel' });
  }

  /** Answers every open question of a connection `cancel` and waits for none of its pages any more (EL-7). */
  cancelConnection(connection: string): void {
    for (const question of [...this.questions.values()])
      if (question.connection === connection) this.settle(question, { action: 'cancel' });
  }

  private ask(question: Question, message: string): Promise<Answer> {
    const { key, requestId, subject } = question;
    const late = this.options.isCancelling(key);
    this.options.dispatch(key, {
      type: 'elicitationRequested',
      requestId,
      message: cutMiddle(message, MAX_RAW),
      ...('form' in subject ? { form: subject.form } : { url: subject.url }),
    });
    return new Promise((resolve) => {
      const asked: Question = { ...question, resolve };
      this.questions.set(requestId, asked);
      if (late) this.settle(asked, { action: 'cancel' });
    });
  }

  /** The values that may be sent (EL-11); throws a sentence about the first one that may not. */
  private checked(form: FormView, content: Readonly<Record<string, unknown>>): FormAnswers {
    const problems = new Map(Object.entries(validateForm(form, content)));
    for (const field of form.fields) {
      const problem = problems.get(field.name);
      if (problem) throw new Error(this.options.texts.invalid(field, problem));
    }
    return answersOf(form, content);
  }

  private openOnce(question: Question, url: string): Promise<void> {
    question.opening ??= this.openPage(url).finally(() => delete question.opening);
    return question.opening;
  }

  private async openPage(url: string): Promise<void> {
    const { options } = this;
    if (!inspectUrl(url).allowed) throw new Error(options.texts.notAllowed(url));
    let opened = false;
    try {
      opened = await options.openExternal(url);
    } catch (error) {
      options.log(`the browser could not be opened: ${String(error)}`);
    }
    if (!opened) throw new Error(options.texts.openFailed(url));
  }

  private settleById(requestId: string, answer: Answer): void {
    const question = this.questions.get(requestId);
    if (question?.resolve) this.settle(question, answer);
  }

  /** Ends a question, or only its wire part where a page is now waited for. */
  private settle(question: Question, answer: Answer): void {
    const { key, requestId, subject, resolve } = question;
    const staysOpen = answer.action === 'accept' && 'url' in subject && !question.completed;
    if (staysOpen) delete question.resolve;
    else this.questions.delete(requestId);
    this.options.dispatch(key, { type: 'elicitationAnswered', requestId, action: answer.action });
    resolve?.(answer);
  }
}

function textMember(params: JsonObject, name: string): string {
  const value = params[name];
  if (typeof value !== 'string') throw WireError.invalidParams(`"${name}" is not a text.`);
  return value;
}

/** What is asked; undefined for a form that Parley can't show whole (EL-5). */
function readSubject(params: JsonObject): Subject | undefined {
  const mode = textMember(params, 'mode');
  if (mode === 'form') {
    if (!isObject(params['requestedSchema']))
      throw WireError.invalidParams('"requestedSchema" is not an object.');
    const form = readForm(params['requestedSchema']);
    return form && { form };
  }
  if (mode !== 'url') throw WireError.invalidParams(`The mode "${cutMiddle(mode, 100)}" is not supported.`);
  const url = textMember(params, 'url');
  if (url.length > MAX_URL) throw WireError.invalidParams('"url" is too long.');
  return { url, elicitationId: textMember(params, 'elicitationId') };
}
