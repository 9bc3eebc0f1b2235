import type { StopReason } from '../core/acp';
import { itemsUntilAborted, TurnCancelled, untilAborted } from './abort';
import type { HistoryItem, Mode, Model, ModelEvent, ToolRequest } from './model/model';
import type { ModelCallReport, TurnReport } from './report';
import type { ToolResult } from './tools/runner';

/** Most model calls for one prompt; a request of many steps needs one for each and one for the answer. */
export const MAX_MODEL_CALLS = 50;

export interface LoopOptions {
  model: Model;
  /** The conversation so far, with the prompt as its last item; the loop adds to it. */
  history: HistoryItem[];
  mode: () => Mode;
  runTool: (request: ToolRequest, report: ModelCallReport) => Promise<ToolResult>;
  report: TurnReport;
  signal: AbortSignal;
  maxModelCalls?: number;
}

/** How a prompt turn ended. */
export interface LoopResult {
  stopReason: StopReason;
  modelCalls: number;
  /** Only if the model said by the tool `task_complete` that the whole task is done. */
  taskComplete?: TaskComplete;
}

export interface TaskComplete {
  summary?: string;
}

/**
 * The agent loop: model call → tool requests → results → next model call, until an answer asks for no tool. It is mechanical; when to
 * stop is the model's decision. A cancel ends it on any line, and is not an error (CA-2).
 */
export async function runLoop(options: LoopOptions): Promise<LoopResult> {
  const { signal, maxModelCalls = MAX_MODEL_CALLS } = options;
  let modelCalls = 0;
  try {
    while (modelCalls < maxModelCalls) {
      signal.throwIfAborted();
      modelCalls++;
      const { goOn, taskComplete } = await runModelCall(options, modelCalls);
      if (taskComplete) return { stopReason: 'end_turn', modelCalls, taskComplete };
      if (!goOn) return { stopReason: 'end_turn', modelCalls };
    }
    return { stopReason: 'max_turn_requests', modelCalls };
  } catch (error) {
    if (signal.aborted || error instanceof TurnCancelled) return { stopReason: 'cancelled', modelCalls };
    throw error;
  }
}

interface ModelCallEnd {
  goOn: boolean;
  taskComplete?: TaskComplete;
}

/** One model call with the tools that it asked for; its end is told whatever happens, so that starts and ends are pairs. */
async function runModelCall(options: LoopOptions, index: number): Promise<ModelCallEnd> {
  const { model, history, signal } = options;
  const input = { history: [...history], mode: options.mode() };
  const answer = { role: 'assistant' as const, text: '', toolRequests: [] as ToolRequest[] };
  history.push(answer);
  const report = options.report.beginModelCall(index);
  try {
    for await (const event of itemsUntilAborted(model.next(input, signal), signal)) {
      if (event.type === 'text') answer.text += event.text;
      if (event.type === 'toolRequest') {
        const { name, input: toolInput } = event;
        answer.toolRequests.push({ id: report.nextToolCallId(), name, input: toolInput });
      } else tell(report, event);
    }
    return await runTools(options, answer.toolRequests, report);
  } finally {
    closeRequests(history, answer.toolRequests);
    report.end(answer.toolRequests.length);
  }
}

function tell(report: ModelCallReport, event: Exclude<ModelEvent, { type: 'toolRequest' }>): void {
  if (event.type === 'text') report.text(event.text);
  else if (event.type === 'thought') report.thought(event.text);
  else report.plan(event.entries);
}

/** Runs the tools one after the other; each result becomes part of the history. */
async function runTools(
  { history, runTool, signal }: LoopOptions,
  requests: readonly ToolRequest[],
  report: ModelCallReport,
): Promise<ModelCallEnd> {
  for (const request of requests) {
    const { outcome, output, taskComplete } = await untilAborted(runTool(request, report), signal);
    history.push({ role: 'tool', requestId: request.id, name: request.name, outcome, output });
    if (taskComplete) return { goOn: false, taskComplete };
  }
  return { goOn: requests.length > 0 };
}

/** Gives the requests that got no result one, since a history with open requests is none that a model can continue. */
function closeRequests(history: HistoryItem[], requests: readonly ToolRequest[]): void {
  const answered = new Set(history.map((item) => (item.role === 'tool' ? item.requestId : '')));
  for (const { id, name } of requests) {
    if (answered.has(id)) continue;
    history.push({ role: 'tool', requestId: id, name, outcome: 'cancelled', output: 'Was not run.' });
  }
}
