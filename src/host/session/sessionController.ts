import type { SessionPlace } from '../../acp/agentClient';
import type { ConnectedAgent } from '../../acp/connectAgent';
import { errorCode, isConnectionClosed } from '../../acp/wireErrors';
import { ErrorCode, type McpServer } from '../../core/acp';
import { authMethodViews } from '../../core/agents/introduction';
import { toContentBlocks, type PromptContent } from '../../core/chat/contentBlocks';
import { AgentError, WireError, type AgentFailure } from '../../core/errors';
import { asObject, compact } from '../../core/json';
import type { DiffKeeper } from '../../core/session/intake';
import { isBusy } from '../../core/session/select';
import type { ConnectionStatus } from '../../core/session/state';
import type { ModelCallEvent } from '../../core/session/turn';
import { SignInFailed, type AgentLink, type LinkMember, type Parting } from './agentLink';
import { ConfigSetter } from './configSetter';
import { PromptQueue } from './promptQueue';
import { isSessionLost, toFailure, toSentence } from './sessionErrors';
import { SessionOpener } from './sessionOpener';
import { SignInWait } from './signInWait';
import type { SessionStore } from './sessionStore';
import type { SessionTexts } from './sessionTexts';
import { TurnRunner, type LiveSession, type TurnHooks } from './turnRunner';
import type { TurnResult } from './turnAnswer';

/** Where a session works: its folder, and the other folders of the workspace. */
export interface Place {
  cwd: string;
  others: readonly string[];
}

export interface SessionControllerOptions {
  /** Parley's id of the session. */
  key: string;
  store: SessionStore;
  link: AgentLink;
  texts: SessionTexts;
  /** Folder of a new session; `ask` false: undefined instead of asking the person. The folder of a session never changes (SE-23). */
  choosePlace(cwd: string | null, ask: boolean): Promise<Place | undefined>;
  /** The MCP servers for a session in a folder; what the agent can't use is told to the person. */
  mcpServers(agent: ConnectedAgent, cwd: string): Promise<McpServer[]>;
  /** Answers every open question of the session as cancelled (CA-3, EL-7). */
  cancelQuestions: () => void;
  /** Ends the terminals of the session (TE-13). */
  releaseTerminals(): void;
  /** Resolves when what happened so far is on disk. */
  recorded(): Promise<void>;
  keepDiff: DiffKeeper;
  changes: TurnHooks;
  log(line: string): void;
  newId(): string;
  now: () => number;
}

/** One session: opens it with its agent, runs prompt turns, and tells the store what happens. */
export class SessionController implements LinkMember {
  readonly queue: PromptQueue;
  private readonly store: SessionStore;
  private readonly turns: TurnRunner;
  private readonly config: ConfigSetter;
  private readonly opener: SessionOpener;
  /** The one place that knows whether the agent has the session open. */
  private open: LiveSession | undefined;
  private starting: Promise<void> | undefined;
  private closed = false;
  private readonly signInWait = new SignInWait();
  /** The session is opened after the sign-in, whatever state it is in: it asked for it, or lost its agent by it. */
  private goesOn = false;
  /** The agent that the last start met. */
  private met: ConnectedAgent | undefined;

  constructor(private readonly options: SessionControllerOptions) {
    const { store, texts, now, cancelQuestions, changes } = options;
    this.store = store;
    const live = (): LiveSession | undefined => this.open;
    this.turns = new TurnRunner({
      store,
      texts,
      live,
      now,
      cancelQuestions,
      changes,
      signIn: () => this.signInAgain(),
    });
    this.config = new ConfigSetter(store, live);
    this.opener = new SessionOpener({
      member: this,
      store,
      link: options.link,
      texts,
      keepDiff: options.keepDiff,
      onOpened: (opened) => (this.open = opened),
      log: (line) => options.log(line),
    });
    this.queue = new PromptQueue({
      store,
      isBusy: () => isBusy(store.state),
      send: ({ id, ...content }) => this.send(content, { queued: id }),
      cancelTurn: () => this.stopTurn(),
      removed: () => texts.removedFromQueue(),
      newId: () => options.newId(),
    });
    options.link.join(this);
  }

  get key(): string {
    return this.options.key;
  }

  /** The session as the agent has it; undefined while it has not. */
  get live(): LiveSession | undefined {
    return this.open;
  }

  /** True for a session that was opened from the agent's list. */
  get fromAgent(): boolean {
    return this.opener.agentsOwn;
  }

  /** Connects and opens the session, unless that is done or under way. Failures end in a banner, not in an exception. */
  async ensureConnected(ask = true): Promise<void> {
    this.options.link.bringToFront(this);
    if (!this.starting && (this.open || this.store.state.connection.status === 'auth')) return;
    return this.startOnce(ask);
  }

  private startOnce(ask: boolean): Promise<void> {
    return (this.starting ??= this.start(ask).finally(() => (this.starting = undefined)));
  }

  /** Takes a session that only the agent knows; `ensureConnected` opens it, and its replay is what is shown (SE-8, SE-19). */
  choose({ sessionId, cwd, title }: { sessionId: string; cwd: string | null; title: string | null }): void {
    this.opener.agentsOwn = true;
    this.store.dispatch({ type: 'sessionChosen', sessionId, cwd, title });
  }

  /** Loads the session from the agent once more; the replay replaces what is shown. */
  async reload(): Promise<void> {
    const { open } = this;
    if (!open?.agent.introduction.abilities.load || isBusy(this.store.state) || this.starting) return;
    this.starting = this.guarded(async () => {
      const place = await this.options.choosePlace(this.store.state.cwd, false);
      if (place) await this.opener.load(open.agent, open.sessionId, await this.request(open.agent, place));
    }).finally(() => (this.starting = undefined));
    await this.starting;
  }

  /** Starts the agent again; the transcript stays. */
  async restart(): Promise<void> {
    await this.options.link.stop();
    await this.starting;
    await this.ensureConnected();
  }

  /** Kills an agent that does not stop, and starts it again (CA-6). */
  async forceStop(): Promise<void> {
    await this.options.link.forceStop();
    await this.starting;
    await this.ensureConnected();
  }

  /**
   * Runs one prompt turn; connects first where needed, and waits in the queue while another turn runs.
   *
   * @param taken Told when the prompt is the session's: sent or queued.
   * @throws Error with a sentence for the person if the prompt was not taken, or if its turn failed.
   */
  async prompt(content: PromptContent, taken: () => void = () => undefined): Promise<TurnResult> {
    if (!isBusy(this.store.state)) await this.ensureConnected();
    if (!isBusy(this.store.state)) return this.send(content, { taken });
    const done = this.queue.add({ text: content.text, attachments: [...content.attachments] });
    taken();
    return done;
  }

  private async send(
    content: PromptContent,
    { taken, queued }: { taken?: () => void; queued?: string },
  ): Promise<TurnResult> {
    if (queued !== undefined) await this.ensureConnected();
    const { state } = this.store;
    const { texts } = this.options;
    if (!this.open || state.connection.status !== 'ready')
      throw new Error(state.banner?.message ?? this.whyNot());
    const { wire, views } = texts.toBlocks(
      () => toContentBlocks(content, state.abilities),
      state.agent.title,
    );
    const at = this.options.now();
    this.opener.replayIsOver();
    this.store.dispatch({ type: 'promptSubmitted', blocks: views, at, ...compact({ queued }) });
    taken?.();
    try {
      // After a crash a queued prompt must not be in the queue still, though the agent has it.
      if (queued !== undefined) await this.options.recorded();
      const result = await this.turns.run(wire);
      this.afterTurn(result.stopReason !== 'cancelled' && result.stopReason !== 'refusal');
      return result;
    } catch (error) {
      this.afterTurn(false);
      const { cause } = asObject(error);
      if (errorCode(cause) === ErrorCode.authRequired) this.setConnection('auth');
      if (isSessionLost(cause)) this.release('none');
      throw error;
    }
  }

  private whyNot(): string {
    const { agent, connection } = this.store.state;
    const { texts } = this.options;
    return connection.status === 'auth' ? texts.signInFirst(agent.title) : texts.notConnected(agent.title);
  }

  /** The next prompt goes out after those who wait for this turn were told. */
  private afterTurn(well: boolean): void {
    setImmediate(() => this.queue.turnEnded(well));
  }

  /** Asks the agent to stop the turn; what is queued waits for the person. */
  cancelTurn(): void {
    if (this.stopTurn()) this.queue.stop();
  }

  private stopTurn(): boolean {
    const stopped = this.turns.cancel();
    if (stopped) this.signInWait.settle(new WireError(ErrorCode.cancelled, 'The turn was cancelled.'));
    return stopped;
  }

  /** Sets a control of the composer; shown at once, taken back if the agent refuses (CF-9). */
  async setConfig(id: string, value: string | boolean): Promise<void> {
    await this.config.set(id, value);
  }

  /** Signs in by a method of the agent, then goes on with what was refused. */
  async authenticate(methodId: string): Promise<void> {
    const { link, texts } = this.options;
    link.bringToFront(this);
    const place = await this.options.choosePlace(this.store.state.cwd, true);
    if (!place) return;
    // The agent may go away while the person is at the terminal.
    this.goesOn = true;
    try {
      await link.signIn(methodId, place.cwd);
    } catch (error) {
      this.goesOn = false;
      const { title } = this.store.state.agent;
      if (error instanceof SignInFailed) throw new Error(texts.signInFailed(title, error.code));
      if (error instanceof AgentError) throw new Error(texts.failureError(title, error.failure).message);
      throw toSentence(error);
    }
  }

  /** Closes the session with the agent, if that is wanted and it can (SE-12); the transcript stays. */
  async close({ tellAgent }: { tellAgent: boolean }): Promise<void> {
    const { open } = this;
    this.closed = true;
    this.queue.close();
    this.stopTurn();
    this.release('none');
    if (tellAgent && open?.agent.introduction.abilities.close) await this.opener.close(open);
    this.turns.abandon();
    await this.options.link.leave(this);
  }

  takeUpdate(update: unknown): void {
    this.opener.take(update, this.options.now());
  }

  takeModelCall(event: ModelCallEvent): void {
    if (isBusy(this.store.state)) this.store.dispatch({ ...event, at: this.options.now() });
  }

  left(why: Parting): void {
    const { status } = this.store.state.connection;
    const knew = status !== 'none' && status !== 'exited';
    this.release(undefined);
    if (why === 'signIn') {
      this.goesOn ||= knew;
      return;
    }
    const { agent } = this.store.state;
    const { texts } = this.options;
    const sentence =
      why === 'stopped' ? texts.signInFirst(agent.title) : texts.failureError(agent.title, why).message;
    this.signInWait.settle(new Error(sentence));
    if (!knew) return;
    if (why === 'stopped') this.setConnection('none');
    else this.showFailure(why, 'exited');
  }

  async signedIn(): Promise<void> {
    // One that is under way may still meet the refusal, or the process that was ended.
    await this.starting;
    const goesOn = this.goesOn || this.store.state.connection.status === 'auth';
    this.goesOn = false;
    if (!goesOn || this.closed) return;
    this.store.dispatch({ type: 'bannerShown', banner: null });
    if (this.open) this.setConnection('ready');
    else await this.startOnce(true);
    const { banner, connection } = this.store.state;
    if (this.open) this.signInWait.settle();
    else if (connection.status !== 'auth')
      this.signInWait.settle(new Error(banner?.message ?? this.whyNot()));
  }

  signedOut(): void {
    if (this.open) this.setConnection('auth');
  }

  /** A request during a turn was refused for want of a sign-in: the turn waits for the person (RP-7). */
  private signInAgain(): Promise<void> {
    this.setConnection('auth');
    return this.signInWait.wait();
  }

  private async start(ask: boolean): Promise<void> {
    const { store, options } = this;
    await this.guarded(async () => {
      const place = await options.choosePlace(store.state.cwd, ask);
      if (!place || this.closed) return;
      store.dispatch({ type: 'bannerShown', banner: null });
      this.setConnection('connecting');
      const agent = await options.link.connect(place.cwd);
      this.met = agent;
      this.introduce(agent);
      const request = await this.request(agent, place);
      if (this.closed) return;
      await options.link.opening(() => this.opener.pickUp(agent, request));
      if (this.closed) return this.giveBack();
      this.setConnection('ready');
      await this.config.restore();
    });
  }

  /** The session was closed before the agent had it open. */
  private async giveBack(): Promise<void> {
    const { open } = this;
    this.open = undefined;
    if (!open) return;
    this.options.link.unroute(open.sessionId);
    if (open.agent.introduction.abilities.close) await this.opener.close(open);
  }

  private introduce({ introduction }: ConnectedAgent): void {
    const { title, name, version, authMethods, abilities } = introduction;
    this.store.dispatch({
      type: 'agentIntroduced',
      title: title ?? name ?? this.store.state.agent.id,
      authMethods: authMethodViews(authMethods),
      abilities,
      ...compact({ name, version }),
    });
  }

  private async request(agent: ConnectedAgent, { cwd, others }: Place): Promise<SessionPlace> {
    const mcpServers = await this.options.mcpServers(agent, cwd);
    const more = agent.introduction.additionalDirectories && others.length > 0;
    return { cwd, mcpServers, ...(more ? { additionalDirectories: [...others] } : {}) };
  }

  /** Runs a step of the start; what it throws becomes a banner. */
  private async guarded(step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      if (errorCode(error) === ErrorCode.authRequired) this.setConnection('auth');
      // `left` tells it, which is called before the loss is known here.
      else if (isConnectionClosed(error)) await this.met?.lost;
      else this.showStartFailure(toFailure(error));
    }
  }

  private showStartFailure(failure: AgentFailure): void {
    if (failure.reason === 'aborted') this.setConnection('none');
    else if (failure.reason === 'unknownAgent') this.showFailure(failure, 'none');
    else this.showFailure(failure, this.options.link.running ? 'ready' : 'exited');
  }

  /** Forgets that the agent has the session: its questions are cancelled, its terminals ended. */
  private release(status: ConnectionStatus | undefined): void {
    this.open = undefined;
    this.opener.replayIsOver();
    this.opener.displays.dispose();
    this.options.cancelQuestions();
    this.options.releaseTerminals();
    if (status) this.setConnection(status);
  }

  private showFailure(failure: AgentFailure, status: ConnectionStatus): void {
    const { title } = this.store.state.agent;
    this.store.dispatch({ type: 'bannerShown', banner: this.options.texts.failureBanner(title, failure) });
    this.setConnection(status);
  }

  private setConnection(status: ConnectionStatus): void {
    this.store.dispatch({ type: 'connectionChanged', status, at: this.options.now() });
  }
}
