import { asObject, asString, compact } from '../../core/json';
import { readLoopEnd, readTurnTokens } from '../../core/session/loopMeta';
import type { LoopEnd } from '../../core/session/turn';

/** How a prompt turn ended, for callers that wait for it. */
export interface TurnResult extends LoopEnd {
  stopReason: string;
  text: string;
}

/**
 * Reads the answer to a prompt; one without a reason counts as `end_turn`. Only an ordinary end is the end of a task: an agent that calls
 * it done and says that it was cancelled or refused contradicts itself.
 */
export function readTurnAnswer(answer: unknown): Omit<TurnResult, 'text'> {
  const said = asObject(answer);
  const { stopReason, _meta } = said;
  const reason = asString(stopReason) ?? 'end_turn';
  const { taskComplete, nudgesExhausted, ...loop } = readLoopEnd(_meta);
  const task = reason === 'end_turn' ? compact({ taskComplete, nudgesExhausted }) : {};
  return { stopReason: reason, ...loop, ...task, ...compact({ tokens: readTurnTokens(said) }) };
}
