import type { ClientHandlers } from '../../acp/agentClient';
import type { LaunchPlan } from '../../acp/agentProcess';
import type { ConnectedAgent } from '../../acp/connectAgent';
import { errorCode, isConnectionClosed } from '../../acp/wireErrors';
import { ErrorCode } from '../../core/acp';
import { AgentError, toErrorView, type AgentFailure } from '../../core/errors';
import { asObject, asString, compact } from '../../core/json';
import { readUpdate, type DiffKeeper } from '../../core/session/intake';
import { readConfigOptions, readSessionConfig } from '../../core/session/config';
import { isBusy, turnText } from '../../core/session/select';
import type { Banner, ConnectionStatus, TurnState } from '../../core/session/state';
import type { SessionStore } from './sessionStore';
import type { SessionTexts } from './sessionTexts';
import { isAbort, toFailure, toSentence } from './sessionErrors';
import { readTurnAnswer, type TurnResult } from './turnAnswer';

export type { TurnResult } from './turnAnswer';

export interface SessionControllerOptions {
  store: SessionStore;
  texts: SessionTexts;
  launchPlan(agentId: string, cwd: string): Promise<LaunchPlan | undefined>;
  connect(
    plan: LaunchPlan,
    agentId: string,
    handlers: ClientHandlers,
    aborted: AbortSignal,
  ): Promise<ConnectedAgent>;
  /** The ports besides the session's own; files and terminals only in a trusted workspace (CC-8). */
  ports(): Omit<ClientHandlers, 'session' | 'onUnknownNotification'>;
  /** Folder of a new session. */
  chooseCwd(): Promise<string>;
  cancelPermissions(): void;
  /** Ends the terminals of a session (TE-13). */
  releaseTerminals(sessionId: string): void;
  keepDiff: DiffKeeper;
  log(line: string): void;
  now(): number;
}

/** One session with one agent: connects, opens the session, runs prompt turns, and tells the store what happens. */
export class SessionController {
  private agent: ConnectedAgent | undefined;
  /** The session that the agent opened; undefined before the first and after the agent is lost. */
  private liveSessionId: string | undefined;
  private stopping: Promise<void> | undefined;
  private selections = 0;
  private starting: { done: Promise<void>; abort: AbortController } | undefined;
  /** Updates for ids that no answer has named yet (SE-5). */
  private early: { sessionId: string; update: unknown }[] | undefined;
  private readonly loggedKinds = new Set<string>();
  /** The turn that was cancelled by the person, so that its abort error is not shown as one (CA-6). */
  private cancelledTurn: TurnState | undefined;

  constructor(private readonly options: SessionControllerOptions) {}

  private get store(): SessionStore {
    return this.options.store;
  }

  /** Connects and opens a session, unless that is done or under way. Failures end in a banner, not in an exception. */
  async ensureConnected(): Promise<void> {
    while (this.stopping) await this.stopping;
    if (!this.starting) {
      const isOpen = this.liveSessionId !== undefined || this.store.state.connection.status === 'auth';
      if (this.agent && isOpen) return;
      const abort = new AbortController();
      const done = this.start(abort.signal).finally(() => (this.starting = undefined));
      this.starting = { done, abort };
    }
    return this.starting.done;
  }

  /** Ends the agent and starts another with an empty transcript. */
  async selectAgent(id: string): Promise<void> {
    const selection = ++this.selections;
    await this.stop();
    // The last of several selections counts.
    if (selection !== this.selections) return;
    this.store.dispatch({ type: 'agentSelected', id });
    await this.ensureConnected();
  }

  /** Starts the agent again; the transcript stays. */
  async restart(): Promise<void> {
    await this.stop();
    await this.ensureConnected();
  }

  /** Begins an empty session, with the agent that runs if it still does. */
  async newSession(): Promise<void> {
    if (isBusy(this.store.state)) await this.stop();
    const { agent } = this;
    const old = this.liveSessionId;
    if (!agent) {
      this.store.dispatch({ type: 'agentSelected', id: this.store.state.agent.id });
      return this.ensureConnected();
    }
    if (old) this.options.releaseTerminals(old);
    await this.guarded(() => this.openSession(agent, true));
  }

  /**
   * Runs one prompt turn; connects first where needed.
   *
   * @throws Error with a sentence for the person if the prompt was not taken; the draft is theirs to keep.
   */
  async prompt(text: string, taken: () => void = () => undefined): Promise<TurnResult> {
    if (isBusy(this.store.state)) throw new Error(this.options.texts.busy());
    await this.ensureConnected();
    const { agent } = this;
    const { state } = this.store;
    const sessionId = this.liveSessionId;
    if (!agent || !sessionId || state.connection.status !== 'ready') {
      throw new Error(state.banner?.message ?? this.options.texts.signInFirst(state.agent.title));
    }
    if (isBusy(state)) throw new Error(this.options.texts.busy());
    this.store.dispatch({
      type: 'promptSubmitted',
      blocks: [{ type: 'text', text }],
      at: this.options.now(),
    });
    taken();
    return this.runTurn(agent, sessionId, text);
  }

  private async runTurn(agent: ConnectedAgent, sessionId: string, text: string): Promise<TurnResult> {
    const { state } = this.store;
    // Numbers begin again with each session; the object tells whether this turn is still the current one.
    const { turn } = state;
    try {
      return this.endTurn(turn, await agent.client.prompt(sessionId, [{ type: 'text', text }]));
    } catch (error) {
      if (this.cancelledTurn === turn && isAbort(error))
        return this.endTurn(turn, { stopReason: 'cancelled' });
      const shown = isConnectionClosed(error)
        ? this.options.texts.failureError(state.agent.title, await agent.lost)
        : toErrorView(error);
      if (state.turn === turn) {
        this.store.dispatch({ type: 'turnFailed', turn: turn.number, error: shown, at: this.options.now() });
        if (errorCode(error) === ErrorCode.authRequired) this.setConnection('auth');
      }
      throw new Error(shown.message, { cause: error });
    } finally {
      // The agent may end a turn without waiting for its answers (CA-3).
      if (state.turn === turn) this.options.cancelPermissions();
    }
  }

  private endTurn(turn: TurnState, answer: unknown): TurnResult {
    const result = readTurnAnswer(answer);
    if (this.store.state.turn !== turn) return { ...result, text: '' };
    this.store.dispatch({ type: 'turnEnded', turn: turn.number, at: this.options.now(), ...result });
    return { ...result, text: turnText(this.store.state) };
  }

  /** Asks the agent to stop the turn: answers open questions first, then marks open calls, then tells the agent (CA-1..4). */
  cancelTurn(): void {
    const sessionId = this.liveSessionId;
    const { turn } = this.store.state;
    if (!sessionId || turn.status !== 'running') return;
    this.cancelledTurn = turn;
    this.options.cancelPermissions();
    this.store.dispatch({ type: 'cancelRequested', at: this.options.now() });
    // The answers are written by promises that are done before the next turn of the event loop.
    const { agent } = this;
    setImmediate(() => agent?.client.cancel(sessionId));
  }

  /** Kills an agent that does not stop, and starts it again (CA-6). */
  async forceStop(): Promise<void> {
    this.agent?.process.kill();
    await this.restart();
  }

  /** Sets a control of the composer; shown at once, taken back if the agent refuses (CF-9). */
  async setConfig(id: string, value: string | boolean): Promise<void> {
    const { agent } = this;
    const sessionId = this.liveSessionId;
    const item = this.store.state.config.find((config) => config.id === id);
    if (!agent || !sessionId || !item) return;
    const before = item.value;
    this.store.dispatch({ type: 'configValueSet', id, value });
    try {
      if (item.type === 'select' && item.legacyMode) {
        await agent.client.setMode(sessionId, String(value));
        return;
      }
      const answer = asObject(await agent.client.setConfigOption(sessionId, id, value));
      if (Array.isArray(answer['configOptions'])) {
        this.store.dispatch({ type: 'configChanged', config: readConfigOptions(answer['configOptions']) });
      }
    } catch (error) {
      const now = this.store.state.config.find((config) => config.id === id);
      // What the agent or the person set meanwhile counts.
      if (now?.value === value) this.store.dispatch({ type: 'configValueSet', id, value: before });
      throw toSentence(error);
    }
  }

  /** Signs in by a method of the agent, then opens the session that was refused. */
  async authenticate(methodId: string): Promise<void> {
    const { agent } = this;
    if (!agent) return;
    try {
      await agent.client.authenticate(methodId);
    } catch (error) {
      throw toSentence(error);
    }
    this.store.dispatch({ type: 'bannerShown', banner: null });
    await this.guarded(() => this.openSession(agent, this.store.state.entries.length === 0));
  }

  /** Ends the agent for good; used when the window closes. */
  async stop(): Promise<void> {
    while (this.agent || this.starting || this.stopping) {
      this.stopping ??= this.end().finally(() => (this.stopping = undefined));
      await this.stopping;
    }
  }

  private async end(): Promise<void> {
    const { agent, starting } = this;
    starting?.abort.abort();
    if (agent) this.leave();
    // Also while it opens its session: an agent that never answers would hold the start for ever.
    await agent?.stop();
    await starting?.done;
    if (agent) this.setConnection('none');
  }

  private async start(aborted: AbortSignal): Promise<void> {
    const { store, options } = this;
    store.dispatch({ type: 'bannerShown', banner: null });
    this.setConnection('connecting');
    await this.guarded(async () => {
      const cwd = await options.chooseCwd();
      // An agent that refused to open a session still runs, and is asked again.
      const agent = this.agent ?? (await this.connect(cwd, aborted));
      if (agent) await this.openSession(agent, store.state.entries.length === 0, cwd);
    });
  }

  private async connect(cwd: string, aborted: AbortSignal): Promise<ConnectedAgent | undefined> {
    const { store, options } = this;
    const { id } = store.state.agent;
    const plan = await options.launchPlan(id, cwd);
    if (!plan) {
      this.showFailure(options.texts.unknownAgent(id), 'none');
      return undefined;
    }
    const agent = await options.connect(plan, id, this.handlers(), aborted);
    if (aborted.aborted) {
      await agent.stop();
      throw new AgentError({ reason: 'aborted' });
    }
    this.agent = agent;
    void agent.lost.then((failure) => this.onLost(agent, failure));
    const { title, name, version, authMethods } = agent.introduction;
    store.dispatch({
      type: 'agentIntroduced',
      title: title ?? name ?? id,
      authMethods,
      ...compact({ name, version }),
    });
    return agent;
  }

  private handlers(): ClientHandlers {
    return {
      ...this.options.ports(),
      session: {
        update: (sessionId, update) => this.onUpdate(sessionId, update),
        loopEvent: () => undefined,
      },
      onUnknownNotification: (method) => this.options.log(`ignored notification ${method}`),
    };
  }

  /** Opens a session: `fresh` empties the transcript, else the agent picks the old one up if it can. */
  private async openSession(agent: ConnectedAgent, fresh: boolean, chosen?: string): Promise<void> {
    const { state } = this.store;
    const cwd = chosen ?? (await this.options.chooseCwd());
    this.early = [];
    try {
      const loaded = fresh || !state.sessionId ? false : await this.loadSession(agent, state.sessionId, cwd);
      if (!loaded) await this.createSession(agent, fresh, cwd);
    } catch (error) {
      if (errorCode(error) !== ErrorCode.authRequired) throw error;
      this.early = undefined;
      this.setConnection('auth');
      return;
    }
    this.setConnection('ready');
  }

  private async createSession(agent: ConnectedAgent, fresh: boolean, cwd: string): Promise<void> {
    const answer = asObject(await agent.client.newSession(cwd));
    const sessionId = asString(answer['sessionId']);
    if (sessionId === undefined) throw new AgentError({ reason: 'badInitializeAnswer' });
    this.liveSessionId = sessionId;
    this.store.dispatch({ type: 'sessionOpened', sessionId, cwd, config: readSessionConfig(answer), fresh });
    if (!fresh) {
      const title = this.options.texts.startsWithoutMemory(this.store.state.agent.title);
      this.store.dispatch({ type: 'noticeShown', severity: 'info', title });
    }
    this.applyEarly();
  }

  /** Loads a session of before; its replay replaces the transcript. False where the agent can't or won't (SE-6..8). */
  private async loadSession(agent: ConnectedAgent, sessionId: string, cwd: string): Promise<boolean> {
    if (!agent.introduction.loadSession) return false;
    try {
      const answer = await agent.client.loadSession(sessionId, cwd);
      this.liveSessionId = sessionId;
      this.store.dispatch({
        type: 'sessionOpened',
        sessionId,
        cwd,
        config: readSessionConfig(answer),
        fresh: true,
      });
      this.applyEarly();
      return true;
    } catch (error) {
      if (isConnectionClosed(error)) throw error;
      this.early = [];
      this.options.log(`session/load failed: ${toErrorView(error).message}`);
      return false;
    }
  }

  /** Runs a step of the start; what it throws becomes a banner. */
  private async guarded(step: () => Promise<void>): Promise<void> {
    const { id } = this.store.state.agent;
    try {
      await step();
    } catch (error) {
      if (isConnectionClosed(error)) {
        // Whoever takes the agent away tells it: `end` or `onLost`, which runs before we go on.
        await this.agent?.lost;
        return;
      }
      this.applyEarly();
      const failure = toFailure(error);
      if (failure.reason === 'aborted') {
        this.setConnection('none');
        return;
      }
      this.showFailure(this.options.texts.failureBanner(id, failure), this.agent ? 'ready' : 'exited');
    }
  }

  /** Handles an update in wire order; must not wait (SU-7). */
  private onUpdate(sessionId: string, update: unknown): void {
    if (sessionId === this.liveSessionId && !this.early) this.applyUpdate(update);
    else if (this.early) this.early.push({ sessionId, update });
    else this.options.log(`ignored an update for the unknown session ${sessionId}`);
  }

  private applyEarly(): void {
    const waiting = this.early ?? [];
    this.early = undefined;
    for (const { sessionId, update } of waiting) this.onUpdate(sessionId, update);
  }

  private applyUpdate(value: unknown): void {
    const update = readUpdate(value, this.options.keepDiff);
    if (update.kind === 'unknown' && !this.loggedKinds.has(update.name)) {
      this.loggedKinds.add(update.name);
      this.options.log(`unknown kind of update: ${update.name}`);
    }
    this.store.dispatch({ type: 'update', update, at: this.options.now() });
  }

  private onLost(agent: ConnectedAgent, failure: AgentFailure): void {
    if (this.agent !== agent) return; // We ended it ourselves.
    this.leave();
    this.showFailure(this.options.texts.failureBanner(this.store.state.agent.title, failure), 'exited');
  }

  /** Forgets the agent: its questions are cancelled, its terminals ended, its turn interrupted (TR-9). */
  private leave(): void {
    const sessionId = this.liveSessionId;
    this.agent = undefined;
    this.liveSessionId = undefined;
    this.early = undefined;
    this.options.cancelPermissions();
    if (sessionId) this.options.releaseTerminals(sessionId);
  }

  private showFailure(banner: Banner, status: ConnectionStatus): void {
    this.store.dispatch({ type: 'bannerShown', banner });
    this.setConnection(status);
  }

  private setConnection(status: ConnectionStatus): void {
    this.store.dispatch({ type: 'connectionChanged', status, at: this.options.now() });
  }
}
