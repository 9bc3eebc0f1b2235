import type { ToolCallContent } from '../../core/acp';
import { compact } from '../../core/json';
import { visibleText } from '../../core/visibleText';
import { TurnCancelled } from '../abort';
import type { TaskComplete } from '../loop';
import type { Mode, ToolOutcome, ToolRequest } from '../model/model';
import type { ModelCallReport } from '../report';
import type { PermissionDesk } from './permissions';
import {
  RejectedByPerson,
  textContent,
  ToolFailure,
  type StartedCall,
  type Tool,
  type ToolContext,
  type ToolEnvironment,
} from './tool';
import { failureText } from '../access/failureText';
import type { Workspace } from '../access/paths';

/** The result of a tool call, for the model. */
export interface ToolResult {
  outcome: ToolOutcome;
  output: string;
  taskComplete?: TaskComplete;
}

export interface RunnerOptions {
  tools: ReadonlyMap<string, Tool>;
  environment: ToolEnvironment;
  permissions: PermissionDesk;
  mode: () => Mode;
}

/** Runs tools and tells the client how each call goes: pending, in progress, then completed or failed. */
export class ToolRunner {
  constructor(private readonly options: RunnerOptions) {}

  /** Never rejects for a call that fails; only for a cancel. */
  async run(request: ToolRequest, report: ModelCallReport, signal: AbortSignal): Promise<ToolResult> {
    const { id: toolCallId, name } = request;
    const card = new Card(request, report);
    const tool = this.options.tools.get(name) ?? unknownTool(name);
    const started = startCall(tool, request, this.options.environment);
    // Clients show it as it is; what hides or reorders text would let a command look like another one.
    const call = { ...started, title: visibleText(started.title) };
    report.toolCall({
      toolCallId,
      name,
      title: call.title,
      kind: tool.kind,
      status: 'pending',
      rawInput: request.input,
      ...compact({ locations: call.locations }),
    });
    try {
      refuseByMode(tool, this.options.mode());
      if (!tool.changes && !tool.asks) card.start();
      const context = this.contextOf({ tool, call, request, report, card, signal });
      const { output, content, taskComplete } = await call.run(context);
      signal.throwIfAborted();
      card.complete(output, content ?? (card.isEmpty ? [textContent(output)] : undefined), taskComplete);
      return { outcome: 'completed', output, ...compact({ taskComplete }) };
    } catch (error) {
      if (signal.aborted || error instanceof TurnCancelled) throw new TurnCancelled();
      return card.fail(error);
    }
  }

  private contextOf(running: RunningCall): ToolContext {
    const { tool, call, request, report, card, signal } = running;
    return {
      ...this.options.environment,
      signal,
      permit: async (scope, shown) => {
        signal.throwIfAborted();
        const asked = { toolCallId: request.id, kind: tool.kind, title: call.title, rawInput: request.input };
        const locations = compact({ locations: call.locations });
        await this.options.permissions.permit(scope, { ...asked, ...locations, content: shown }, signal);
        signal.throwIfAborted();
        card.start(shown);
      },
      show: (content) => {
        signal.throwIfAborted();
        card.show(content);
      },
      plan: (entries) => {
        signal.throwIfAborted();
        report.plan(entries);
      },
    };
  }
}

interface RunningCall {
  tool: Tool;
  call: StartedCall;
  request: ToolRequest;
  report: ModelCallReport;
  card: Card;
  signal: AbortSignal;
}

/** A model may ask for what was offered in another mode, or not at all. */
function refuseByMode({ changes, needsPerson }: Tool, mode: Mode): void {
  if (changes && mode === 'plan') throw new ToolFailure('Plan mode changes nothing.');
  if (needsPerson && mode === 'autopilot')
    throw new ToolFailure('Autopilot asks nothing: decide yourself, or say what you need.');
}

function unknownTool(name: string): Tool {
  const start = (): never => {
    throw new ToolFailure(`There is no tool "${name}".`);
  };
  return { name, kind: 'other', changes: false, description: '', inputSchema: {}, start };
}

/** A call whose input makes no sense fails when it runs, so that it has a card like all others. */
function startCall(tool: Tool, request: ToolRequest, workspace: Workspace): StartedCall {
  try {
    if (request.problem !== undefined) throw new ToolFailure(request.problem);
    return tool.start(request.input, workspace);
  } catch (error) {
    return { title: request.name, run: () => Promise.reject(error instanceof Error ? error : new Error()) };
  }
}

/** What the client shows of one tool call. */
class Card {
  private content: ToolCallContent[] = [];

  private readonly toolCallId: string;

  constructor(
    private readonly request: ToolRequest,
    private readonly report: ModelCallReport,
  ) {
    this.toolCallId = request.id;
  }

  get isEmpty(): boolean {
    return this.content.length === 0;
  }

  start(content: ToolCallContent[] = []): void {
    this.content = content;
    const shown = content.length > 0 ? { content } : {};
    this.report.toolCallUpdate({ toolCallId: this.toolCallId, status: 'in_progress', ...shown });
  }

  show(content: ToolCallContent[]): void {
    this.content = content;
    this.report.toolCallUpdate({ toolCallId: this.toolCallId, content });
  }

  complete(
    output: string,
    content: ToolCallContent[] | undefined,
    taskComplete: TaskComplete | undefined,
  ): void {
    this.report.toolEnded(this.request, { status: 'completed', output }, content ?? this.content);
    const more = taskComplete ? { event: 'task_complete', ...taskComplete } : {};
    const update = { toolCallId: this.toolCallId, status: 'completed' as const };
    this.report.toolCallUpdate({ ...update, ...compact({ content }) }, more);
  }

  fail(error: unknown): ToolResult {
    const message = failureText(error);
    const content = [...this.content, textContent(message)];
    this.report.toolCallUpdate({ toolCallId: this.toolCallId, status: 'failed', content });
    const output = error instanceof ToolFailure ? error.output : message;
    const outcome = error instanceof RejectedByPerson ? 'rejected' : 'failed';
    this.report.toolEnded(this.request, { status: outcome, output }, content);
    return { outcome, output };
  }
}
