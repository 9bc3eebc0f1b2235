import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import type { ClientHandlers } from '../../src/acp/agentClient';
import type { LaunchPlan } from '../../src/acp/agentProcess';
import { connectAgent, type ConnectedAgent } from '../../src/acp/connectAgent';
import type { AgentFailure } from '../../src/core/errors';
import type { SessionAction } from '../../src/core/session/actions';
import { isLive, textOf } from '../../src/core/session/select';
import type { Entry, SessionState, ToolEntry } from '../../src/core/session/state';
import { PermissionBridge, type PermissionRequest } from '../../src/host/bridges/permissionBridge';
import { SessionController } from '../../src/host/session/sessionController';
import { SessionStore } from '../../src/host/session/sessionStore';
import type { SessionTexts } from '../../src/host/session/sessionTexts';
import { connectOptions, isAlive } from './fakeAgents';
import { Replay } from './replayScript';
import { keepDiff } from './session';
import { wireProblemsOf } from './wireSchema';

const sentence = (agent: string, failure: AgentFailure): string =>
  failure.reason === 'exited'
    ? `${agent} ended with ${failure.code ?? failure.signal}`
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
  unknownAgent: (agent) => ({ severity: 'error', message: `no agent ${agent}`, actions: [] }),
  signInFirst: (agent) => `sign in to ${agent}`,
  startsWithoutMemory: (agent) => `${agent} has no memory`,
  busy: () => 'busy',
};

/** The runs of each agent, in the order of its starts. */
export type Agents = Record<string, (Replay | LaunchPlan)[]>;

/** The controller with agents that are real processes, and the permission bridge, as they are put together in the extension. */
export class SessionHarness {
  readonly store: SessionStore;
  readonly controller: SessionController;
  readonly permissions: PermissionBridge;
  readonly actions: SessionAction[] = [];
  readonly log: string[] = [];
  /** Sessions whose terminals were ended. */
  readonly released: string[] = [];
  /** Questions that were put to the person. */
  readonly asked: PermissionRequest[] = [];
  readonly connected: ConnectedAgent[] = [];
  readonly cwd = tmpdir();
  private readonly runs: Replay[] = [];

  constructor(
    private readonly agents: Agents,
    first = 'replay',
  ) {
    this.store = new SessionStore(first);
    this.store.onDidDispatch((action) => this.actions.push(action));
    this.permissions = this.buildPermissions();
    this.controller = new SessionController({
      store: this.store,
      texts,
      launchPlan: (id) => Promise.resolve(this.nextPlan(id)),
      connect: (plan, _id, handlers, aborted) => this.connect(plan, handlers, aborted),
      ports: () => ({ permission: this.permissions }),
      chooseCwd: () => Promise.resolve(this.cwd),
      cancelPermissions: () => this.permissions.cancelAll(),
      releaseTerminals: (sessionId) => this.released.push(sessionId),
      keepDiff,
      log: (line) => this.log.push(line),
      now: () => 1_000,
    });
  }

  /** Connects to an agent that plays the steps. */
  static async open(...runs: Replay[]): Promise<SessionHarness> {
    const harness = new SessionHarness({ replay: runs });
    await harness.controller.ensureConnected();
    return harness;
  }

  get state(): SessionState {
    return this.store.state;
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
        const listening = this.store.onDidDispatch(() => {
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
    await this.controller.stop();
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
    const agent = await connectAgent({ ...connectOptions(plan), handlers, aborted });
    this.connected.push(agent);
    return agent;
  }

  private buildPermissions(): PermissionBridge {
    return new PermissionBridge({
      isLive: (sessionId) => isLive(this.state, sessionId),
      isCancelling: () => this.state.turn.status === 'cancelling',
      dispatch: (action) => this.store.dispatch(action),
      keepDiff,
      prompter: { ask: (question) => this.asked.push(question), withdraw: () => undefined },
      now: () => 1_000,
    });
  }
}
