import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { LOOP_META } from '../core/acp';
import { WireError } from '../core/errors';
import { compact } from '../core/json';
import type { Disposable } from '../core/lifecycle';
import { clientCommands } from './access/clientCommands';
import type { ClientRequest } from './access/clientRequest';
import { createFileAccess, type FileCapabilities } from './access/files';
import { ownCommands } from './access/ownCommands';
import { bundledRipgrep } from './access/ripgrep';
import { AgentSession } from './agentSession';
import { conversationOf, type Conversation } from './events/conversation';
import { replayOf } from './events/replay';
import { connectServers, type ConnectedServers } from './mcp/connectServers';
import type { McpServerConfig } from './mcp/serverConfig';
import { ServerNews } from './mcp/serverNews';
import type { Models } from './model/models';
import { SessionReport, type Notify } from './report';
import type { SessionStore } from './sessionStore';
import type { AgentEvent } from './events/event';
import type { EventLog } from './events/eventLog';
import { askPerson } from './tools/askPerson';
import { PermissionDesk } from './tools/permissions';
import { TOOLS } from './tools/registry';
import type { Tool } from './tools/tool';
import { AGENT_VERSION } from './version';

/** What the client can do; what it did not announce it can't (IN-7). */
export interface ClientAbilities {
  files: FileCapabilities;
  terminal: boolean;
  /** Takes the notifications of the loop. */
  turnEvents: boolean;
  /** Shows forms in which the agent can ask something. */
  forms: boolean;
  /** Shows notices. */
  notices: boolean;
  /** Shows messages that the agent wrote for the user as what they are. */
  syntheticMessages: boolean;
  /** Shows compactions of the conversation. */
  compaction: boolean;
}

/** What a client gives a session to work with. */
export interface SessionSetup {
  cwd: string;
  additionalDirectories: readonly string[];
  /** Whose tools the session has beside the agent's own. */
  mcpServers?: readonly McpServerConfig[];
}

export interface OpenSessionsOptions {
  models: Models;
  store: SessionStore;
  client: ClientAbilities;
  request: ClientRequest;
  notify: Notify;
  maxModelCalls?: number;
  /** Takes what is not for the person; by default nobody does. */
  log?: (line: string) => void;
}

interface Open {
  session: AgentSession;
  /** Keeps no more of it: a last word would make its folder again. */
  forget: () => void;
  /** Frees what was begun for it alone. */
  free: () => Promise<void> | undefined;
}

/** The sessions that the client has open, each with its log. */
export class OpenSessions implements Disposable {
  private readonly open = new Map<string, Open>();
  /** What still ends. */
  private readonly ending = new Set<Promise<void>>();
  /** Sessions that were stopped and may still have a last word for their log. */
  private readonly stopped = new Map<string, Promise<void>>();

  constructor(private readonly options: OpenSessionsOptions) {}

  find(sessionId: string): AgentSession | undefined {
    return this.open.get(sessionId)?.session;
  }

  /** Throws -32002 for a session that is not open. */
  get(sessionId: string): AgentSession {
    const session = this.find(sessionId);
    if (!session) throw WireError.notFound('The session', { sessionId });
    return session;
  }

  /** Begins a session in a folder. Its log is made with its first prompt: one that was never used leaves nothing. */
  create(setup: SessionSetup): { sessionId: string; session: AgentSession } {
    const sessionId = randomUUID();
    return { sessionId, session: this.build(sessionId, setup) };
  }

  /**
   * Goes on with a session of the store; one that is open is stopped first, and its last words are waited for. `replay` sends all of it
   * to the client (SE-8).
   *
   * Throws -32002 for one that is not there, -32602 for another folder than that of the session (SE-23).
   */
  async goOn(sessionId: string, setup: SessionSetup): Promise<{ session: AgentSession; replay: () => void }> {
    const { store } = this.options;
    // Before anything is stopped: a request that is refused changes nothing.
    const { cwd } = conversationOf(store.open(sessionId).events);
    if (cwd !== setup.cwd) throw WireError.invalidParams(`The session belongs to another folder: ${cwd}`);
    this.stop(sessionId);
    // Until no other request opened it meanwhile: a log takes one writer. What follows may not wait for anything.
    for (let words = this.stopped.get(sessionId); words; words = this.stopped.get(sessionId)) {
      await words;
      this.stop(sessionId);
    }
    const { events, log } = store.open(sessionId);
    const before = conversationOf(events);
    if (!isDeepStrictEqual(before.additionalDirectories, setup.additionalDirectories))
      log.append({ type: 'session.directories', additionalDirectories: setup.additionalDirectories });
    const session = this.build(sessionId, setup, { before, log });
    const { client, notify } = this.options;
    const replay = (): void => {
      const updates = replayOf(events, client);
      if (before.interrupted)
        updates.push({ sessionUpdate: 'session_info_update', _meta: { [LOOP_META]: { interrupted: true } } });
      for (const update of updates) notify('session/update', { sessionId, update });
    };
    return { session, replay };
  }

  /** Ends the work of a session and frees it. Throws -32002 for one that is not open (SE-13). */
  close(sessionId: string): void {
    this.get(sessionId);
    this.stop(sessionId);
  }

  /** Deletes a session with its log, open or not; one that is not there is deleted already (SE-20). */
  remove(sessionId: string): void {
    this.open.get(sessionId)?.forget();
    this.stop(sessionId);
    this.options.store.remove(sessionId);
  }

  dispose(): void {
    for (const sessionId of [...this.open.keys()]) this.stop(sessionId);
  }

  /** Resolves when what the closed sessions had started is gone. */
  async freed(): Promise<void> {
    await Promise.all(this.ending);
  }

  private stop(sessionId: string): void {
    const open = this.open.get(sessionId);
    if (!open) return;
    open.session.dispose();
    this.open.delete(sessionId);
    const words = open.session.ended().finally(() => {
      if (this.stopped.get(sessionId) === words) this.stopped.delete(sessionId);
    });
    this.stopped.set(sessionId, words);
    const ending = open.free();
    if (!ending) return;
    this.ending.add(ending);
    void ending.finally(() => this.ending.delete(ending));
  }

  private build(
    sessionId: string,
    setup: SessionSetup,
    kept?: { before: Conversation; log: EventLog },
  ): AgentSession {
    const { models, store, client, request, notify, maxModelCalls } = this.options;
    const { cwd, additionalDirectories } = setup;
    const before = kept?.before;
    const tools = this.toolsFor(sessionId);
    const servers = this.serversFor(setup, tools);
    let isForgotten = false;
    const keep = kept
      ? (event: AgentEvent) => kept.log.append(event)
      : fromFirstPrompt(store, sessionId, setup);
    const report = new SessionReport({
      sessionId,
      turnEvents: client.turnEvents,
      notices: client.notices,
      notify,
      ...compact({ given: before }),
      record: (event) => {
        if (!isForgotten) keep(event);
      },
    });
    const session = new AgentSession({
      ...compact({ maxModelCalls, before }),
      models,
      tools,
      syntheticMessages: client.syntheticMessages,
      compactionUpdates: client.compaction,
      environment: {
        cwd,
        additionalDirectories,
        files: createFileAccess({
          sessionId,
          workspace: { cwd, additionalDirectories },
          request,
          capabilities: client.files,
        }),
        ripgrep: bundledRipgrep(),
        commands: client.terminal ? clientCommands(sessionId, request) : ownCommands(),
      },
      permissions: new PermissionDesk(sessionId, request),
      report,
      ...(servers ? { servers: new ServerNews(servers, report, client.notices) } : {}),
    });
    this.open.set(sessionId, {
      session,
      forget: () => (isForgotten = true),
      free: () => servers?.dispose(),
    });
    return session;
  }

  private toolsFor(sessionId: string): Map<string, Tool> {
    const { client, request } = this.options;
    const tools = [...TOOLS.values(), ...(client.forms ? [askPerson(sessionId, request)] : [])];
    return new Map(tools.map((tool) => [tool.name, tool]));
  }

  private serversFor(setup: SessionSetup, tools: Map<string, Tool>): ConnectedServers | undefined {
    const { cwd, additionalDirectories: roots, mcpServers = [] } = setup;
    const { log = () => undefined } = this.options;
    return mcpServers.length > 0 ? connectServers(mcpServers, { tools, cwd, roots, log }) : undefined;
  }
}

/** Keeps the events of a new session from its first prompt on, with the mode and the title that it had by then: one that was never used leaves nothing. */
function fromFirstPrompt(
  store: SessionStore,
  sessionId: string,
  { cwd, additionalDirectories }: SessionSetup,
): (event: AgentEvent) => void {
  const log = store.begin(sessionId);
  let held: Map<string, AgentEvent> | undefined = new Map();
  return (event) => {
    if (held && event.type !== 'user.message') {
      held.set(event.type, event);
      return;
    }
    if (held) {
      const start = { type: 'session.start', sessionId, cwd, version: AGENT_VERSION } as const;
      log.append(additionalDirectories.length > 0 ? { ...start, additionalDirectories } : start);
      for (const earlier of held.values()) log.append(earlier);
    }
    held = undefined;
    log.append(event);
  };
}
