import { format } from '../chat/strings';
import type { Fault } from './faultNote';
import { faultStrings } from './trafficStrings';

/** A fault in one English sentence: `TC-6 agent sent tool_call_update for the unknown id x`. */
export function faultSentence({ duty, side, code, args }: Fault): string {
  return `${duty} ${side} ${format(faultStrings[`fault_${code}`], ...args)}`;
}
