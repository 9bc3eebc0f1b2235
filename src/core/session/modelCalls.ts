import { isBusy } from './select';
import type { SessionState } from './state';
import type { ModelCall, ModelCallEvent, ModelCalls, TokenCounts } from './turn';

/** Model calls of a turn that are kept; later ones are counted. */
export const MAX_MODEL_CALLS = 200;

/** Takes what the agent tells of its model calls; outside of a turn, and of calls that are not kept, it says nothing. */
export function applyModelCall(state: SessionState, event: ModelCallEvent & { at: number }): void {
  if (!isBusy(state)) return;
  const { turn } = state;
  const calls = (turn.modelCalls ??= { since: turn.startedAt, kept: [], more: 0 });
  const known = calls.kept.find(({ id }) => id === event.id);
  if (event.type === 'modelCallStarted') {
    if (!known) begin(calls, { id: event.id, startedAt: event.at });
  } else if (known && known.endedAt === undefined) {
    known.endedAt = event.at;
    if (event.usage) known.usage = event.usage;
  }
}

function begin(calls: ModelCalls, call: ModelCall): void {
  if (calls.kept.length < MAX_MODEL_CALLS) calls.kept.push(call);
  else calls.more++;
}

/** The sum of what model calls took. */
export function addTokens(sum: TokenCounts | undefined, more: TokenCounts): TokenCounts {
  return { input: (sum?.input ?? 0) + more.input, output: (sum?.output ?? 0) + more.output };
}

/** How many model calls were told; undefined for none. */
export function countOf(calls: ModelCalls | undefined): number | undefined {
  return calls && calls.kept.length > 0 ? calls.kept.length + calls.more : undefined;
}
