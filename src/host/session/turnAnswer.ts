import { LOOP_META } from '../../core/acp';
import { asNumber, asObject, asString, compact } from '../../core/json';

/** How a prompt turn ended, for callers that wait for it. */
export interface TurnResult {
  stopReason: string;
  text: string;
  modelCalls?: number;
  taskComplete?: string;
}

/** Reads the answer to a prompt; one without a reason counts as `end_turn`. */
export function readTurnAnswer(answer: unknown): Omit<TurnResult, 'text'> {
  const meta = asObject(asObject(asObject(answer)['_meta'])[LOOP_META]);
  const done = meta['taskComplete'];
  return compact({
    stopReason: asString(asObject(answer)['stopReason']) ?? 'end_turn',
    modelCalls: asNumber(meta['modelCalls']),
    taskComplete: done ? (asString(asObject(done)['summary']) ?? '') : undefined,
  });
}
