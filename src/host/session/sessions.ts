import { toErrorView } from '../../core/errors';
import { Emitter } from '../../core/emitter';
import type { SessionBadge, SessionList, SessionRow } from '../../core/chat/sessionRow';
import type { SessionAction } from '../../core/session/actions';
import { badgeOf } from '../../core/session/select';
import type { SessionState } from '../../core/session/state';
import type { KeptSession } from '../history/history';
import type { AgentLinks } from './agentLinks';
import type { Archive, ShownLast } from './archive';
import { deleteOnAgent, isSame, keyOf, listOnAgents, type OnAgent } from './agentSessions';
import { Pages, VIEW } from './pages';
import type { SessionController } from './sessionController';
import { isUnused, rowsOf } from './sessionRows';
import type { SessionStore } from './sessionStore';

/** A session that is open in this window. */
export interface OpenSession {
  readonly key: string;
  readonly store: SessionStore;
  readonly controller: SessionController;
}

export interface SessionsOptions {
  /** Makes a session; `start` is an agent's id or the state of a kept session. Its recording begins with it. */
  build(key: string, start: string | SessionState): OpenSession & { stopRecording(): Promise<void> };
  archive: Archive;
  links: AgentLinks;
  defaultAgent(): string;
  newKey(): string;
  /** The folder that agents are asked about. */
  folder: () => string | undefined;
  /** A sentence for a list that an agent did not give. */
  listFailed: (agent: string, reason: string) => string;
  log: (line: string) => void;
  now(): number;
}

type Built = ReturnType<SessionsOptions['build']>;

interface Held {
  session: Built;
  /** False where a turn ended while no page showed the session. */
  seen: boolean;
  badge: SessionBadge;
  /** ms since the epoch of the last prompt or turn end. */
  touchedAt: number | null;
}

/** All sessions of the window: those that are open, those on disk, those that only an agent knows. Each page shows one of them. */
export class Sessions {
  private readonly held = new Map<string, Held>();
  private kept: KeptSession[] = [];
  private onAgents: OnAgent[] = [];
  private agents: string[] = [];
  private loading = 0;
  private problem: string | null = null;
  private restoring: Promise<void> | undefined;

  private readonly dispatched = new Emitter<{ session: OpenSession; action: SessionAction }>();
  private readonly replaced = new Emitter<{ from: string; to: string }>();
  private readonly switched = new Emitter<void>();
  private readonly shown = new Emitter<string>();
  private readonly revealed = new Emitter<string>();
  private readonly listed = new Emitter<void>();
  /** An action of any session, after it was applied. */
  readonly onDidDispatch = this.dispatched.event;
  /** The person is with another session, or that has another state altogether. */
  readonly onDidSwitch = this.switched.event;
  /** A page: it shows another session, or that has another state altogether. */
  readonly onDidShow = this.shown.event;
  /** A page: the person asked elsewhere for the session that it shows. */
  readonly onDidReveal = this.revealed.event;
  readonly onDidChangeList = this.listed.event;
  /** Keys: a session is about to take the place of one that was never used, and what was written there goes with it. */
  readonly onDidReplace = this.replaced.event;

  constructor(
    private readonly options: SessionsOptions,
    readonly pages = new Pages(),
  ) {}

  /** The session that the person is with: that of the active page. */
  get current(): OpenSession {
    return this.heldIn(this.pages.active).session;
  }

  /** The session that a page shows; undefined for a tab whose session is still being opened. */
  shownIn(page: string): OpenSession | undefined {
    return page === VIEW || this.pages.has(page) ? this.heldIn(page).session : undefined;
  }

  /** Tells with which page the person is now; false where there is no such page. */
  activate(page: string): boolean {
    if (page === this.pages.active) return true;
    if (!this.pages.activate(page)) return false;
    this.switched.fire();
    return true;
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

  /** Shows a session of the list; the one that was shown goes on. Where another page shows it, that page is revealed. */
  async show(key: string, page = this.pages.active): Promise<void> {
    const isShown = this.pages.keyOf(page) === key;
    const session = await this.put(key, page);
    if (!session) return;
    const { controller, store } = session;
    const asked = this.onAgents.some((item) => isSame(item, store.state));
    // Choosing what is shown already asks the agent for it again: it may have gone on elsewhere.
    if (isShown && asked && controller.live) return controller.reload();
    await controller.ensureConnected();
  }

  /** Does as `show`, but connects nothing and waits for no agent; gives the session, undefined where there is none. */
  async put(key: string, page: string): Promise<OpenSession | undefined> {
    const held = this.held.get(key) ?? (await this.revive(key));
    // A tab may have been closed meanwhile.
    if (held) this.bring(held, this.pages.has(page) ? page : this.pages.active);
    return held?.session;
  }

  /** Shows an empty session, with the agent of the shown one unless another is given. */
  async create(agentId?: string, page = this.pages.active): Promise<void> {
    const before = this.heldIn(page);
    const { agent } = before.session.store.state;
    const wanted = agentId ?? agent.id;
    const unused = isUnused(before.session);
    const next = unused && agent.id === wanted ? before : this.hold(this.options.newKey(), wanted);
    if (next !== before) {
      if (unused) this.replaced.fire({ from: before.session.key, to: next.session.key });
      this.bring(next, page);
      // One that was never used leaves no trace.
      if (unused) await this.drop(before, { tellAgent: true });
    }
    await next.session.controller.ensureConnected();
  }

  /**
   * Adds a tab that shows a session: one of the list, or an empty one of that agent under that key. One that the view shows moves over,
   * and the view gets an empty one. False where another tab shows it, which is revealed.
   */
  async openTab(tab: string, key = this.options.newKey(), agentId = this.state.agent.id): Promise<boolean> {
    const held = await this.bringBack({ key, agentId });
    const moves = this.pages.keyOf(VIEW) === held.session.key;
    if (moves) this.pages.set(VIEW, undefined);
    const opened = this.bring(held, tab);
    if (moves) this.bring(this.hold(this.options.newKey(), held.session.store.state.agent.id), VIEW);
    return opened;
  }

  /** Forgets a tab that was closed; its session goes on, but for one that is `empty`: nothing happened in it, nothing was written. */
  async closeTab(tab: string, empty: (key: string) => boolean): Promise<void> {
    const held = this.held.get(this.pages.keyOf(tab) ?? '');
    const wasActive = this.pages.active === tab;
    this.pages.remove(tab);
    if (wasActive) this.switched.fire();
    if (held && isUnused(held.session) && empty(held.session.key)) await this.drop(held, { tellAgent: true });
    this.listed.fire();
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
    const remove = async (): Promise<void> => {
      if (held) await this.drop(held, { tellAgent: true });
      await this.options.archive.remove(key);
      if (row?.sessionId != null) await this.removeFromAgent(row.agentId, row.sessionId);
    };
    // The agent would end with its last session, before it is told.
    await (row ? this.options.links.get(row.agentId).during(remove) : remove());
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

  /** The list as a page shows it, which marks its own session. */
  list(page = this.pages.active): SessionList {
    return { rows: this.rows(this.pages.keyOf(page)), loading: this.loading > 0, problem: this.problem };
  }

  /** Signs out of the agent of the shown session. */
  async signOut(): Promise<void> {
    await this.options.links.get(this.state.agent.id).signOut();
  }

  /** Starts the agents, or one of them, again, as after a change of what they may do; sessions that no page shows follow when shown. */
  async restartAgents(agentId?: string): Promise<void> {
    await this.options.links.stop(agentId);
    const shown = this.pages.ids.flatMap((page) => this.held.get(this.pages.keyOf(page) ?? '') ?? []);
    const sessions = shown.length > 0 ? shown.map(({ session }) => session) : [this.current];
    const theirs = sessions.filter(({ store }) => store.state.agent.id === (agentId ?? store.state.agent.id));
    await Promise.all(theirs.map(({ controller }) => controller.ensureConnected(false)));
  }

  /** Ends all agents for good; the sessions stay as they are. */
  async stop(): Promise<void> {
    await this.options.links.close();
  }

  private heldIn(page: string): Held {
    const held = this.held.get(this.pages.keyOf(page) ?? '');
    if (held) return held;
    const empty = this.hold(this.options.newKey(), this.options.defaultAgent());
    this.pages.set(page, empty.session.key);
    return empty;
  }

  private hold(key: string, start: string | SessionState): Held {
    const session = this.options.build(key, start);
    // Before anybody listens: this session may be on its way to be the shown one.
    session.store.dispatch({ type: 'agentsListed', agents: this.agents });
    const held: Held = { session, seen: true, badge: 'idle', touchedAt: null };
    this.held.set(key, held);
    session.store.onDidDispatch((action) => this.onAction(held, action));
    session.store.onDidReset(() => {
      const page = this.pages.holderOf(key);
      if (page !== undefined) this.tellShown(page);
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
      held.seen = this.isShown(held) || action.type === 'promptSubmitted';
    }
    held.badge = badgeOf(held.session.store.state, held.seen);
    this.listed.fire();
  }

  /** Shows a session in a page, or reveals the other page that shows it; gives whether it is in the page. */
  private bring(held: Held, page: string): boolean {
    const { key } = held.session;
    held.seen = true;
    held.badge = badgeOf(held.session.store.state, true);
    const holder = this.pages.holderOf(key) ?? page;
    if (this.pages.keyOf(page) !== key && holder === page) {
      this.pages.set(page, key);
      if (page === VIEW) this.remember(held);
      this.tellShown(page);
    }
    if (holder !== page) {
      this.activate(holder);
      this.revealed.fire(holder);
    }
    this.listed.fire();
    return holder === page;
  }

  private tellShown(page: string): void {
    this.shown.fire(page);
    if (page === this.pages.active) this.switched.fire();
  }

  private isShown({ session }: Held): boolean {
    return this.pages.holderOf(session.key) !== undefined;
  }

  private remember({ session: { key, store } }: Held): void {
    this.options.archive.setLastShown({ key, agentId: store.state.agent.id });
  }

  private async readKept(): Promise<void> {
    await this.refreshKept();
    const last = await this.options.archive.lastShown();
    const held = last && (await this.bringBack(last));
    // The page may have asked for the shown session first, and got an empty one to begin with.
    const shown = this.held.get(this.pages.keyOf(VIEW) ?? '');
    if (held && (!shown || isUnused(shown.session))) {
      this.bring(held, VIEW);
      if (shown) await this.drop(shown, { tellAgent: false });
    }
    this.remember(this.heldIn(VIEW));
  }

  /** One without a transcript comes back empty: its draft is kept under its key. */
  private async bringBack({ key, agentId }: ShownLast): Promise<Held> {
    const known = this.agents.includes(agentId) ? agentId : this.options.defaultAgent();
    const held = this.held.get(key) ?? (await this.revive(key));
    return held ?? this.held.get(key) ?? this.hold(key, known);
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
    const page = this.pages.holderOf(leaving.session.key);
    if (page === undefined) return;
    const others = [...this.held.values()].filter((held) => !this.isShown(held));
    const next =
      others.sort((a, b) => (b.touchedAt ?? 0) - (a.touchedAt ?? 0))[0] ??
      this.hold(this.options.newKey(), leaving.session.store.state.agent.id);
    this.bring(next, page);
    await next.session.controller.ensureConnected(false);
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
    const { folder, links, listFailed } = this.options;
    const cwd = folder();
    if (cwd === undefined) return [];
    return listOnAgents(links.running(), cwd, ({ agentId, agentTitle }, error) => {
      this.problem = listFailed(agentTitle, toErrorView(error).message);
      return this.onAgents.filter((item) => item.agentId === agentId);
    });
  }

  private async removeFromAgent(agentId: string, sessionId: string): Promise<void> {
    this.onAgents = this.onAgents.filter(
      (item) => item.agentId !== agentId || item.session.sessionId !== sessionId,
    );
    const running = this.options.links.running().find((link) => link.agentId === agentId)?.agent;
    if (running) await deleteOnAgent(running, sessionId, this.options.log);
  }

  private rows(shown?: string): SessionRow[] {
    const open = [...this.held.values()].map(({ session, badge, touchedAt }) => ({
      key: session.key,
      state: session.store.state,
      badge,
      touchedAt,
    }));
    return rowsOf({ open, kept: this.kept, onAgents: this.onAgents }, shown, this.options.now());
  }
}
