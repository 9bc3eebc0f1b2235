import type { ClientHandlers } from '../../acp/agentClient';
import type { LaunchPlan } from '../../acp/agentProcess';
import type { ConnectedAgent } from '../../acp/connectAgent';
import { isConnectionClosed } from '../../acp/wireErrors';
import type { AuthMethod } from '../../core/agents/introduction';
import { AgentError, WireError, type AgentFailure } from '../../core/errors';
import type { ModelCallEvent } from '../../core/session/turn';
import { EarlyTraffic } from './earlyTraffic';
import { scopedHandlers, type SharedPorts } from './scopedPorts';

/** Why a session lost its agent: it ended by itself, Parley ended it, or it is started again after a sign-in. */
export type Parting = AgentFailure | 'stopped' | 'signIn';

/** A session as its connection sees it. */
export interface LinkMember {
  readonly key: string;
  /** A `session/update`, in wire order; must not wait (SU-7). */
  takeUpdate(update: unknown): void;
  /** What the agent tells of a model call, in wire order; must not wait. */
  takeModelCall(event: ModelCallEvent): void;
  /** The agent is gone. */
  left(why: Parting): void;
  /** Someone signed in to the agent. */
  signedIn(): Promise<void>;
  /** Someone signed out (AU-11). */
  signedOut(): void;
}

export interface AgentLinkOptions {
  agentId: string;
  /** How to start the agent; undefined for a name that the settings don't know. */
  launchPlan(agentId: string, cwd: string): Promise<LaunchPlan | undefined>;
  connect(
    plan: LaunchPlan,
    agentId: string,
    handlers: ClientHandlers,
    aborted: AbortSignal,
  ): Promise<ConnectedAgent>;
  /** What serves that agent: files and terminals only in a trusted workspace (CC-8). */
  ports(agentId: string): SharedPorts;
  /** Runs the agent's own program with the method's arguments in a terminal; gives the exit code (AU-6..8). */
  signInInTerminal(plan: LaunchPlan, method: AuthMethod): Promise<number | undefined>;
  /** A session was opened, in that many ms. */
  opened?(agentId: string, ms: number): void;
  log: (line: string) => void;
  /** ms that a request for a session waits that is being opened; see `EarlyTraffic`. */
  earlyWait?: number;
}

let connections = 0;

/** One agent: at most one process, shared by all of its sessions; traffic goes to the session that it names. */
export class AgentLink {
  private agent: { connected: ConnectedAgent; plan: LaunchPlan } | undefined;
  private connecting: { done: Promise<ConnectedAgent>; abort: AbortController } | undefined;
  private stopping: Promise<void> | undefined;
  private readonly members = new Set<LinkMember>();
  private readonly routes = new Map<string, LinkMember>();
  private early: EarlyTraffic;
  private front: LinkMember | undefined;
  private closed = false;
  /** Sign-in terminals that are open, by their methods. */
  private readonly terminals = new Map<string, Promise<void>>();

  constructor(private readonly options: AgentLinkOptions) {
    this.early = new EarlyTraffic(options.log, options.earlyWait);
  }

  get agentId(): string {
    return this.options.agentId;
  }

  /** The agent, if it runs and has introduced itself. */
  get running(): ConnectedAgent | undefined {
    return this.agent?.connected;
  }

  join(member: LinkMember): void {
    this.members.add(member);
  }

  /** The last one to leave ends the agent. */
  async leave(member: LinkMember): Promise<void> {
    this.members.delete(member);
    if (this.front === member) this.front = undefined;
    for (const [sessionId, routed] of this.routes) if (routed === member) this.routes.delete(sessionId);
    if (this.members.size === 0) await this.stop();
  }

  /** Keeps the agent while it is still to be asked something; then it ends, if nobody else is left. */
  async during(work: () => Promise<void>): Promise<void> {
    const nothing = (): void => undefined;
    const signedIn = (): Promise<void> => Promise.resolve();
    const guest = {
      key: '',
      takeUpdate: nothing,
      takeModelCall: nothing,
      left: nothing,
      signedIn,
      signedOut: nothing,
    };
    this.join(guest);
    try {
      await work();
    } finally {
      await this.leave(guest);
    }
  }

  /** The session that shows what the agent asks outside of any session. */
  bringToFront(member: LinkMember): void {
    this.front = member;
  }

  /**
   * Starts the agent, unless it runs or is being started.
   *
   * @throws AgentError for each way in which that can fail.
   */
  async connect(cwd: string): Promise<ConnectedAgent> {
    while (this.stopping) await this.stopping;
    if (this.closed) throw new AgentError({ reason: 'aborted' });
    if (this.agent) return this.agent.connected;
    if (!this.connecting) {
      const abort = new AbortController();
      const done = this.start(cwd, abort.signal).finally(() => {
        if (this.connecting?.abort === abort) this.connecting = undefined;
      });
      this.connecting = { done, abort };
    }
    return this.connecting.done;
  }

  /** Ends the agent; all of its sessions are told why. */
  stop(why: 'stopped' | 'signIn' = 'stopped'): Promise<void> {
    return (this.stopping ??= this.end(why).finally(() => (this.stopping = undefined)));
  }

  /** Ends the agent for good, as when the window closes. */
  close(): Promise<void> {
    this.closed = true;
    return this.stop();
  }

  /** KILL to the whole tree, then the rest of the stop (CA-6). */
  async forceStop(): Promise<void> {
    this.agent?.connected.process.kill();
    await this.stop();
  }

  /** From now on traffic of this session goes to this member; what came early goes there first, in its order. */
  route(sessionId: string, member: LinkMember): void {
    this.routes.set(sessionId, member);
    this.early.opened(sessionId, member);
  }

  unroute(sessionId: string): void {
    this.routes.delete(sessionId);
  }

  /** Runs a request that opens a session. Until its answer, traffic for ids that nobody knows waits (SE-5). */
  async opening<T>(run: () => Promise<T>): Promise<T> {
    const from = Date.now();
    const result = await this.early.during(run);
    this.options.opened?.(this.agentId, Date.now() - from);
    return result;
  }

  /**
   * Signs in, then all sessions of the agent go on (RP-7).
   *
   * @throws what the agent answers; `SignInFailed` for a terminal that did not end with 0 (AU-8); AgentError if the agent is lost.
   */
  async signIn(methodId: string, cwd: string): Promise<void> {
    await this.connect(cwd);
    const { agent } = this;
    const method = agent?.connected.introduction.authMethods.find(({ id }) => id === methodId);
    if (!agent || !method || method.type === 'unknown') throw new SignInFailed(undefined);
    if (method.type === 'terminal') {
      await this.atTerminal(agent.plan, method);
    } else {
      await authenticate(agent.connected, methodId);
    }
    await Promise.all([...this.members].map((member) => member.signedIn()));
  }

  /** Signs out, where the agent can (AU-10). */
  async signOut(): Promise<void> {
    const { running } = this;
    if (!running?.introduction.abilities.logout) return;
    await running.client.logout();
    for (const member of this.members) member.signedOut();
  }

  /** A second click while the terminal is open waits for that one. */
  private atTerminal(plan: LaunchPlan, method: AuthMethod): Promise<void> {
    const { id } = method;
    const done =
      this.terminals.get(id) ?? this.runTerminal(plan, method).finally(() => this.terminals.delete(id));
    this.terminals.set(id, done);
    return done;
  }

  private async runTerminal(plan: LaunchPlan, method: AuthMethod): Promise<void> {
    const code = await this.options.signInInTerminal(plan, method);
    if (code !== 0) throw new SignInFailed(code);
    // A terminal sign-in is seen by a new process only (AU-9).
    await this.stop('signIn');
  }

  private async start(cwd: string, aborted: AbortSignal): Promise<ConnectedAgent> {
    const { options } = this;
    const plan = await options.launchPlan(options.agentId, cwd);
    if (!plan) throw new AgentError({ reason: 'unknownAgent' });
    if (aborted.aborted) throw new AgentError({ reason: 'aborted' });
    const connection = `${this.agentId}#${++connections}`;
    const ports = options.ports(options.agentId);
    const handlers = this.handlers(connection, ports);
    const connected = await options.connect(plan, options.agentId, handlers, aborted);
    if (aborted.aborted) {
      await connected.stop();
      throw new AgentError({ reason: 'aborted' });
    }
    this.agent = { connected, plan };
    void connected.lost.then((failure) => {
      ports.elicitation?.cancelConnection(connection);
      this.onLost(connected, failure);
    });
    return connected;
  }

  private handlers(connection: string, ports: SharedPorts): ClientHandlers {
    const scope = {
      connection,
      keyOf: async (sessionId: string, signal?: AbortSignal): Promise<string> => {
        const member = this.routes.get(sessionId) ?? (await this.early.wait(sessionId, signal));
        if (!member) throw WireError.notFound(`The session "${sessionId}"`, { sessionId });
        return member.key;
      },
      frontKey: () => (this.front ?? [...this.members].at(-1))?.key,
    };
    const session = {
      update: (sessionId: string, update: unknown): void => {
        const member = this.routes.get(sessionId);
        if (member) member.takeUpdate(update);
        else this.early.update(sessionId, update);
      },
      // There is none in a session that is still being opened.
      modelCall: (sessionId: string, event: ModelCallEvent): void =>
        this.routes.get(sessionId)?.takeModelCall(event),
    };
    return {
      ...scopedHandlers(ports, scope, session),
      onUnknownNotification: (method) => this.options.log(`ignored notification ${method}`),
    };
  }

  private onLost(connected: ConnectedAgent, failure: AgentFailure): void {
    if (this.agent?.connected !== connected) return; // We ended it ourselves.
    this.forget(failure);
  }

  private async end(why: 'stopped' | 'signIn'): Promise<void> {
    const { agent, connecting } = this;
    connecting?.abort.abort();
    this.forget(why);
    await agent?.connected.stop();
    // Its caller gets the failure.
    await connecting?.done.catch(() => undefined);
  }

  private forget(why: Parting): void {
    this.agent = undefined;
    this.routes.clear();
    this.early.clear();
    for (const member of [...this.members]) member.left(why);
  }
}

async function authenticate({ client, lost }: ConnectedAgent, methodId: string): Promise<void> {
  try {
    await client.authenticate(methodId);
  } catch (error) {
    throw isConnectionClosed(error) ? new AgentError(await lost) : error;
  }
}

/** A sign-in that did not work; `code` is the exit code of its terminal. */
export class SignInFailed extends Error {
  constructor(readonly code: number | undefined) {
    super('The sign-in failed.');
    this.name = 'SignInFailed';
  }
}
