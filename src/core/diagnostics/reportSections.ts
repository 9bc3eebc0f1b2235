import { format } from '../chat/strings';
import type { CapabilityRow, KnownCapability } from './capabilities';
import type { DiagnoseString, DiagnoseStrings } from './diagnoseStrings';
import type { AgentReport, StartReport } from './report';

export type Tone = 'ok' | 'warn' | 'bad';

/** A fact with its name. */
export interface ReportRow {
  label: string;
  /** One value, or several. */
  value: string | readonly string[];
  /** True for what was typed, or came from a machine; false for words of Parley. */
  code: boolean;
  tone?: Tone;
  /** What stands in the place of several values until it is opened. */
  folded?: string;
}

/** A line of a table of capabilities. */
export interface CapabilityView {
  words: string;
  name: string;
  supported: boolean;
}

/** A part of a report: facts, a table or a text. */
export interface ReportSection {
  id: string;
  title: string;
  rows?: readonly ReportRow[];
  table?: readonly CapabilityView[];
  text?: string;
}

const WORDS: Record<KnownCapability, DiagnoseString> = {
  'fs.readTextFile': 'capReadFile',
  'fs.writeTextFile': 'capWriteFile',
  terminal: 'capTerminal',
  'auth.terminal': 'capAuthTerminal',
  'session.configOptions.boolean': 'capBoolean',
  'session.notices': 'capNotices',
  'session.compaction': 'capCompaction',
  'elicitation.form': 'capForm',
  'elicitation.url': 'capUrl',
  loadSession: 'capLoad',
  'promptCapabilities.image': 'capImage',
  'promptCapabilities.audio': 'capAudio',
  'promptCapabilities.embeddedContext': 'capEmbedded',
  'mcpCapabilities.http': 'capHttp',
  'mcpCapabilities.sse': 'capSse',
  'sessionCapabilities.list': 'capList',
  'sessionCapabilities.resume': 'capResume',
  'sessionCapabilities.close': 'capClose',
  'sessionCapabilities.delete': 'capDelete',
  'sessionCapabilities.additionalDirectories': 'capFolders',
  'auth.logout': 'capLogout',
};

const STATES: Record<StartReport['status'], DiagnoseString> = {
  starting: 'stateStarting',
  running: 'stateRunning',
  ended: 'stateEnded',
  failed: 'stateFailed',
};

/** How the agent is, in one sentence. */
export function verdictOf(report: AgentReport, texts: DiagnoseStrings): { tone?: Tone; text: string } {
  const { start, launch } = report;
  if (report.launchProblem !== undefined) return { tone: 'bad', text: report.launchProblem };
  // What is said of the last start may be repaired by now; a file that is missing now is not.
  if (launch?.problem !== undefined && start?.status !== 'running')
    return { tone: 'bad', text: launch.problem };
  if (!start) return { text: texts.verdictNotStarted };
  switch (start.status) {
    case 'starting':
      return { text: texts.verdictStarting };
    case 'running':
      return report.sessions.wantSignIn
        ? { tone: 'warn', text: texts.verdictSignIn }
        : { tone: 'ok', text: format(texts.verdictRunning, start.times.initialized ?? 0) };
    case 'failed':
      return { tone: 'bad', text: start.problem ?? texts.stateFailed };
    case 'ended':
      return { tone: 'warn', text: endOf(start, texts.verdictEnded, texts.verdictSignal) };
  }
}

/** The report in parts, in the words of the texts. */
export function reportSections(report: AgentReport, texts: DiagnoseStrings): ReportSection[] {
  const { start } = report;
  const sections: (ReportSection | undefined)[] = [
    launchSection(report, texts),
    environmentSection(report, texts),
    processSection(report, texts),
    start && { id: 'printed', title: texts.sectionPrinted, text: start.printed },
    start?.protocolVersion === undefined ? undefined : agentSection(report, start, texts),
    start && start.capabilities.length > 0
      ? { id: 'capabilities', title: texts.sectionCapabilities, table: tableOf(start.capabilities, texts) }
      : undefined,
    start && { id: 'announced', title: texts.sectionAnnounced, table: tableOf(start.announced, texts) },
    editorSection(report, texts),
  ];
  return sections.filter((section) => section !== undefined);
}

const words = (label: string, value: string, tone?: Tone): ReportRow => ({
  label,
  value,
  code: false,
  ...(tone ? { tone } : {}),
});
const code = (label: string, value: string): ReportRow => ({ label, value, code: true });

/** Several values; none is said in words. */
const several = (label: string, values: readonly string[], none: string): ReportRow =>
  values.length === 0 ? words(label, none) : { label, value: values, code: true };

function launchSection({ launch }: AgentReport, texts: DiagnoseStrings): ReportSection | undefined {
  if (!launch) return undefined;
  const { command, resolved, shell, args, cwd, cwdExists, variables } = launch;
  const file = shell
    ? words(texts.file, texts.fileByShell)
    : resolved === undefined
      ? words(texts.file, texts.notFound, 'bad')
      : code(texts.file, resolved);
  return {
    id: 'launch',
    title: texts.sectionLaunch,
    rows: [
      code(texts.command, command),
      file,
      several(texts.arguments, args, texts.none),
      cwdExists
        ? code(texts.folder, cwd)
        : { ...code(texts.folder, format(texts.folderMissing, cwd)), tone: 'bad' },
      several(texts.variables, variables, texts.none),
    ],
  };
}

function environmentSection(
  { environment, launch }: AgentReport,
  texts: DiagnoseStrings,
): ReportSection | undefined {
  const rows: ReportRow[] = [];
  if (environment) {
    const { source, shell, ms, problem } = environment;
    const told = source === 'editor' ? texts.sourceEditor : sourceShell(shell, ms, texts);
    rows.push(words(texts.source, told, problem === undefined ? undefined : 'warn'));
    if (problem !== undefined) rows.push(words(texts.why, problem));
  }
  if (launch) {
    const path = several(texts.path, launch.path, texts.none);
    rows.push(launch.path.length > 1 ? { ...path, folded: format(texts.folders, launch.path.length) } : path);
  }
  return rows.length === 0 ? undefined : { id: 'environment', title: texts.sectionEnvironment, rows };
}

function sourceShell(shell: string | undefined, ms: number | undefined, texts: DiagnoseStrings): string {
  return shell === undefined || ms === undefined
    ? texts.sourceShellAlone
    : format(texts.sourceShell, shell, ms);
}

function processSection({ start, sessions }: AgentReport, texts: DiagnoseStrings): ReportSection {
  const open = words(texts.sessionsOpen, String(sessions.open));
  const title = texts.sectionProcess;
  if (!start) return { id: 'process', title, rows: [words(texts.state, texts.verdictNotStarted), open] };
  const { status, pid, at, exit, problem } = start;
  const tone = status === 'failed' ? 'bad' : undefined;
  const rows = [
    words(texts.state, texts[STATES[status]], tone),
    ...(problem === undefined ? [] : [words(texts.problem, problem)]),
    ...(pid === undefined ? [] : [code(texts.processId, String(pid))]),
    words(texts.startedAt, new Date(at).toISOString()),
    ...timeRows(start, texts),
    ...(exit ? [words(texts.exit, endOf(start, texts.exitCode, texts.exitSignal))] : []),
    open,
  ];
  return { id: 'process', title, rows };
}

function timeRows({ times }: StartReport, texts: DiagnoseStrings): ReportRow[] {
  const step = (label: string, time: number | undefined): ReportRow[] =>
    time === undefined ? [] : [words(label, format(texts.milliseconds, Math.round(time)))];
  return [
    ...step(texts.stepSpawned, times.spawned),
    ...step(texts.stepInitialized, times.initialized),
    ...step(texts.stepSession, times.session),
  ];
}

function endOf({ exit }: StartReport, byCode: string, bySignal: string): string {
  const code = exit?.code;
  return code === null || code === undefined ? format(bySignal, exit?.signal ?? '?') : format(byCode, code);
}

function agentSection(report: AgentReport, start: StartReport, texts: DiagnoseStrings): ReportSection {
  const { info, protocolVersion, authMethods, servers, habits } = start;
  const told = (label: string, value: string | undefined): ReportRow =>
    value === undefined ? words(label, texts.notTold) : code(label, value);
  const name =
    info.title === undefined || info.title === info.name ? info.name : `${info.title} (${info.name ?? '?'})`;
  const wanted = report.sessions.wantSignIn;
  return {
    id: 'agent',
    title: texts.sectionAgent,
    rows: [
      told(texts.name, name),
      told(texts.version, info.version),
      told(texts.protocol, protocolVersion),
      words(texts.signIn, wanted ? texts.signInWanted : texts.signInNotWanted, wanted ? 'warn' : undefined),
      several(
        texts.signInMethods,
        authMethods.map((method) => `${method.name} (${method.id}, ${method.type})`),
        texts.none,
      ),
      ...(servers ? [several(texts.servers, servers, texts.none)] : []),
      ...(habits.length > 0
        ? [
            several(
              texts.habits,
              habits.map((habit) => `${habit.name}: ${habit.reason}`),
              texts.none,
            ),
          ]
        : []),
    ],
  };
}

function tableOf(rows: readonly CapabilityRow[], texts: DiagnoseStrings): CapabilityView[] {
  return rows.map(({ name, supported }) => ({
    words: Object.hasOwn(WORDS, name) ? texts[WORDS[name as KnownCapability]] : texts.otherCapability,
    name,
    supported,
  }));
}

function editorSection(report: AgentReport, texts: DiagnoseStrings): ReportSection {
  const { parley, editor, platform, remote, ui, trusted, terminals } = report;
  const { mode, problem } = terminals;
  return {
    id: 'editor',
    title: texts.sectionEditor,
    rows: [
      code(texts.parleyVersion, parley),
      code(texts.editorVersion, editor),
      code(texts.platform, platform),
      ...(remote === undefined ? [] : [code(texts.remote, remote)]),
      words(texts.ui, ui === 'web' ? texts.uiWeb : texts.uiDesktop),
      words(texts.trust, trusted ? texts.yes : texts.no, trusted ? undefined : 'warn'),
      words(
        texts.terminals,
        mode === 'pty' ? texts.terminalsPty : texts.terminalsPipes,
        mode === 'pty' ? undefined : 'warn',
      ),
      ...(problem === undefined ? [] : [words(texts.why, problem)]),
    ],
  };
}
