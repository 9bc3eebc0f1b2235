import type { Entry, PlanItem, SessionState, StyledRun, TerminalView, UsageView } from './state';

/** Grows when a reader of older exports would misread a new one. */
const TRANSCRIPT_VERSION = 1;

/** A terminal with its screen as text. */
export type ExportedTerminal = Omit<TerminalView, 'lines'> & { output: string };

/** A session as plain data. */
export interface ExportedTranscript {
  format: 'parley-transcript';
  version: number;
  agent: SessionState['agent'];
  sessionId: string | null;
  title: string | null;
  cwd: string | null;
  /** Without the counter of their changes, which means nothing outside. */
  entries: Omit<Entry, 'version'>[];
  /** The plan that is being worked on. */
  plan: PlanItem[];
  terminals: ExportedTerminal[];
  usage: UsageView | null;
}

const lineText = (line: readonly StyledRun[]): string => line.map((run) => run.text).join('');

const withOutput = ({ lines, ...terminal }: TerminalView): ExportedTerminal => ({
  ...terminal,
  output: lines.map(lineText).join('\n').trimEnd(),
});

/** A whole session as the JSON text of an `ExportedTranscript`. */
export function toJson(state: SessionState): string {
  const { agent, sessionId, title, cwd, plan, usage } = state;
  const transcript: ExportedTranscript = {
    format: 'parley-transcript',
    version: TRANSCRIPT_VERSION,
    agent,
    sessionId,
    title,
    cwd,
    entries: state.entries.map((entry) => ({ ...entry, version: undefined })),
    plan,
    terminals: Object.values(state.terminals).map(withOutput),
    usage,
  };
  return `${JSON.stringify(transcript, null, 2)}\n`;
}
