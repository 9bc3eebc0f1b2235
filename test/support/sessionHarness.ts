import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import type { ClientHandlers } from '../../src/acp/agentClient';
import type { LaunchPlan } from '../../src/acp/agentProcess';
import { connectAgent, type ConnectedAgent } from '../../src/acp/connectAgent';
import type { McpServer } from '../../src/core/acp';
import type { AuthMethod } from '../../src/core/agents/introduction';
import type { SessionRow } from '../../src/core/chat/sessionRow';
import type { AgentFailure } from '../../src/core/errors';
import { asObject, type JsonObject } from '../../src/core/json';
import { keptOf, type KeptSession } from '../../src/core/history/kept';
import { LogReader, snapshotLine } from '../../src/core/history/log';
import type { SessionAction } from '../../src/core/session/actions';
import { textOf } from '../../src/core/session/select';
import type { Entry, SessionState, ToolEntry } from '../../src/core/session/state';
import { capabilitiesOf } from '../../src/host/agents/agentConnector';
import { ElicitationBridge } from '../../src/host/bridges/elicitationBridge';
import { PermissionBridge, type PermissionRequest } from '../../src/host/bridges/permissionBridge';
import { agentLoop } from '../../src/host/extensions/agentLoop';
import type { AgentLinkOptions } from '../../src/host/session/agentLink';
import { AgentLinks } from '../../src/host/session/agentLinks';
import type { PermissionPolicy } from '../../src/host/permission/policy';
import type { SharedPorts } from '../../src/host/session/scopedPorts';
import { SessionController } from '../../src/host/session/sessionController';
import type { TurnResult } from '../../src/host/session/turnAnswer';
import type { Archive, ShownLast } from '../../src/host/session/archive';
import { Sessions } from '../../src/host/session/sessions';
import { SessionStore } from '../../src/host/session/sessionStore';
import type { SessionTexts } from '../../src/host/session/sessionTexts';
import { connectOptions, isAlive } from './fakeAgents';
import { Replay } from './replayScript';
import { keepDiff } from './session';
import { wireProblemsOf } from './wireSchema';

const sentence = (agent: string, failure: AgentFailure): string =>
  failure.reason === 'exited'
    ? `${agent} ended with ${failure.code ?? failure.signal}`
    : failure.reason === 'unknownAgent'
      ? `no agent ${agent}`
      : `${agent}: ${failure.reason}`;
const stderrOf = (failure: AgentFailure) => ('stderr' in failure ? { detail: failure.stderr } : {});

export const texts: SessionTexts = {
  failureBanner: (agent, failure) => ({
    severity: 'error',
    message: sentence(agent, failure),
    actions: ['restart'],
    ...stderrOf(failure),
  }),
  failureError: (agent, failure) => ({ message: sentence(agent, failure), ...stderrOf(failure) }),
  signInFirst: (agent) => `sign in to ${agent}`,
  signInFailed: (agent, code) => `sign-in to ${agent} ended with ${code}`,
  notConnected: (agent) => `${agent} is not connected`,
  startsWithoutMemory: (agent) => `${agent} has no memory`,
  removedFromQueue: () => 'removed',
  toBlocks: (make) => make(),
};

/** Kept sessions, in memory. */
export class MemoryArchive implements Archive {
  readonly states = new Map<string, SessionState>();
  readonly removed: string[] = [];
  last: ShownLast | undefined;

  /** Keeps a session as its log would hold it when the window goes away. */
  keep(key: string, state: SessionState): void {
    const reader = new LogReader(state.agent.id);
    reader.take(snapshotLine(state, 1_000));
    const kept = reader.finish();
    if (kept) this.states.set(key, kept.state);
  }

  list(): Promise<KeptSession[]> {
    return Promise.resolve([...this.states].map(([key, state]) => keptOf(key, state, 1_000)));
  }

  load(key: string): Promise<SessionState | undefined> {
    return Promise.resolve(this.states.get(key));
  }

  remove(key: string): Promise<void> {
    this.states.delete(key);
    this.removed.push(key);
    return Promise.resolve();
  }

  lastShown(): Promise<ShownLast | undefined> {
    return Promise.resolve(this.last);
  }

  setLastShown(shown: ShownLast): void {
    this.last = shown;
  }
}

/** The runs of each agent, in the order of its starts. */
export type Agents = Record<string, (Replay | LaunchPlan)[]>;

/** The sessions with agents that are real processes, and the permission bridge, as they are put together in the extension. */
export class SessionHarness {
  readonly sessions: Sessions;
  readonly permissions: PermissionBridge;
  readonly elicitations: ElicitationBridge;
  readonly archive: MemoryArchive;
  readonly actions: SessionAction[] = [];
  readonly log: string[] = [];
  /** Keys of the sessions whose terminals were ended. */
  readonly released: string[] = [];
  /** Questions that were put to the person. */
  readonly asked: PermissionRequest[] = [];
  /** Pages that were opened. */
  readonly pages: string[] = [];
  readonly connected: ConnectedAgent[] = [];
  /** What Parley wrote to its agents, in order. */
  readonly sent: JsonObject[] = [];
  readonly cwd = tmpdir();
  /** Other folders of the workspace. */
  others: string[] = [];
  servers: McpServer[] = [];
  /** Runs a sign-in terminal; gives its exit code. */
  signInTerminal: (plan: LaunchPlan, method: AuthMethod) => Promise<number | undefined> = () =>
    Promise.resolve(undefined);
  /** Resolves when all is on disk. */
  recorded: () => Promise<void> = () => Promise.resolve();
  /** The person's rules, where a test has some. */
  policy: PermissionPolicy | undefined;
  /** Files and terminals, where a test serves them. */
  morePorts: Partial<SharedPorts> = {};
  /** Connects in the place of the harness, where a test has its own way. */
  connector: AgentLinkOptions['connect'] | undefined;
  private readonly runs: Replay[] = [];
  private keys = 0;

  /** @param settings `earlyWait`: ms that a request waits for its session; as in the extension unless said. */
  constructor(
    private readonly agents: Agents,
    first = 'replay',
    archive = new MemoryArchive(),
    settings: { earlyWait?: number } = {},
  ) {
    this.archive = archive;
    this.permissions = this.buildPermissions();
    this.elicitations = this.buildElicitations();
    const links = new AgentLinks({
      launchPlan: (id) => Promise.resolve(this.nextPlan(id)),
      connect: (plan, id, handlers, aborted) =>
        this.connector?.(plan, id, handlers, aborted) ?? this.connect(plan, handlers, aborted),
      ports: () => ({
        permission: this.permissions,
        elicitation: this.elicitations,
        extensions: [agentLoop],
        ...this.morePorts,
      }),
      signInInTerminal: (plan, method) => this.signInTerminal(plan, method),
      log: (line) => this.log.push(line),
      ...(settings.earlyWait === undefined ? {} : { earlyWait: settings.earlyWait }),
    });
    this.sessions = new Sessions({
      build: (key, start) => this.build(key, start, links),
      archive: this.archive,
      links,
      defaultAgent: () => first,
      newKey: () => `key-${++this.keys}`,
      folder: () => this.cwd,
      listFailed: (agent, reason) => `${agent}: ${reason}`,
      log: (line) => this.log.push(line),
      now: () => 1_000,
    });
    this.sessions.onDidDispatch(({ action }) => this.actions.push(action));
  }

  /** The session that is shown. */
  get controller(): SessionController {
    return this.sessions.current.controller;
  }

  get store(): SessionStore {
    return this.sessions.current.store;
  }

  /** Sends a text; resolves when its turn is over. */
  prompt(text: string, taken?: () => void): Promise<TurnResult> {
    return this.controller.prompt({ text, attachments: [] }, taken);
  }

  /** Connects to an agent that plays the steps. */
  static async open(...runs: Replay[]): Promise<SessionHarness> {
    const harness = new SessionHarness({ replay: runs });
    await harness.controller.ensureConnected();
    return harness;
  }

  get state(): SessionState {
    return this.sessions.state;
  }

  /** What happened to the shown session's page: rows of the list by key. */
  row(key: string): SessionRow {
    const found = this.sessions.list().rows.find((row) => row.key === key);
    return found ?? assert.fail(`no session ${key}`);
  }

  entries<K extends Entry['kind']>(kind: K): Extract<Entry, { kind: K }>[] {
    return this.state.entries.filter((entry): entry is Extract<Entry, { kind: K }> => entry.kind === kind);
  }

  /** Kind and text of the messages in the transcript. */
  messages(): string[] {
    return this.state.entries.flatMap((entry) =>
      'blocks' in entry ? [`${entry.kind}: ${textOf(entry.blocks)}`] : [],
    );
  }

  tool(toolCallId: string): ToolEntry {
    const found = this.entries('tool').findLast((entry) => entry.toolCallId === toolCallId);
    return found ?? assert.fail(`no tool call ${toolCallId}`);
  }

  /** The methods that Parley called, in order. */
  get calls(): string[] {
    return this.sent.flatMap(({ method }) => (typeof method === 'string' ? [method] : []));
  }

  /** Keeps all sessions and ends the agents, as a window that goes away; the archive is for the next one. */
  async leave(): Promise<MemoryArchive> {
    for (const { key, origin } of this.sessions.list().rows) {
      const session = origin === 'open' && this.sessions.find(key);
      if (session) this.archive.keep(key, session.store.state);
    }
    await this.end();
    return this.archive;
  }

  get openQuestions(): PermissionRequest[] {
    const answered = new Set(
      this.actions.flatMap((action) => (action.type === 'permissionAnswered' ? [action.requestId] : [])),
    );
    return this.asked.filter(({ requestId }) => !answered.has(requestId));
  }

  /** The person chooses an option of the oldest open question. */
  answerFirst(optionId: string): boolean {
    return this.permissions.answer(this.openQuestions[0]?.requestId ?? '', optionId);
  }

  /** Waits until what was dispatched satisfies a condition. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve) => {
        const listening = this.sessions.onDidDispatch(() => {
          listening.dispose();
          resolve();
        });
      });
    }
  }

  /** The message of a prompt's rejection. */
  async rejectionOf(promise: Promise<unknown>): Promise<string> {
    try {
      await promise;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    return assert.fail('it did not fail');
  }

  /** Stops; checks that no process is left, that the scripts had what they wanted and that the client kept to the schema. */
  async end(): Promise<void> {
    await this.sessions.stop();
    for (const { process } of this.connected) assert.ok(!isAlive(process.pid), 'a process is left');
    for (const run of this.runs) {
      assert.deepEqual(run.failures, []);
      assert.ok(run.finished, 'the script was not played to its end');
      const lines = run.fromClient.map((message) => JSON.stringify(message));
      assert.deepEqual(wireProblemsOf('client', lines, run.fromAgent), []);
    }
  }

  private nextPlan(id: string): LaunchPlan | undefined {
    const run = this.agents[id]?.shift();
    if (!(run instanceof Replay)) return run;
    this.runs.push(run);
    return run.plan;
  }

  private async connect(
    plan: LaunchPlan,
    handlers: ClientHandlers,
    aborted: AbortSignal,
  ): Promise<ConnectedAgent> {
    const options = connectOptions(plan);
    const agent = await connectAgent({
      ...options,
      trace: (direction, message) => {
        options.trace?.(direction, message);
        if (direction === 'out') this.sent.push(asObject(message));
      },
      handlers,
      aborted,
      capabilities: capabilitiesOf(handlers),
    });
    this.connected.push(agent);
    return agent;
  }

  private build(key: string, start: string | SessionState, links: AgentLinks) {
    const store = new SessionStore(start);
    const controller = new SessionController({
      key,
      store,
      link: links.get(store.state.agent.id),
      texts,
      choosePlace: (cwd) => Promise.resolve({ cwd: cwd ?? this.cwd, others: this.others }),
      mcpServers: () => Promise.resolve(this.servers),
      cancelQuestions: () => {
        this.permissions.cancelSession(key);
        this.elicitations.cancelSession(key);
      },
      releaseTerminals: () => this.released.push(key),
      recorded: () => this.recorded(),
      keepDiff,
      changes: { begin: () => Promise.resolve(), end: () => Promise.resolve() },
      log: (line) => this.log.push(line),
      newId: () => `queued-${++this.keys}`,
      now: () => 1_000,
    });
    return { key, store, controller, stopRecording: () => Promise.resolve() };
  }

  private buildPermissions(): PermissionBridge {
    const policy = (): PermissionPolicy | undefined => this.policy;
    return new PermissionBridge({
      get policy() {
        return policy();
      },
      dispatch: this.access().dispatch,
      state: (key) => this.sessions.find(key)?.store.state,
      keepDiff,
      prompter: { ask: (question) => this.asked.push(question), withdraw: () => undefined },
      onReason: (key, reason) => this.sessions.find(key)?.controller.queue.addAnswer(reason),
      log: (line) => this.log.push(line),
      now: () => 1_000,
    });
  }

  private buildElicitations(): ElicitationBridge {
    return new ElicitationBridge({
      ...this.access(),
      openExternal: (url) => {
        this.pages.push(url);
        return Promise.resolve(true);
      },
      texts: {
        gone: () => 'gone',
        invalid: (field, { kind }) => `${field.name}: ${kind}`,
        notAllowed: (url) => `not allowed: ${url}`,
        openFailed: (url) => `not opened: ${url}`,
      },
      log: (line) => this.log.push(line),
    });
  }

  private access() {
    return {
      dispatch: (key: string, action: SessionAction): void => this.sessions.find(key)?.store.dispatch(action),
      isCancelling: (key: string): boolean =>
        this.sessions.find(key)?.store.state.turn.status === 'cancelling',
    };
  }
}
