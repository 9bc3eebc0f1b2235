import type { SessionPlace } from '../../acp/agentClient';
import type { ConnectedAgent } from '../../acp/connectAgent';
import { errorCode, isConnectionClosed } from '../../acp/wireErrors';
import { ErrorCode } from '../../core/acp';
import { AgentError, toErrorView } from '../../core/errors';
import { asObject, asString } from '../../core/json';
import type { SessionUpdate } from '../../core/session/actions';
import { readSessionConfig } from '../../core/session/config';
import { meantBy } from '../../core/session/habits';
import { readUpdate, type DiffKeeper } from '../../core/session/intake';
import { isBusy } from '../../core/session/select';
import { DisplayTerminals } from '../terminal/displayTerminals';
import type { AgentLink, LinkMember } from './agentLink';
import { Replay, withoutTranscript } from './replay';
import type { SessionStore } from './sessionStore';
import type { SessionTexts } from './sessionTexts';
import type { LiveSession } from './turnRunner';

/** ms that the answer to `session/close` is waited for. */
const MAX_CLOSE = 2_000;

export interface SessionOpenerOptions {
  member: LinkMember;
  store: SessionStore;
  link: AgentLink;
  texts: SessionTexts;
  keepDiff: DiffKeeper;
  /** Told before anything that waited for the session goes on. */
  onOpened(live: LiveSession): void;
  log(line: string): void;
}

/** Opens a session with its agent by `session/resume`, `session/load` or `session/new`. */
export class SessionOpener {
  /** True for a session that only the agent knows: without it there is nothing to show. */
  agentsOwn = false;
  /** The terminals that the agent runs itself. */
  readonly displays: DisplayTerminals;
  private readonly loggedKinds = new Set<string>();
  private replay: Replay | undefined;
  /** A load that was answered before its replay came: some agents go on replaying until the next prompt (SE-8). */
  private replayIsLate = false;

  constructor(private readonly options: SessionOpenerOptions) {
    this.displays = new DisplayTerminals(() => this.replay?.store ?? options.store);
  }

  /** Applies a `session/update` where it belongs; `at`: ms since the epoch. */
  take(value: unknown, at: number): void {
    const update = meantBy(readUpdate(value, this.options.keepDiff), this.options.store.state.agent);
    if (update.kind === 'unknown') this.logOnce(update.name);
    const meta = asObject(asObject(value)['_meta']);
    const kept = Object.keys(meta).length > 0 ? { meta } : {};
    this.target(update).dispatch({ type: 'update', update, at, ...kept });
    if (update.kind === 'toolCall' || update.kind === 'toolCallUpdate') this.displays.take(meta, at);
  }

  private logOnce(kind: string): void {
    if (this.loggedKinds.has(kind)) return;
    this.loggedKinds.add(kind);
    this.options.log(`unknown kind of update: ${kind}`);
  }

  /** Where an update goes: aside while a load is under way, else to the transcript. */
  private target(update: SessionUpdate): SessionStore {
    const { store } = this.options;
    if (this.replay) return this.replay.store;
    if (this.replayIsLate && update.kind === 'chunk' && !isBusy(store.state)) {
      // Only a replay begins with words of the person.
      if (update.role === 'user') store.reset(withoutTranscript(store.state));
      this.replayIsLate = false;
    }
    return store;
  }

  /** What comes from now on is news. */
  replayIsOver(): void {
    this.replay = undefined;
    this.replayIsLate = false;
  }

  /** Resumes the session, else loads it, else begins a new one and says so. */
  async pickUp(agent: ConnectedAgent, request: SessionPlace): Promise<void> {
    const { sessionId } = this.options.store.state;
    const { resume, load } = agent.introduction.abilities;
    if (sessionId !== null) {
      const ways = [
        ...(resume ? [() => this.resume(agent, sessionId, request)] : []),
        ...(load ? [() => this.load(agent, sessionId, request)] : []),
      ];
      // Without a transcript of our own the replay is what counts.
      if (this.options.store.state.entries.length === 0) ways.reverse();
      for (const way of ways) if (await this.tried(sessionId, way)) return;
      if (this.agentsOwn) throw new AgentError({ reason: 'sessionLost' });
    }
    await this.create(agent, request);
  }

  /**
   * Closes a session; an agent that does not know it any more has nothing to close (SE-13), and one that does not answer is not
   * waited for.
   */
  async close({ agent, sessionId }: LiveSession): Promise<void> {
    const closed = agent.client
      .closeSession(sessionId)
      .catch((error: unknown) => this.options.log(`session/close: ${toErrorView(error).message}`));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, MAX_CLOSE)));
    await Promise.race([closed, late]).finally(() => clearTimeout(timer));
  }

  private async tried(sessionId: string, way: () => Promise<void>): Promise<boolean> {
    try {
      await way();
      return true;
    } catch (error) {
      this.replay = undefined;
      this.options.link.unroute(sessionId);
      if (isConnectionClosed(error) || errorCode(error) === ErrorCode.authRequired) throw error;
      this.options.log(`the session ${sessionId} was not picked up: ${toErrorView(error).message}`);
      return false;
    }
  }

  private async resume(agent: ConnectedAgent, sessionId: string, request: SessionPlace): Promise<void> {
    this.options.link.route(sessionId, this.options.member);
    const answer = await agent.client.resumeSession(sessionId, request);
    this.opened(agent, sessionId, request, { answer, fresh: false });
  }

  /** The replay is gathered aside and takes the transcript's place at the end, if there is one (SE-8, client-duties e, 39). */
  async load(agent: ConnectedAgent, sessionId: string, request: SessionPlace): Promise<void> {
    const { store } = this.options;
    const replay = new Replay(store.state);
    this.replay = replay;
    this.options.link.route(sessionId, this.options.member);
    try {
      const answer = await agent.client.loadSession(sessionId, request);
      // A turn that waits for its sign-in is not in the agent's memory yet.
      const keeps = replay.isEmpty || isBusy(store.state);
      this.replayIsLate = replay.isEmpty && !isBusy(store.state);
      if (!keeps) store.reset(replay.result(store.state));
      else for (const action of replay.side) store.dispatch(action);
      this.replay = undefined;
      this.opened(agent, sessionId, request, { answer, fresh: false });
    } finally {
      this.replay = undefined;
    }
  }

  private async create(agent: ConnectedAgent, request: SessionPlace): Promise<void> {
    const fresh = this.options.store.state.entries.length === 0;
    const answer = asObject(await agent.client.newSession(request));
    const sessionId = asString(answer['sessionId']);
    if (sessionId === undefined) throw new AgentError({ reason: 'badInitializeAnswer' });
    this.opened(agent, sessionId, request, { answer, fresh });
    if (fresh) return;
    const { agent: shown, entries } = this.options.store.state;
    const title = this.options.texts.startsWithoutMemory(shown.title);
    // Not again where nothing was said since.
    const last = entries.findLast(
      (entry) => entry.kind === 'user' || (entry.kind === 'notice' && entry.title === title),
    );
    if (last?.kind !== 'notice')
      this.options.store.dispatch({ type: 'noticeShown', severity: 'info', title });
  }

  private opened(
    agent: ConnectedAgent,
    sessionId: string,
    { cwd, additionalDirectories = [] }: SessionPlace,
    { answer, fresh }: { answer: unknown; fresh: boolean },
  ): void {
    this.options.onOpened({ agent, sessionId, roots: [cwd, ...additionalDirectories] });
    const read = readSessionConfig(answer);
    // An answer without options leaves those that an update brought before it.
    const config = read.length > 0 || fresh ? read : this.options.store.state.config;
    this.options.store.dispatch({ type: 'sessionOpened', sessionId, cwd, config, fresh });
    this.options.link.route(sessionId, this.options.member);
  }
}
