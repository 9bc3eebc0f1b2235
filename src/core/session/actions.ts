import type { FormView } from '../elicitation/form';
import type { ErrorView } from '../errors';
import type { JsonObject } from '../json';
import type { PermissionRule } from '../permission/rules';
import type { ChangesView } from '../review/changes';
import type {
  Abilities,
  AuthMethodView,
  Banner,
  BlockView,
  CommandView,
  ConfigView,
  ConnectionStatus,
  ElicitationAction,
  PermissionOptionView,
  PlanItem,
  QueueState,
  StyledRun,
  ToolContent,
  ToolLocation,
  UsageView,
  WireStatus,
} from './state';
import type { LoopEnd, ModelCallEvent, TokenCounts } from './turn';

/** The fields of a tool call that a message brought; an absent field leaves what is there (TC-4). */
export interface ToolPatch {
  toolCallId: string;
  title?: string;
  name?: string;
  toolKind?: string;
  status?: WireStatus;
  content?: ToolContent[];
  locations?: ToolLocation[];
  rawInput?: string;
  rawOutput?: string;
  command?: string;
  modelCallId?: string;
}

/** A `session/update` after intake: checked, capped, and with diffs computed. */
export type SessionUpdate =
  | { kind: 'chunk'; role: 'user' | 'agent' | 'thought'; block: BlockView; messageId?: string }
  /** A message of the user that the agent wrote itself. */
  | { kind: 'synthetic'; block: BlockView; reason: string; n?: number; messageId?: string }
  | { kind: 'toolCall'; patch: ToolPatch }
  | { kind: 'toolCallUpdate'; patch: ToolPatch }
  | { kind: 'plan'; items: PlanItem[] }
  | { kind: 'commands'; commands: CommandView[] }
  | { kind: 'config'; config: ConfigView[] }
  | { kind: 'mode'; modeId: string }
  /** `interrupted`: the last turn never came to its end. */
  | { kind: 'info'; title?: string | null; updatedAt?: string | null; interrupted?: true }
  | { kind: 'usage'; usage: UsageView }
  /** Tokens of one more model call of the turn. */
  | { kind: 'tokens'; tokens: TokenCounts }
  /** `kept`: it came in the place of a message, and so belongs to the transcript. */
  | { kind: 'notice'; severity: string; title: string; description?: string; kept?: true }
  /** An absent field leaves what is there; null clears it (NO-3). */
  | {
      kind: 'compaction';
      compactionId: string;
      status?: string;
      summary?: BlockView[];
      error?: string | null;
    }
  | { kind: 'compactionChunk'; compactionId: string; block: BlockView }
  | { kind: 'unknown'; name: string };

/** Everything that can happen to a session. Ids and times (`at`, ms since the epoch) are in the action: the reducer makes none. */
export type SessionAction =
  /** `meta`: what came under `_meta`; kept in the stored transcript, shown nowhere (EX-7). */
  | { type: 'update'; update: SessionUpdate; at: number; meta?: JsonObject }
  | { type: 'agentsListed'; agents: string[] }
  | { type: 'connectionChanged'; status: ConnectionStatus; at: number }
  | {
      type: 'agentIntroduced';
      title: string;
      name?: string;
      version?: string;
      authMethods: AuthMethodView[];
      abilities: Abilities;
    }
  | { type: 'bannerShown'; banner: Banner | null }
  /** A session of the agent that is about to be opened. */
  | { type: 'sessionChosen'; sessionId: string; cwd: string | null; title: string | null }
  | { type: 'sessionOpened'; sessionId: string; cwd: string; config: ConfigView[]; fresh: boolean }
  | { type: 'configChanged'; config: ConfigView[] }
  | { type: 'configValueSet'; id: string; value: string | boolean }
  /** `queued`: id of the queued prompt that this is; it leaves the queue in the same step, so that it is sent exactly once. */
  | { type: 'promptSubmitted'; blocks: BlockView[]; at: number; queued?: string }
  | { type: 'queueChanged'; queue: QueueState }
  | ({ type: 'turnEnded'; turn: number; stopReason: string; at: number } & LoopEnd)
  | (ModelCallEvent & { at: number })
  | { type: 'turnFailed'; turn: number; error: ErrorView; at: number }
  | { type: 'cancelRequested'; at: number }
  | { type: 'agentLost'; at: number }
  | { type: 'noticeShown'; severity: string; title: string; description?: string; folder?: string }
  | { type: 'folderAllowed'; folder: string }
  | { type: 'changesShown'; changes: ChangesView }
  | {
      type: 'permissionRequested';
      requestId: string;
      patch: ToolPatch;
      options: PermissionOptionView[];
      cwd?: string;
      command?: string;
      offer?: PermissionRule[];
      at: number;
    }
  /** `rule`: the person's rule that answered, in words. */
  | { type: 'permissionAnswered'; requestId: string; optionId: string | null; rule?: string; at: number }
  | {
      type: 'elicitationRequested';
      requestId: string;
      message: string;
      form?: FormView;
      url?: string;
    }
  | { type: 'elicitationAnswered'; requestId: string; action: ElicitationAction }
  | { type: 'elicitationCompleted'; requestId: string }
  /** `agents`: the agent runs it itself; Parley only shows it. */
  | {
      type: 'terminalStarted';
      terminalId: string;
      command: string;
      cwd: string;
      agents?: true;
      at: number;
    }
  | { type: 'terminalScreen'; terminalId: string; from: number; lines: StyledRun[][]; hiddenLines: number }
  | { type: 'terminalExited'; terminalId: string; code: number | null; signal: string | null; at: number }
  | { type: 'terminalReleased'; terminalId: string };
