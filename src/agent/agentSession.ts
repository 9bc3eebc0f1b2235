import {
  ErrorCode,
  LOOP_META,
  type PromptResponse,
  type SessionConfigOption,
  type SessionModeState,
} from '../core/acp';
import { WireError } from '../core/errors';
import { compact } from '../core/json';
import type { Disposable } from '../core/lifecycle';
import { runLoop } from './loop';
import type { HistoryItem, Mode, Model } from './model/model';
import { promptText, titleOf } from './promptText';
import type { SessionReport } from './report';
import { configOptions, modeState } from './sessionModes';
import type { PermissionDesk } from './tools/permissions';
import { TOOLS } from './tools/registry';
import { ToolRunner } from './tools/runner';
import type { ToolEnvironment } from './tools/tool';

export interface SessionOptions {
  model: Model;
  environment: ToolEnvironment;
  permissions: PermissionDesk;
  report: SessionReport;
  maxModelCalls?: number;
}

/** One conversation. It has at most one prompt turn at a time, with an abort controller of its own. */
export class AgentSession implements Disposable {
  private readonly history: HistoryItem[] = [];
  private readonly tools: ToolRunner;
  private mode: Mode = 'interactive';
  private turn: AbortController | undefined;
  private titled = false;

  constructor(private readonly options: SessionOptions) {
    const { environment, permissions } = options;
    this.tools = new ToolRunner({ tools: TOOLS, environment, permissions, mode: () => this.mode });
  }

  get settings(): { modes: SessionModeState; configOptions: SessionConfigOption[] } {
    return { modes: modeState(this.mode), configOptions: configOptions(this.mode) };
  }

  announceCommands(): void {
    this.options.report.update({
      sessionUpdate: 'available_commands_update',
      availableCommands: [
        { name: 'tour', description: 'Shows what Parley can do, in one turn' },
        { name: 'help', description: 'Lists the requests that this agent understands' },
      ],
    });
  }

  /** Changes the mode and tells it in both ways, since a client may know only one of them. */
  setMode(mode: Mode): void {
    if (this.mode === mode) return;
    this.mode = mode;
    const { report } = this.options;
    report.update({ sessionUpdate: 'current_mode_update', currentModeId: mode });
    report.update({ sessionUpdate: 'config_option_update', configOptions: configOptions(mode) });
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
      this.giveTitle(text);
      this.history.push({ role: 'user', text });
      return await this.runTurn(AbortSignal.any([turn.signal, request]));
    } finally {
      this.turn = undefined;
    }
  }

  private async runTurn(signal: AbortSignal): Promise<PromptResponse> {
    const report = this.options.report.beginTurn();
    try {
      const { stopReason, ...loop } = await runLoop({
        ...compact({ maxModelCalls: this.options.maxModelCalls }),
        model: this.options.model,
        history: this.history,
        mode: () => this.mode,
        runTool: (asked, call) => this.tools.run(asked, call, signal),
        report,
        signal,
      });
      return { stopReason, _meta: { [LOOP_META]: loop } };
    } finally {
      report.close();
    }
  }

  /** Stops the prompt turn at once, with its tools; nothing if there is none. */
  cancel(): void {
    this.turn?.abort();
  }

  dispose(): void {
    this.cancel();
  }

  private giveTitle(prompt: string): void {
    const title = this.titled ? undefined : titleOf(prompt);
    if (title === undefined) return;
    this.titled = true;
    this.options.report.update({ sessionUpdate: 'session_info_update', title });
  }
}
