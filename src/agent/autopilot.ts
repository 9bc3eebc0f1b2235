import { runLoop, MAX_MODEL_CALLS, type LoopOptions, type LoopResult } from './loop';

/** Most nudges for one prompt. */
export const MAX_NUDGES = 3;

/** What the model is told when it stops in autopilot without saying that the task is done. */
export const NUDGE = `The task is not marked as complete yet: the tool task_complete was not called.

- If something is left to do, do it now. A plan alone does not count: carry it out.
- If a question is open, decide it sensibly yourself and go on.
- If something failed, find out why and try another way.
- When everything is done and checked, call task_complete with a short summary. Do not call it before.`;

export interface AutopilotOptions extends LoopOptions {
  /** Adds the synthetic message to the conversation. */
  nudge: (text: string, n: number) => void;
}

/** How a prompt turn ended, with the nudges that it took. */
export interface TurnResult extends LoopResult {
  nudges?: number;
  /** True where the model was not nudged again though the task was not marked as complete. */
  nudgesExhausted?: true;
}

/**
 * Runs a prompt turn: one loop, and in autopilot more of them until the model says that the task is done. It is nudged only after an
 * ordinary end, never after a cancel, a refusal, a limit or an error, and not again when a nudge brought no tool call. All model calls
 * count for the same limit.
 */
export async function runTurn({ nudge, ...loop }: AutopilotOptions): Promise<TurnResult> {
  const { maxModelCalls = MAX_MODEL_CALLS, mode } = loop;
  let modelCalls = 0;
  let toolCalls = 0;
  const runTool: LoopOptions['runTool'] = (request, report) => {
    toolCalls++;
    return loop.runTool(request, report);
  };
  for (let nudges = 0; ; nudges++) {
    toolCalls = 0;
    const result = await runLoop({
      ...loop,
      runTool,
      maxModelCalls: maxModelCalls - modelCalls,
      callsBefore: modelCalls,
    });
    modelCalls += result.modelCalls;
    const total = { ...result, modelCalls, ...(nudges > 0 ? { nudges } : {}) };
    if (mode() !== 'autopilot' || result.stopReason !== 'end_turn' || result.taskComplete) return total;
    const isIdle = nudges > 0 && toolCalls === 0;
    if (nudges === MAX_NUDGES || isIdle) return { ...total, nudgesExhausted: true };
    if (modelCalls >= maxModelCalls) return { ...total, stopReason: 'max_turn_requests' };
    nudge(NUDGE, nudges + 1);
  }
}
