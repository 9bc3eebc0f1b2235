import { toErrorView } from '../../core/errors';
import { Emitter } from '../../core/emitter';
import type { SessionBadge, SessionList, SessionRow } from '../../core/chat/sessionRow';
import type { SessionAction } from '../../core/session/actions';
import { badgeOf, isBusy } from '../../core/session/select';
import type { SessionState } from '../../core/session/state';
import { titleOf } from '../../core/session/title';
import type { KeptSession } from '../history/history';
import type { AgentLinks } from './agentLinks';
import { listAgentSessions, type ListedSession } from './agentSessions';
import type { SessionController } from './sessionController';
import type { SessionStore } from './sessionStore';

/** A session that is open in this window. */
export interface OpenSession {
  readonly key: string;
  readonly store: SessionStore;
  readonly controller: SessionController;
}

export interface ShownLast {
  key: string;
  agentId: string;
}

/** The part of the history that the sessions need. */
export interface Archive {
  list(): Promise<KeptSession[]>;
  load(key: string): Promise<SessionState | undefined>;
  remove(key: string): Promise<void>;
  /** The session that the panel showed last; it may have no more than a draft. */
  lastShown(): Promise<ShownLast | undefined>;
  setLastShown(shown: ShownLast): void;
}

export interface SessionsOptions {
  /** Makes a session; `start` is an agent's id or the state of a kept session. Its recording begins with it. */
  build(key: string, start: string | SessionState): OpenSession & { stopRecording(): Promise<void> };
  archive: Archive;
  links: AgentLinks;
  defaultAgent(): string;
  newKey(): string;
  /** The folder that agents are asked about. */
  folder(): string | undefined;
  /** A sentence for a list that an agent did not give. */
  listFailed(agent: string, reason: string): string;
  log(line: string): void;
  now(): number;
}

type Built = ReturnType<SessionsOptions['build']>;

interface Held {
  session: Built;
  /** False where a turn ended while another session was shown. */
  seen: boolean;
  badge: SessionBadge;
  /** ms since the epoch of the last prompt or turn end. */
  touchedAt: number | null;
}

interface OnAgent {
  agentId: string;
  agentTitle: string;
  session: ListedSession;
}

/** All sessions of the window: those that are open, those on disk, those that only an agent knows. One of them is shown. */
export class Sessions {
  private readonly held = new Map<string, Held>();
  private kept: KeptSession[] = [];
  private onAgents: OnAgent[] = [];
  private agents: string[] = [];
  private loading = 0;
  private problem: string | null = null;
  private shown: Held | undefined;
  private restoring: Promise<void> | undefined;

  private readonly dispatched = new Emitter<{ session: OpenSession; action: SessionAction }>();
  private readonly replaced = new Emitter<{ from: string; to: string }>();
  private readonly switched = new Emitter<void>();
  private readonly listed = new Emitter<void>();
  /** An action of any session, after it was applied. */
  readonly onDidDispatch = this.dispatched.event;
  /** Another session is shown, or the shown one has another state altogether. */
  readonly onDidSwitch = this.switched.event;
  readonly onDidChangeList = this.listed.event;
  /** Keys: a session is about to take the place of one that was never used, and what was written there goes with it. */
  readonly onDidReplace = this.replaced.event;

  constructor(private readonly options: SessionsOptions) {}

  /** The session that the panel shows. */
  get current(): OpenSession {
    this.shown ??= this.hold(this.options.newKey(), this.options.defaultAgent());
    return this.shown.session;
  }

  get state(): SessionState {
    return this.current.store.state;
  }

  find(key: string): OpenSession | undefined {
    return this.held.get(key)?.session;
  }

  /** Brings back, once, the session that was shown last. */
  restore(): Promise<void> {
    return (this.restoring ??= this.readKept());
  }

  /** The agents of the settings, for every session. */
  setAgents(agents: string[]): void {
    this.agents = agents;
    for (const { session } of this.held.values()) session.store.dispatch({ type: 'agentsListed', agents });
  }

  /** Shows a session of the list; the one that was shown goes on. */
  async show(key: string): Promise<void> {
    const isShown = this.shown?.session.key === key;
    const held = this.held.get(key) ?? (await this.revive(key));
    if (!held) return;
    this.bring(held);
    const { controller, store } = held.session;
    const asked = this.onAgents.some((item) => isSame(item, store.state));
    // Choosing what is shown already asks the agent for it again: it may have gone on elsewhere.
    if (isShown && asked && controller.live) return controller.reload();
    await controller.ensureConnected();
  }

  /** Shows an empty session, with the agent of the shown one unless another is given. */
  async create(agentId?: string): Promise<void> {
    const { agent } = this.state;
    const wanted = agentId ?? agent.id;
    const unused = this.shown && isUnused(this.shown.session) ? this.shown : undefined;
    if (!unused || agent.id !== wanted) {
      const next = this.hold(this.options.newKey(), wanted);
      if (unused) this.replaced.fire({ from: unused.session.key, to: next.session.key });
      this.bring(next);
      // One that was never used leaves no trace.
      if (unused) await this.drop(unused, { tellAgent: true });
    }
    await this.current.controller.ensureConnected();
  }

  /** Closes a session: the agent may forget it, the transcript stays in the list. */
  async close(key: string): Promise<void> {
    const held = this.held.get(key);
    if (!held) return;
    const shown = this.showAnother(held);
    await this.drop(held, { tellAgent: true });
    await shown;
    await this.refreshKept();
  }

  /** Deletes a session for good: here, and with the agent where it can (SE-20). */
  async remove(key: string): Promise<void> {
    const row = this.rows().find((item) => item.key === key);
    const held = this.held.get(key);
    const shown = held && this.showAnother(held);
    if (held) await this.drop(held, { tellAgent: true });
    await this.options.archive.remove(key);
    if (row?.sessionId != null) await this.removeFromAgent(row.agentId, row.sessionId);
    await shown;
    await this.refreshKept();
  }

  /** Reads the list anew: what is on disk, and what the running agents have. */
  async refresh(): Promise<void> {
    this.loading++;
    this.problem = null;
    this.listed.fire();
    try {
      await this.refreshKept();
      this.onAgents = await this.askAgents();
    } finally {
      this.loading--;
      this.listed.fire();
    }
  }

  list(): SessionList {
    return { rows: this.rows(), loading: this.loading > 0, problem: this.problem };
  }

  /** Signs out of the agent of the shown session. */
  async signOut(): Promise<void> {
    await this.options.links.get(this.state.agent.id).signOut();
  }

  /** Starts the agents again, as after a change of what they may do; other sessions than the shown one follow when shown. */
  async restartAgents(): Promise<void> {
    await this.options.links.stop();
    await this.current.controller.ensureConnected(false);
  }

  /** Ends all agents for good; the sessions stay as they are. */
  async stop(): Promise<void> {
    await this.options.links.close();
  }

  private hold(key: string, start: string | SessionState): Held {
    const session = this.options.build(key, start);
    // Before anybody listens: this session may be on its way to be the shown one.
    session.store.dispatch({ type: 'agentsListed', agents: this.agents });
    const held: Held = { session, seen: true, badge: 'idle', touchedAt: null };
    this.held.set(key, held);
    session.store.onDidDispatch((action) => this.onAction(held, action));
    session.store.onDidReset(() => {
      if (this.shown === held) this.switched.fire();
    });
    return held;
  }

  private onAction(held: Held, action: SessionAction): void {
    this.dispatched.fire({ session: held.session, action });
    // They come by the thousand, and change no row.
    if (action.type === 'terminalScreen') return;
    if (action.type === 'update' && action.update.kind !== 'info') return;
    if (action.type === 'promptSubmitted' || action.type === 'turnEnded' || action.type === 'turnFailed') {
      held.touchedAt = action.at;
      held.seen = this.shown === held || action.type === 'promptSubmitted';
    }
    held.badge = badgeOf(held.session.store.state, held.seen);
    this.listed.fire();
  }

  private bring(held: Held): void {
    held.seen = true;
    held.badge = badgeOf(held.session.store.state, true);
    if (this.shown !== held) {
      this.shown = held;
      this.remember(held);
      this.switched.fire();
    }
    this.listed.fire();
  }

  private remember({ session: { key, store } }: Held): void {
    this.options.archive.setLastShown({ key, agentId: store.state.agent.id });
  }

  private async readKept(): Promise<void> {
    await this.refreshKept();
    const last = await this.options.archive.lastShown();
    const held = last && (await this.bringBack(last));
    // The page may have asked for the shown session first, and got an empty one to begin with.
    const { shown } = this;
    if (held && (!shown || isUnused(shown.session))) {
      this.bring(held);
      if (shown) await this.drop(shown, { tellAgent: false });
    }
    this.shown ??= this.hold(this.options.newKey(), this.options.defaultAgent());
    this.remember(this.shown);
  }

  /** One without a transcript comes back empty: its draft is kept under its key. */
  private async bringBack({ key, agentId }: ShownLast): Promise<Held> {
    const known = this.agents.includes(agentId) ? agentId : this.options.defaultAgent();
    return (await this.revive(key)) ?? this.held.get(key) ?? this.hold(key, known);
  }

  /** Opens a session that is on disk or with an agent. */
  private async revive(key: string): Promise<Held | undefined> {
    if (this.kept.some((item) => item.key === key)) {
      const state = await this.options.archive.load(key);
      const known = this.held.get(key);
      if (known || state) return known ?? this.hold(key, state ?? this.options.defaultAgent());
    }
    const found = this.onAgents.find((item) => keyOf(item) === key);
    if (!found) return undefined;
    // A second click comes before the page has the row's new key.
    const open = [...this.held.values()].find(({ session }) => isSame(found, session.store.state));
    if (open) return open;
    const held = this.hold(this.options.newKey(), found.agentId);
    const { sessionId, cwd, title } = found.session;
    held.session.controller.choose({ sessionId, cwd, title });
    return held;
  }

  /** Another session is shown before this gives its promise; what that waits for must not hold up the one that leaves. */
  private async showAnother(leaving: Held): Promise<void> {
    if (this.shown !== leaving) return;
    const others = [...this.held.values()].filter((held) => held !== leaving);
    const next = others.sort((a, b) => (b.touchedAt ?? 0) - (a.touchedAt ?? 0))[0];
    this.bring(next ?? this.hold(this.options.newKey(), leaving.session.store.state.agent.id));
    await this.current.controller.ensureConnected(false);
  }

  private async drop(held: Held, how: { tellAgent: boolean }): Promise<void> {
    this.held.delete(held.session.key);
    await held.session.controller.close(how);
    await held.session.stopRecording();
  }

  private async refreshKept(): Promise<void> {
    this.kept = await this.options.archive.list();
    this.listed.fire();
  }

  private async askAgents(): Promise<OnAgent[]> {
    const cwd = this.options.folder();
    if (cwd === undefined) return [];
    const asked = this.options.links.running().map(async ({ agentId, agent }): Promise<OnAgent[]> => {
      const { introduction, client } = agent;
      if (!introduction.abilities.list) return [];
      const agentTitle = introduction.title ?? introduction.name ?? agentId;
      try {
        const sessions = await listAgentSessions(client, cwd);
        return sessions.map((session) => ({ agentId, agentTitle, session }));
      } catch (error) {
        this.problem = this.options.listFailed(agentTitle, toErrorView(error).message);
        return this.onAgents.filter((item) => item.agentId === agentId);
      }
    });
    return (await Promise.all(asked)).flat();
  }

  private async removeFromAgent(agentId: string, sessionId: string): Promise<void> {
    this.onAgents = this.onAgents.filter(
      (item) => item.agentId !== agentId || item.session.sessionId !== sessionId,
    );
    const running = this.options.links.running().find((link) => link.agentId === agentId)?.agent;
    if (!running?.introduction.abilities.delete) return;
    // An agent that does not know it any more has nothing to delete (RP-8).
    await running.client
      .deleteSession(sessionId)
      .catch((error: unknown) => this.options.log(`session/delete: ${toErrorView(error).message}`));
  }

  private rows(): SessionRow[] {
    const open = [...this.held.values()].map((held) => this.openRow(held));
    const kept = this.kept.filter(({ key }) => !this.held.has(key)).map(keptRow);
    const known = new Set([...open, ...kept].map((row) => `${row.agentId}\n${row.sessionId ?? ''}`));
    const onAgents = this.onAgents
      .filter(({ agentId, session }) => !known.has(`${agentId}\n${session.sessionId}`))
      .map(agentRow);
    return [...open, ...kept, ...onAgents].sort((a, b) => (b.updatedAt ?? 0) - (a.updatedAt ?? 0));
  }

  private openRow(held: Held): SessionRow {
    const { key, store } = held.session;
    const { state } = store;
    const listed = this.onAgents.find((item) => isSame(item, state))?.session;
    const said = Date.parse(state.updatedAt ?? '');
    return {
      key,
      sessionId: state.sessionId,
      agentId: state.agent.id,
      agentTitle: state.agent.title,
      title: titleOf(state) ?? listed?.title ?? null,
      badge: held.badge,
      updatedAt: Number.isNaN(said) ? (held.touchedAt ?? listed?.updatedAt ?? this.options.now()) : said,
      current: this.shown === held,
      origin: 'open',
    };
  }
}

const keyOf = ({ agentId, session }: OnAgent): string => `agent:${agentId}:${session.sessionId}`;

const isSame = ({ agentId, session }: OnAgent, state: SessionState): boolean =>
  agentId === state.agent.id && session.sessionId === state.sessionId;

/** True for a session in which nothing happened yet. */
function isUnused({ store: { state }, controller }: OpenSession): boolean {
  return (
    !controller.fromAgent && state.entries.length === 0 && !isBusy(state) && state.queue.items.length === 0
  );
}

const keptRow = (kept: KeptSession): SessionRow => closedRow(kept, 'kept');

function agentRow(item: OnAgent): SessionRow {
  const { agentId, agentTitle, session } = item;
  return closedRow({ ...session, key: keyOf(item), agentId, agentTitle }, 'agent');
}

/** The row of a session that is not open: nothing happens in it. */
function closedRow(
  known: Omit<SessionRow, 'badge' | 'current' | 'origin'>,
  origin: SessionRow['origin'],
): SessionRow {
  const { key, sessionId, agentId, agentTitle, title, updatedAt } = known;
  return { key, sessionId, agentId, agentTitle, title, updatedAt, badge: 'idle', current: false, origin };
}
