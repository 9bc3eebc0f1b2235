import {
  ErrorCode,
  LOOP_META,
  type PromptResponse,
  type SessionConfigOption,
  type SessionModeState,
  type StopReason,
} from '../core/acp';
import { WireError } from '../core/errors';
import { compact } from '../core/json';
import { DisposableStore, type Disposable } from '../core/lifecycle';
import { runTurn } from './autopilot';
import { projectInstructions } from './context/projectInstructions';
import { PromptContext } from './context/promptContext';
import { TokenMeter } from './context/tokens';
import { forgetPrompt, type Conversation } from './events/conversation';
import { agentMessage, syntheticChunk } from './events/replay';
import { instructionsFor } from './model/instructions';
import { ModelFailure, type HistoryItem, type Mode, type Model, type Usage } from './model/model';
import type { ServerNews } from './mcp/serverNews';
import type { Models } from './model/models';
import { promptText, titleOf } from './promptText';
import { failureText } from './access/failureText';
import type { Synthetic } from './events/event';
import type { TaskComplete } from './loop';
import type { SessionReport, TurnReport } from './report';
import { configOptions, modeState } from './sessionModes';
import type { PermissionDesk } from './tools/permissions';
import { ToolRunner } from './tools/runner';
import { definitionOf, type Tool, type ToolEnvironment } from './tools/tool';

export interface SessionOptions {
  models: Models;
  /** By name: those of the agent, and those of the session's MCP servers. */
  tools: ReadonlyMap<string, Tool>;
  environment: ToolEnvironment;
  permissions: PermissionDesk;
  report: SessionReport;
  /** Given for a session with MCP servers. */
  servers?: ServerNews;
  maxModelCalls?: number;
  /** True if the client shows messages that the agent wrote for the user as what they are. */
  syntheticMessages?: boolean;
  /** True if the client shows compactions of the conversation. */
  compactionUpdates?: boolean;
  /** What was said before, of a session that goes on. */
  before?: Pick<Conversation, 'history' | 'mode' | 'title' | 'model'>;
}

/** Prompts that the rules answer whatever model is chosen. */
const OFFLINE_COMMAND = /^\s*\/(tour|help)\b/;

/** The command that summarizes the conversation, with what is to be kept above all. */
const COMPACT_COMMAND = /^\s*\/compact(?:\s+([\s\S]*))?$/i;

/** A prompt turn that runs. */
interface RunningTurn {
  model: Model;
  /** What its model calls used so far. */
  used: Usage;
  context: PromptContext;
  instructions: () => string;
  report: TurnReport;
  signal: AbortSignal;
}

/** One conversation. It has at most one prompt turn at a time, with an abort controller of its own. */
export class AgentSession implements Disposable {
  private readonly history: HistoryItem[];
  private readonly tools: ToolRunner;
  private mode: Mode;
  private turn: AbortController | undefined;
  private running: Promise<unknown> = Promise.resolve();
  private titled: boolean;
  private modelId: string;
  private readonly meter = new TokenMeter();
  private readonly scope = new DisposableStore();

  constructor(private readonly options: SessionOptions) {
    const { environment, permissions, before, models, tools } = options;
    this.history = [...(before?.history ?? [])];
    this.mode = before?.mode ?? 'interactive';
    this.titled = before?.title !== undefined;
    this.modelId = before?.model ?? models.preferred;
    this.tools = new ToolRunner({ tools, environment, permissions, mode: () => this.mode });
    this.scope.add(models.onDidChange(() => this.tellOptions()));
  }

  get settings(): { modes: SessionModeState; configOptions: SessionConfigOption[] } {
    return { modes: modeState(this.mode), configOptions: this.configOptions() };
  }

  private configOptions(): SessionConfigOption[] {
    const { models } = this.options;
    return configOptions({ mode: this.mode, model: this.currentModel(), models: models.choices() });
  }

  /** One that is gone since it was chosen gives way to the one that new sessions get. */
  private currentModel(): string {
    const { models } = this.options;
    return models.get(this.modelId) ? this.modelId : models.preferred;
  }

  private tellOptions(): void {
    const configOptions = this.configOptions();
    this.options.report.update({ sessionUpdate: 'config_option_update', configOptions });
  }

  announceCommands(): void {
    this.options.report.update({
      sessionUpdate: 'available_commands_update',
      availableCommands: [
        { name: 'tour', description: 'Shows what Parley can do, in one turn' },
        { name: 'help', description: 'Lists the requests that this agent understands' },
        {
          name: 'compact',
          description: 'Summarizes the conversation so that a language model has room to go on',
          input: { hint: 'what to keep above all' },
        },
      ],
    });
    void this.options.servers?.announced();
  }

  /** Changes the mode and tells it in both ways, since a client may know only one of them. */
  setMode(mode: Mode): void {
    if (this.mode === mode) return;
    this.mode = mode;
    const { report } = this.options;
    report.record({ type: 'session.mode', mode });
    report.update({ sessionUpdate: 'current_mode_update', currentModeId: mode });
    this.tellOptions();
  }

  /** Prompts from the next one on go to this model; a turn that runs ends with its own. Throws -32602 for one that is not there. */
  setModel(id: string): void {
    const { models, report } = this.options;
    if (!models.get(id)) throw WireError.invalidParams('There is no such model.');
    if (this.modelId === id) return;
    this.modelId = id;
    report.record({ type: 'session.model', model: id });
    this.tellOptions();
  }

  /**
   * Runs one prompt turn to its end; a cancel is an answer, not an error.
   *
   * @param request aborts if the client cancels the request itself instead of the session's turn (CA-8).
   */
  async prompt(blocks: unknown, request: AbortSignal): Promise<PromptResponse> {
    if (this.turn) throw new WireError(ErrorCode.invalidRequest, 'The session is busy with another prompt.');
    const text = promptText(blocks, this.options.environment.cwd);
    const turn = new AbortController();
    this.turn = turn;
    try {
      const model = this.modelFor(text);
      // The rules need no room, and say so.
      const command = model === this.options.models.offline ? null : COMPACT_COMMAND.exec(text);
      if (!command) this.giveTitle(text);
      this.take(blocks as readonly unknown[], text, command ? { command: true } : {});
      const signal = AbortSignal.any([turn.signal, request]);
      const running = this.inTurn(model, signal, (runs) =>
        command ? this.compactNow(runs, command[1] ?? '') : this.answer(runs),
      );
      this.running = running.catch(() => undefined);
      return await running;
    } finally {
      this.turn = undefined;
    }
  }

  private modelFor(text: string): Model {
    const { models } = this.options;
    const chosen = OFFLINE_COMMAND.test(text) ? undefined : models.get(this.currentModel());
    return chosen ?? models.offline;
  }

  private offered(): Tool[] {
    const all = [...this.options.tools.values()];
    return all.filter(({ needsPerson }) => !needsPerson || this.mode !== 'autopilot');
  }

  /** Answers the prompt. */
  private async answer(running: RunningTurn): Promise<PromptResponse> {
    const { model, used, context, instructions, report, signal } = running;
    const { maxModelCalls, tools } = this.options;
    const { stopReason, ...loop } = await runTurn({
      ...compact({ maxModelCalls }),
      model,
      history: this.history,
      mode: () => this.mode,
      instructions,
      tools: () => this.offered().map(definitionOf),
      runTool: (asked, call) => this.tools.run(asked, call, signal),
      readsOnly: ({ name }) => {
        const tool = tools.get(name);
        return tool !== undefined && !tool.changes && !tool.alone;
      },
      makeRoom: (callsBefore) => context.makeRoom(callsBefore),
      nudge: (text, n) => this.nudge(text, n, report),
      report,
      signal,
    });
    this.recordEnd(stopReason, loop.taskComplete);
    if (used.inputTokens === undefined) context.tellUsage();
    return { stopReason, _meta: { [LOOP_META]: { ...loop, ...usageOf(used) } } };
  }

  /** Summarizes the conversation, which is all that the person asked for. */
  private async compactNow(running: RunningTurn, focus: string): Promise<PromptResponse> {
    const { context, used, report, signal } = running;
    const { modelCalls, text } = await context.compactNow(focus.trim());
    const stopReason = signal.aborted ? 'cancelled' : 'end_turn';
    this.recordEnd(stopReason, undefined);
    if (!signal.aborted) {
      const message = { messageId: this.options.report.nextMessageId(), text };
      this.options.report.record({ type: 'agent.message', ...message });
      report.update(agentMessage(message));
    }
    return { stopReason, _meta: { [LOOP_META]: { modelCalls, ...usageOf(used) } } };
  }

  private async beginTurn(model: Model, report: TurnReport, signal: AbortSignal): Promise<RunningTurn> {
    const { environment, models, compactionUpdates = false } = this.options;
    const { cwd, additionalDirectories } = environment;
    await this.options.servers?.beforeTurn(report, signal);
    const project =
      model === models.offline ? '' : await projectInstructions(environment, signal, model.contextTokens);
    const instructions = (): string =>
      instructionsFor({ cwd, additionalDirectories, mode: this.mode, platform: process.platform }) + project;
    const used: Usage = {};
    const watched = this.meter.watch(model, used);
    const context = new PromptContext({
      model: watched,
      history: this.history,
      meter: this.meter,
      mode: () => this.mode,
      instructions,
      tools: () => this.offered().map(definitionOf),
      report,
      compactionUpdates,
      signal,
    });
    return { model: watched, used, context, instructions, report, signal };
  }

  private async inTurn(
    model: Model,
    signal: AbortSignal,
    work: (running: RunningTurn) => Promise<PromptResponse>,
  ): Promise<PromptResponse> {
    const { report } = this.options;
    const turn = report.beginTurn();
    try {
      return await work(await this.beginTurn(model, turn, signal));
    } catch (error) {
      // Where the log itself is the trouble, it takes this neither.
      if (error instanceof WireError) throw error;
      const kind = error instanceof ModelFailure ? `model_${error.kind}` : 'failed';
      const message = failureText(error);
      report.record({ type: 'session.error', kind, message });
      throw new WireError(kind === 'model_auth' ? ErrorCode.authRequired : ErrorCode.internal, message, {
        kind,
      });
    } finally {
      turn.close();
    }
  }

  /** Keeps a message of the user, and gives it to the model if it is no command for the agent itself. */
  private take(
    blocks: readonly unknown[],
    text: string,
    { synthetic, command }: { synthetic?: Synthetic; command?: true } = {},
  ): string {
    const { report } = this.options;
    const messageId = report.nextMessageId();
    report.record({ type: 'user.message', messageId, blocks, ...compact({ synthetic, command }) });
    if (!command) this.history.push({ role: 'user', text, ...(synthetic ? { synthetic: true } : {}) });
    return messageId;
  }

  private nudge(text: string, n: number, turn: TurnReport): void {
    const { report } = this.options;
    const blocks = [{ type: 'text', text }];
    const synthetic = { reason: 'autopilot_nudge', n } as const;
    const messageId = this.take(blocks, text, { synthetic });
    if (!this.options.syntheticMessages) {
      report.notice('info', `The agent goes on: the task is not marked as complete yet (${n}).`);
      return;
    }
    for (const update of syntheticChunk({ messageId, blocks, synthetic })) turn.update(update);
  }

  /** An ordinary end needs no event of its own: the last model call, which asked for nothing, is one. */
  private recordEnd(stopReason: StopReason, taskComplete: TaskComplete | undefined): void {
    const { record } = this.options.report;
    if (taskComplete) record({ type: 'session.task_complete', ...taskComplete });
    else if (stopReason === 'cancelled') record({ type: 'session.cancelled' });
    else if (stopReason === 'refusal') {
      record({ type: 'session.error', kind: stopReason, message: 'The model refused to answer.' });
      forgetPrompt(this.history);
    } else if (stopReason !== 'end_turn')
      record({ type: 'session.error', kind: stopReason, message: 'The prompt turn ended at a limit.' });
  }

  /** Stops the prompt turn at once, with its tools; nothing if there is none. */
  cancel(): void {
    this.turn?.abort();
  }

  dispose(): void {
    this.cancel();
    this.scope.dispose();
  }

  /** Resolves when no prompt turn runs any more, and what there is to keep of the last one is kept. */
  async ended(): Promise<void> {
    await this.running;
  }

  private giveTitle(prompt: string): void {
    const title = this.titled ? undefined : titleOf(prompt);
    if (title === undefined) return;
    this.titled = true;
    this.options.report.record({ type: 'session.title', title });
    this.options.report.update({ sessionUpdate: 'session_info_update', title });
  }
}

/** What a prompt turn used, where the model tells it. */
function usageOf(used: Usage): { usage?: Usage } {
  return Object.keys(used).length > 0 ? { usage: used } : {};
}
