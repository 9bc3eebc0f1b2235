import type { ConnectedAgent } from '../../acp/connectAgent';
import { errorCode, isConnectionClosed } from '../../acp/wireErrors';
import { ErrorCode, type ContentBlock } from '../../core/acp';
import { toErrorView } from '../../core/errors';
import { turnText } from '../../core/session/select';
import type { TurnState } from '../../core/session/turn';
import { isAbort } from './sessionErrors';
import type { SessionStore } from './sessionStore';
import type { SessionTexts } from './sessionTexts';
import { readTurnAnswer, type TurnResult } from './turnAnswer';

/** A session that the agent has open. */
export interface LiveSession {
  agent: ConnectedAgent;
  sessionId: string;
  /** Its folder, then the other ones that the agent may use (SE-24). */
  roots: readonly string[];
}

/** What is done around a turn; neither rejects. */
export interface TurnHooks {
  /** Takes the earlier text of what the turn may change. */
  begin(turn: number, roots: readonly string[]): Promise<void>;
  /** Looks for what the turn changed. */
  end(): Promise<void>;
}

export interface TurnRunnerOptions {
  store: SessionStore;
  texts: SessionTexts;
  live(): LiveSession | undefined;
  /** Asks the person to sign in; resolves when they did and the session is open again. */
  signIn(): Promise<void>;
  /** Answers every open question of the session as cancelled (CA-3). */
  cancelQuestions(): void;
  changes: TurnHooks;
  now: () => number;
}

/** Runs prompt turns, one at a time, and tells the store how each went. */
export class TurnRunner {
  /** The turn that the person cancelled, so that its abort error is not shown as one (CA-6). */
  private cancelled: TurnState | undefined;
  /** True while the agent does not have the prompt of the turn yet. */
  private preparing = false;

  constructor(private readonly options: TurnRunnerOptions) {}

  /**
   * Sends the prompt of the turn that the store just began; resolves when the turn is over and its last update applied.
   *
   * @throws Error with a sentence for the person if the turn failed.
   */
  async run(blocks: ContentBlock[]): Promise<TurnResult> {
    const { store, now } = this.options;
    const { turn } = store.state;
    // Stopped before the agent had the prompt; it would not know of a cancel that came first.
    if (turn.status === 'cancelling') return this.end(turn, { stopReason: 'cancelled' });
    try {
      await this.prepare(turn);
      // As above; a session that was closed meanwhile has ended its turn.
      if (turn.status !== 'running') return this.end(turn, { stopReason: 'cancelled' });
      return this.end(turn, await this.ask(blocks, turn));
    } catch (error) {
      if (this.cancelled === turn && isAbort(error)) return this.end(turn, { stopReason: 'cancelled' });
      const shown = await this.toShown(error);
      if (store.state.turn === turn)
        store.dispatch({ type: 'turnFailed', turn: turn.number, error: shown, at: now() });
      throw new Error(shown.message, { cause: error });
    } finally {
      // The agent may end a turn without waiting for its answers.
      if (store.state.turn === turn) this.options.cancelQuestions();
      void this.options.changes.end();
    }
  }

  /** Answers open questions first, then marks open calls, then tells the agent (CA-1..4). False if no turn runs. */
  cancel(): boolean {
    const { store, now } = this.options;
    const { turn } = store.state;
    if (turn.status !== 'running') return false;
    this.cancelled = turn;
    this.options.cancelQuestions();
    store.dispatch({ type: 'cancelRequested', at: now() });
    // The answers are written by promises that are done before the next turn of the event loop.
    const live = this.options.live();
    if (!this.preparing) setImmediate(() => live?.agent.client.cancel(live.sessionId));
    return true;
  }

  /** Ends the turn without waiting for the agent, whose session is closed (SE-14). */
  abandon(): void {
    const { turn } = this.options.store.state;
    if (turn.status === 'running' || turn.status === 'cancelling')
      this.end(turn, { stopReason: 'cancelled' });
  }

  private async prepare(turn: TurnState): Promise<void> {
    const roots = this.options.live()?.roots;
    if (!roots) return;
    this.preparing = true;
    await this.options.changes.begin(turn.number, roots);
    this.preparing = false;
  }

  private async ask(blocks: ContentBlock[], turn: TurnState): Promise<unknown> {
    try {
      return await this.send(blocks);
    } catch (error) {
      if (errorCode(error) !== ErrorCode.authRequired || this.options.store.state.turn !== turn) throw error;
      if (turn.status === 'running') await this.options.signIn();
      if (turn.status !== 'running') throw error;
      // Once: a second refusal is told as an error (RP-7).
      return this.send(blocks);
    }
  }

  private async send(blocks: ContentBlock[]): Promise<unknown> {
    const live = this.options.live();
    if (!live) throw new Error(this.options.texts.signInFirst(this.options.store.state.agent.title));
    try {
      return await live.agent.client.prompt(live.sessionId, blocks);
    } catch (error) {
      if (!isConnectionClosed(error)) throw error;
      throw new LostDuringTurn(live.agent, error);
    }
  }

  private async toShown(error: unknown): Promise<ReturnType<typeof toErrorView>> {
    const { texts, store } = this.options;
    if (!(error instanceof LostDuringTurn)) return toErrorView(error);
    return texts.failureError(store.state.agent.title, await error.agent.lost);
  }

  private end(turn: TurnState, answer: unknown): TurnResult {
    const { store, now } = this.options;
    const result = readTurnAnswer(answer);
    // Numbers begin again with each session; the object tells whether this turn is still the current one.
    if (store.state.turn !== turn || turn.status === 'idle') return { ...result, text: '' };
    store.dispatch({ type: 'turnEnded', turn: turn.number, at: now(), ...result });
    return { ...result, text: turnText(store.state) };
  }
}

/** The agent went away before it answered the prompt; why is told by the agent's process. */
class LostDuringTurn extends Error {
  constructor(
    readonly agent: ConnectedAgent,
    cause: unknown,
  ) {
    super('The connection ended.', { cause });
  }
}
