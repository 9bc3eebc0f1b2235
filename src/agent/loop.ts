import type { StopReason } from '../core/acp';
import { itemsUntilAborted, TurnCancelled, untilAborted, type Pause } from './abort';
import type {
  HistoryItem,
  Mode,
  Model,
  ModelEvent,
  ModelInput,
  ToolDefinition,
  ToolRequest,
  Usage,
} from './model/model';
import type { ModelCallReport, TurnReport } from './report';
import { Retries } from './retries';
import type { ToolResult } from './tools/runner';

/** Most model calls for one prompt; a request of many steps needs one for each and one for the answer. */
export const MAX_MODEL_CALLS = 50;

/** What the model is told of a tool that it asked for and that was never begun. */
export const NOT_RUN = 'Was not run.';

/** What the model is told of a tool that was begun and has no result: it may have waited for a permission, or have done half a thing. */
export const NOT_ENDED = 'Was stopped. It may have done nothing, or a part of its work.';

export interface LoopOptions {
  model: Model;
  /** The conversation so far, with the prompt as its last item; the loop adds to it. */
  history: HistoryItem[];
  mode: () => Mode;
  instructions?: () => string;
  tools?: () => readonly ToolDefinition[];
  runTool: (request: ToolRequest, report: ModelCallReport) => Promise<ToolResult>;
  /** True for a tool that may run side by side with others of its kind: one that only reads. */
  readsOnly?: (request: ToolRequest) => boolean;
  /** Makes the history fit before a model call; gives how many model calls that took itself, also where a cancel ended it. */
  makeRoom?: (callsBefore: number) => Promise<number>;
  report: TurnReport;
  signal: AbortSignal;
  /** Waits before a model call that failed is tried again. */
  pause?: Pause;
  maxModelCalls?: number;
  /** Model calls of the same prompt turn before this loop. */
  callsBefore?: number;
}

/** How a loop ended. */
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
 * stop is the model's decision. A cancel ends it on any line, and is not an error (CA-2). A call that is tried again is another call:
 * there are no hidden ones.
 */
export async function runLoop(options: LoopOptions): Promise<LoopResult> {
  const { signal, maxModelCalls = MAX_MODEL_CALLS, callsBefore = 0, makeRoom } = options;
  const retries = new Retries(options.pause, ({ message }, waitMs) =>
    options.report.session.notice('warning', message, `The next try is in ${Math.ceil(waitMs / 1000)} s.`),
  );
  let modelCalls = 0;
  try {
    while (modelCalls < maxModelCalls) {
      signal.throwIfAborted();
      // It hears the cancel itself: its own model call has to be told as ended before the turn is.
      if (makeRoom) modelCalls += await makeRoom(callsBefore + modelCalls);
      signal.throwIfAborted();
      if (modelCalls >= maxModelCalls) break;
      modelCalls++;
      const end = await runModelCall(options, callsBefore + modelCalls).catch((error: unknown) =>
        retries.wait(error, signal),
      );
      if (end === 'again') continue;
      const { stopReason, taskComplete } = end;
      if (taskComplete) return { stopReason: 'end_turn', modelCalls, taskComplete };
      if (stopReason) return { stopReason, modelCalls };
    }
    return { stopReason: 'max_turn_requests', modelCalls };
  } catch (error) {
    if (signal.aborted || error instanceof TurnCancelled) return { stopReason: 'cancelled', modelCalls };
    throw error;
  }
}

/** How a model call ended with its tools; without a reason to stop another one follows. */
interface ModelCallEnd {
  stopReason?: StopReason;
  taskComplete?: TaskComplete;
}

/** What has come of an answer. */
interface Answer {
  role: 'assistant';
  text: string;
  toolRequests: ToolRequest[];
}

/** One model call with the tools that it asked for; its end is told whatever happens, so that starts and ends are pairs. */
async function runModelCall(options: LoopOptions, index: number): Promise<ModelCallEnd> {
  const { model, history, signal } = options;
  const input = inputOf(options);
  const report = options.report.beginModelCall(index);
  const answer: Answer = { role: 'assistant', text: '', toolRequests: [] };
  const results: Results = new Map();
  const rest: AnswerRest = {};
  try {
    await takeAnswer(model.next(input, signal), answer, { report, signal, rest });
    // An answer that was cut off may ask for half a thing.
    if (rest.stopReason) return { stopReason: rest.stopReason };
    return await runTools(options, answer.toolRequests, { report, results });
  } finally {
    // First of all, since the log may take no more: a history with open requests is none that a model can continue.
    history.push(...itemsOf(answer, results));
    try {
      tellOpen(answer, results, report);
    } finally {
      report.end(answer.toolRequests.length, rest.usage, model.contextTokens);
    }
  }
}

/** What the model is given. It never ends with an answer: one that broke off is given again as a whole, and some servers go on with none. */
function inputOf({ history, mode, instructions, tools }: LoopOptions): ModelInput {
  const end = history.findLastIndex(({ role }) => role !== 'assistant') + 1;
  return {
    history: history.slice(0, end),
    mode: mode(),
    instructions: instructions?.() ?? '',
    tools: tools?.() ?? [],
  };
}

/** What an answer says beside its text and its requests. */
interface AnswerRest {
  usage?: Usage;
  stopReason?: 'max_tokens' | 'refusal';
}

/** Takes the model's answer as it comes; what had come of it is kept whatever happens. */
async function takeAnswer(
  events: AsyncIterable<ModelEvent>,
  answer: Answer,
  { report, signal, rest }: { report: ModelCallReport; signal: AbortSignal; rest: AnswerRest },
): Promise<void> {
  let thought = '';
  try {
    for await (const event of itemsUntilAborted(events, signal)) {
      if (event.type === 'text') answer.text += event.text;
      if (event.type === 'thought') thought += event.text;
      if (event.type === 'usage') rest.usage = event.usage;
      else if (event.type === 'stop') rest.stopReason = event.reason;
      else if (event.type === 'toolRequest') {
        const { type: _, ...asked } = event;
        answer.toolRequests.push({ id: report.nextToolCallId(), ...asked });
      } else tell(report, event);
    }
  } finally {
    report.answered(answer.text, thought, answer.toolRequests);
  }
}

function tell(
  report: ModelCallReport,
  event: Extract<ModelEvent, { type: 'text' | 'thought' | 'plan' }>,
): void {
  if (event.type === 'text') report.text(event.text);
  else if (event.type === 'thought') report.thought(event.text);
  else report.plan(event.entries);
}

/** What came of the requests of an answer, by their ids; undefined for one that was begun. */
type Results = Map<string, ToolResult | undefined>;

/** Runs the tools in their order, those that only read side by side; `results` has each one as soon as it is there. */
async function runTools(
  options: LoopOptions,
  requests: readonly ToolRequest[],
  { report, results }: { report: ModelCallReport; results: Results },
): Promise<ModelCallEnd> {
  const { runTool, signal } = options;
  const run = async (request: ToolRequest): Promise<ToolResult> => {
    results.set(request.id, undefined);
    const result = await runTool(request, report);
    results.set(request.id, result);
    return result;
  };
  for (const group of groupsOf(requests, options.readsOnly)) {
    const ended = await untilAborted(Promise.all(group.map(run)), signal);
    for (const { taskComplete } of ended) if (taskComplete) return { taskComplete };
  }
  return requests.length > 0 ? {} : { stopReason: 'end_turn' };
}

/** Requests that may run side by side are together, all others alone. */
function groupsOf(
  requests: readonly ToolRequest[],
  readsOnly: LoopOptions['readsOnly'] = () => false,
): ToolRequest[][] {
  const groups: ToolRequest[][] = [];
  let isOpen = false;
  for (const request of requests) {
    const reads = readsOnly(request);
    if (reads && isOpen) groups.at(-1)?.push(request);
    else groups.push([request]);
    isOpen = reads;
  }
  return groups;
}

/** An answer with a result for each of its requests, in their order; nothing for an answer without a word. */
function itemsOf(answer: Answer, results: Results): HistoryItem[] {
  if (answer.text === '' && answer.toolRequests.length === 0) return [];
  const items = answer.toolRequests.map(({ id, name }): HistoryItem => {
    const { outcome, output } = resultOf(id, results);
    return { role: 'tool', requestId: id, name, outcome, output };
  });
  return [answer, ...items];
}

function resultOf(id: string, results: Results): ToolResult {
  const output = results.has(id) ? NOT_ENDED : NOT_RUN;
  return results.get(id) ?? { outcome: 'cancelled', output };
}

function tellOpen(answer: Answer, results: Results, report: ModelCallReport): void {
  for (const request of answer.toolRequests)
    if (results.get(request.id) === undefined) {
      const { outcome: status, output } = resultOf(request.id, results);
      report.toolEnded(request, { status, output }, []);
    }
}
