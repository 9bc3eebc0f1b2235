import type { SessionAction } from './actions';
import { hasOpenQuestions, isBusy } from './select';
import type { SessionState, TerminalView, ToolEntry } from './state';

/** ms without a word after which a person is told what is waited for. */
export const SILENCE = 20_000;

/**
 * What a session waits for. `since`: ms since the epoch; absent where only the silence tells how long it lasts.
 * `terminalId`: the command that can be stopped; `more`: how many others run beside the one that is named.
 */
export type Wait =
  | { for: 'answer' }
  | { for: 'terminal'; terminalId: string; name: string; more: number }
  | { for: 'tool'; name: string; toolKind: string; more: number; since: number }
  | { for: 'model' }
  | { for: 'agent'; doing: 'starting' | 'stopping'; since?: number };

/**
 * What the turn that runs, or the start of the agent, waits for; null where nothing does. Of several commands or calls the oldest is
 * named. Looks at the whole turn: for when nothing has arrived for a while, not for each chunk (TR-9, CA-6).
 */
export function waitsFor(state: SessionState): Wait | null {
  const { connection, turn } = state;
  if (connection.status === 'connecting') return { for: 'agent', doing: 'starting', since: connection.since };
  if (!isBusy(state)) return null;
  if (hasOpenQuestions(state) || connection.status === 'auth') return { for: 'answer' };
  if (turn.status === 'cancelling') return { for: 'agent', doing: 'stopping' };
  const calls = openCalls(state);
  return waitsForTerminal(state, calls) ?? waitsForCall(calls) ?? { for: 'model' };
}

function toolsOfTurn(state: SessionState): ToolEntry[] {
  return state.entries.slice(state.turn.firstEntry).filter((entry) => entry.kind === 'tool');
}

function openCalls(state: SessionState): ToolEntry[] {
  // Some agents say of no call that it is in progress.
  return toolsOfTurn(state).filter(({ status }) => status === 'pending' || status === 'in_progress');
}

function terminalsOf(calls: readonly ToolEntry[]): Set<string> {
  const ids = calls.flatMap(({ content }) =>
    content.map((item) => (item.type === 'terminal' ? item.terminalId : '')),
  );
  return new Set(ids);
}

/** A command that runs on behind a call that has ended, such as a server, is waited for by nobody. */
function waitsForTerminal(state: SessionState, calls: readonly ToolEntry[]): Wait | null {
  const ofCalls = terminalsOf(calls);
  const shown = terminalsOf(toolsOfTurn(state));
  const isWaitedFor = ({ terminalId, startedAt }: TerminalView): boolean =>
    ofCalls.has(terminalId) || (!shown.has(terminalId) && startedAt >= state.turn.startedAt);
  const running = Object.values(state.terminals).filter(
    (terminal) => !terminal.exit && !terminal.released && !terminal.agents && isWaitedFor(terminal),
  );
  const [first] = running.sort((a, b) => a.startedAt - b.startedAt);
  if (!first) return null;
  const { terminalId, command } = first;
  return { for: 'terminal', terminalId, name: command || terminalId, more: running.length - 1 };
}

function waitsForCall(calls: readonly ToolEntry[]): Wait | null {
  const [first] = calls;
  if (!first) return null;
  const { title, command, name, toolKind, startedAt } = first;
  const called = title || command || name || '';
  return { for: 'tool', name: called, toolKind, more: calls.length - 1, since: startedAt };
}

/** True for what does not come of the person alone: it ends the silence. */
export function isSign({ type }: SessionAction): boolean {
  return type !== 'queueChanged' && type !== 'agentsListed' && type !== 'folderAllowed';
}

/**
 * When the agent last gave a sign of life, as far as the state tells (ms since the epoch); `now` where a command or a call may have
 * printed since.
 */
export function lastSignOf(state: SessionState, now: number): number {
  const wait = waitsFor(state);
  if (wait?.for === 'terminal' || wait?.for === 'tool') return now;
  const times = [state.connection.since, state.turn.startedAt];
  for (const entry of state.entries.slice(-2)) {
    if ('lastAt' in entry) times.push(entry.lastAt);
    if (entry.kind === 'tool') times.push(entry.endedAt ?? entry.startedAt);
  }
  return Math.min(now, Math.max(...times));
}
