import type { SessionAction } from './actions';
import { byId, setById } from './byId';
import type { SessionState } from './state';
import type { Touch } from './touch';

type TerminalAction = Extract<SessionAction, { terminalId: string }>;

/** Lines of a terminal that the page holds; what scrolls out is only counted. */
export const MAX_TERMINAL_LINES = 500;

/** Terminals that a session holds before those that no card shows are forgotten. */
const MAX_UNSEEN = 100;

/** Some agents run commands without a card: of the ended ones the oldest go, so that a session does not grow by what nobody sees. */
function forgetUnseen(state: SessionState): void {
  const all = Object.values(state.terminals);
  if (all.length < MAX_UNSEEN) return;
  const shown = new Set(
    state.entries.flatMap((entry) =>
      entry.kind === 'tool'
        ? entry.content.map((item) => (item.type === 'terminal' ? item.terminalId : undefined))
        : [],
    ),
  );
  const unseen = all.filter(
    ({ terminalId, released, agents, exit }) => !shown.has(terminalId) && (released || (agents && exit)),
  );
  const gone = new Set(unseen.slice(0, unseen.length - MAX_UNSEEN / 2));
  if (gone.size === 0) return;
  state.terminals = Object.fromEntries(Object.entries(state.terminals).filter(([, view]) => !gone.has(view)));
}

/** Applies what a terminal did. Output and exit of an id that was never started are ignored. */
export function applyTerminal(state: SessionState, action: TerminalAction, touch: Touch): void {
  const { terminalId } = action;
  if (action.type === 'terminalStarted') {
    const { command, cwd, at, agents } = action;
    forgetUnseen(state);
    setById(state.terminals, terminalId, {
      terminalId,
      command,
      cwd,
      startedAt: at,
      lines: [],
      hiddenLines: 0,
      released: false,
      ...(agents ? { agents } : {}),
    });
    touch(`terminal:${terminalId}`);
    return;
  }
  const terminal = byId(state.terminals, terminalId);
  if (!terminal) return;
  if (action.type === 'terminalScreen') {
    // `from` counts from the first line ever printed.
    const keep = Math.max(0, action.from - terminal.hiddenLines);
    const lines = [...terminal.lines.slice(0, keep), ...action.lines];
    const dropped = Math.max(0, action.hiddenLines - terminal.hiddenLines);
    terminal.lines = lines.slice(dropped).slice(-MAX_TERMINAL_LINES);
    terminal.hiddenLines = action.hiddenLines;
  } else if (action.type === 'terminalExited') {
    terminal.exit = { code: action.code, signal: action.signal };
    terminal.endedAt = action.at;
  } else {
    terminal.released = true;
  }
  touch(`terminal:${terminalId}`);
}
