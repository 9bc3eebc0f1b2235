import type { Attachment } from '../chat/attachment';
import type { FormView } from '../elicitation/form';
import type { ErrorView } from '../errors';
import type { AskedCommand, PermissionRule } from '../permission/rules';
import type { ChangesView } from '../review/changes';
import type { EntryBase } from './entryBase';
import type { SyntheticEntry } from './synthetic';
import type { EndEntry, TurnState } from './turn';

/** `none`: nothing started; `auth`: connected, but the agent wants a sign-in before it opens a session. */
export type ConnectionStatus = 'none' | 'connecting' | 'ready' | 'exited' | 'auth';

/** What a person sees of a content block; `hidden` where it is meant for the model alone, and so only shown on demand (CO-6). */
export type BlockView = BlockContent & { hidden?: true };

/** The content of a block (CO-1..CO-7); every type is at least named. */
export type BlockContent =
  | { type: 'text'; text: string }
  | { type: 'image'; mimeType: string; data?: string; uri?: string }
  | { type: 'audio'; mimeType: string }
  | { type: 'resource'; uri: string; mimeType?: string; text?: string }
  | { type: 'link'; uri: string; name: string; title?: string }
  | { type: 'unknown'; name: string };

export interface UserEntry extends EntryBase {
  kind: 'user';
  blocks: BlockView[];
  /** True for what the person sent here; false for what the agent said that they sent. */
  own: boolean;
  messageId?: string;
  /** True where the agent refused the turn: it does not remember this prompt nor what followed in the turn (PT-9). */
  dropped?: boolean;
}

/** A message or a thought: adjacent text chunks are one block. */
export interface MessageEntry extends EntryBase {
  kind: 'agent' | 'thought';
  blocks: BlockView[];
  messageId?: string;
  /** ms since the epoch. */
  startedAt: number;
  /** ms since the epoch of the last chunk. */
  lastAt: number;
  /** The model call that it came of has ended. */
  whole?: true;
}

export type WireStatus = 'pending' | 'in_progress' | 'completed' | 'failed';

/** The wire's statuses plus our own (architecture, section 7). */
export type ToolStatus = WireStatus | 'waiting' | 'rejected' | 'cancelled' | 'interrupted';

export interface DiffLine {
  sign: ' ' | '+' | '-';
  text: string;
}

export interface DiffHunk {
  /** 1-based first line in the old and in the new text. */
  oldStart: number;
  newStart: number;
  lines: DiffLine[];
}

export interface DiffView {
  added: number;
  removed: number;
  hunks: DiffHunk[];
  /** True where lines were left out for size; the whole diff is behind "Open diff". */
  truncated: boolean;
}

export type ToolContent =
  | { type: 'block'; block: BlockView }
  | { type: 'diff'; path: string; isNew: boolean; diff: DiffView; ref: string }
  | { type: 'terminal'; terminalId: string };

export interface ToolLocation {
  path: string;
  /** 1-based. */
  line?: number;
}

export type OptionKind = 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always' | 'other';

export interface PermissionOptionView {
  optionId: string;
  name: string;
  kind: OptionKind;
}

export interface PermissionView extends AskedCommand {
  requestId: string;
  options: PermissionOptionView[];
  /** Rules that would answer questions like this one; made only if the person says so. */
  offer?: PermissionRule[];
  /** Absent while the question is open. */
  outcome?: { optionId: string; name: string; kind: OptionKind } | 'cancelled';
  /** The person's rule that answered, in words; absent where the person did. */
  rule?: string;
}

export interface ToolEntry extends EntryBase {
  kind: 'tool';
  toolCallId: string;
  title: string;
  name?: string;
  toolKind: string;
  /** What is shown; follows from `wire`, `settled` and open permissions. */
  status: ToolStatus;
  /** What the agent said last. */
  wire: WireStatus;
  /** Our own verdict on a call that the agent left open. */
  settled?: 'rejected' | 'cancelled' | 'interrupted';
  content: ToolContent[];
  locations: ToolLocation[];
  /** JSON text, capped. */
  rawInput?: string;
  rawOutput?: string;
  /** The command of an execute call, where one is found in the input. */
  command?: string;
  permissions: PermissionView[];
  /** The model call that asked for it, where the agent says so. */
  modelCallId?: string;
  startedAt: number;
  endedAt?: number;
}

export interface PlanItem {
  content: string;
  priority: string;
  status: string;
}

/** A finished plan, kept in the transcript. */
export interface PlanEntry extends EntryBase {
  kind: 'plan';
  items: PlanItem[];
}

export interface NoticeEntry extends EntryBase {
  kind: 'notice';
  severity: string;
  title: string;
  description?: string;
  /** A folder that the session was refused, which the person may allow it. Set by Parley alone, never by an agent. */
  folder?: string;
  /** The person allowed the folder. */
  allowed?: boolean;
}

export interface ErrorEntry extends EntryBase {
  kind: 'error';
  error: ErrorView;
}

/** The agent shortened what it remembers (NO-3, NO-4). */
export interface CompactionEntry extends EntryBase {
  kind: 'compaction';
  compactionId: string;
  /** `in_progress`, `completed`, `failed`, `cancelled`, or what the agent says. */
  status: string;
  summary: BlockView[];
  error?: string;
}

export type ElicitationAction = 'accept' | 'decline' | 'cancel';

/** A question of the agent that is answered by a form or on a web page (EL-1). */
export interface ElicitationEntry extends EntryBase {
  kind: 'elicitation';
  requestId: string;
  message: string;
  /** The form to fill in; absent in URL mode. */
  form?: FormView;
  /** The page to open, as the agent sent it; absent in form mode. */
  url?: string;
  /** Absent while the question is open. Answers are never kept (EL-15). */
  outcome?: ElicitationAction;
  /** URL mode: the agent said that the page is done (EL-26). */
  completed?: boolean;
}

export type Entry =
  | UserEntry
  | SyntheticEntry
  | MessageEntry
  | ToolEntry
  | PlanEntry
  | NoticeEntry
  | ErrorEntry
  | EndEntry
  | CompactionEntry
  | ElicitationEntry;

/** Colours are those of the theme: `0`–`15` ANSI, else `#rrggbb`. */
export interface StyledRun {
  text: string;
  fg?: string;
  bg?: string;
  bold?: boolean;
  dim?: boolean;
  italic?: boolean;
  underline?: boolean;
}

export interface TerminalView {
  terminalId: string;
  command: string;
  cwd: string;
  startedAt: number;
  endedAt?: number;
  /** The last lines of the screen and its scrollback, as a terminal shows them. */
  lines: StyledRun[][];
  /** Lines that scrolled out of `lines`. */
  hiddenLines: number;
  exit?: { code: number | null; signal: string | null };
  released: boolean;
  /** The agent runs it itself: it is only shown. */
  agents?: true;
}

export interface CommandView {
  name: string;
  description: string;
  hint?: string;
}

export interface ChoiceView {
  value: string;
  name: string;
  description?: string;
  group?: string;
}

/** One control of the composer: a config option, or the legacy modes under the id `mode` (MO-4). */
export type ConfigView =
  | {
      id: string;
      name: string;
      category?: string;
      type: 'select';
      value: string;
      choices: ChoiceView[];
      legacyMode: boolean;
    }
  | { id: string; name: string; category?: string; type: 'boolean'; value: boolean };

export interface UsageView {
  used: number;
  size: number;
  cost?: { amount: number; currency: string };
}

export interface AuthMethodView {
  id: string;
  name: string;
  description?: string;
  /** `agent`: by the protocol; `terminal`: the agent's own program in a terminal (AU-6); `unknown`: shown, but disabled (AU-12). */
  type: 'agent' | 'terminal' | 'unknown';
  /** Of a kind that Parley can't go: names of environment variables that the agent reads instead. */
  variables?: string[];
}

/** What the connected agent takes and can do; all false until it introduced itself (IN-7). */
export interface Abilities {
  /** Content of prompts (PT-3). */
  image: boolean;
  audio: boolean;
  embeddedContext: boolean;
  load: boolean;
  resume: boolean;
  list: boolean;
  close: boolean;
  delete: boolean;
  logout: boolean;
}

/** A prompt that waits for the end of the turn. */
export interface QueuedPrompt {
  id: string;
  text: string;
  attachments: Attachment[];
}

export interface QueueState {
  items: QueuedPrompt[];
  /** Nothing is sent until the person says so: after Stop, after a failure, after a reload. */
  paused: boolean;
}

export type BannerAction = 'restart' | 'showLog' | 'diagnose' | 'openSettings' | 'selectAgent' | 'newSession';

export interface Banner {
  severity: 'error' | 'warning' | 'info';
  message: string;
  /** Last lines of the agent's stderr, or the like. */
  detail?: string;
  actions: BannerAction[];
}

/** One session as data: plain JSON, the same in the extension host and in the page. Changed by `applyAction` alone. */
export interface SessionState {
  /** `id` is the name in the settings; the rest is what the agent calls itself, `name` being the one for programs. */
  agent: { id: string; title: string; name?: string; version?: string };
  abilities: Abilities;
  agents: string[];
  connection: { status: ConnectionStatus; since: number };
  authMethods: AuthMethodView[];
  banner: Banner | null;
  sessionId: string | null;
  title: string | null;
  /** ISO 8601, as the agent said it (SI-1). */
  updatedAt: string | null;
  cwd: string | null;
  entries: Entry[];
  nextEntryId: number;
  /** toolCallId → index of its newest card in `entries`. Read and set by `byId.ts` alone, as all that goes by ids of agents. */
  toolIndex: Record<string, number>;
  /** compactionId → index of its entry in `entries`. */
  compactionIndex: Record<string, number>;
  turn: TurnState;
  queue: QueueState;
  plan: PlanItem[];
  commands: CommandView[];
  config: ConfigView[];
  usage: UsageView | null;
  terminals: Record<string, TerminalView>;
  /** What the agent changed, as far as it waits for a review. */
  changes: ChangesView;
  /** Kinds of update that Parley does not know, counted. */
  unknownUpdates: Record<string, number>;
}

/** Of an agent that has not introduced itself. */
export const NO_ABILITIES: Readonly<Abilities> = {
  image: false,
  audio: false,
  embeddedContext: false,
  load: false,
  resume: false,
  list: false,
  close: false,
  delete: false,
  logout: false,
};

/** A session before anything happened. */
export function emptySession(agentId: string): SessionState {
  return {
    agent: { id: agentId, title: agentId },
    abilities: { ...NO_ABILITIES },
    agents: [],
    connection: { status: 'none', since: 0 },
    authMethods: [],
    banner: null,
    sessionId: null,
    title: null,
    updatedAt: null,
    cwd: null,
    entries: [],
    nextEntryId: 1,
    toolIndex: {},
    compactionIndex: {},
    turn: { number: 0, status: 'idle', startedAt: 0, firstEntry: 0, echo: '' },
    queue: { items: [], paused: false },
    plan: [],
    commands: [],
    config: [],
    usage: null,
    terminals: {},
    changes: { turn: null, session: [] },
    unknownUpdates: {},
  };
}
