import type { ErrorView } from '../errors';
import type {
  AuthMethodView,
  Banner,
  BlockView,
  CommandView,
  ConfigView,
  ConnectionStatus,
  PermissionOptionView,
  PlanItem,
  StyledRun,
  ToolContent,
  ToolLocation,
  UsageView,
  WireStatus,
} from './state';

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
}

/** A `session/update` after intake: checked, capped, and with diffs computed. */
export type SessionUpdate =
  | { kind: 'chunk'; role: 'user' | 'agent' | 'thought'; block: BlockView; messageId?: string }
  | { kind: 'toolCall'; patch: ToolPatch }
  | { kind: 'toolCallUpdate'; patch: ToolPatch }
  | { kind: 'plan'; items: PlanItem[] }
  | { kind: 'commands'; commands: CommandView[] }
  | { kind: 'config'; config: ConfigView[] }
  | { kind: 'mode'; modeId: string }
  | { kind: 'info'; title?: string | null }
  | { kind: 'usage'; usage: UsageView }
  | { kind: 'notice'; severity: string; title: string; description?: string }
  | { kind: 'unknown'; name: string };

/** Everything that can happen to a session. Ids and times (`at`, ms since the epoch) are in the action: the reducer makes none. */
export type SessionAction =
  | { type: 'update'; update: SessionUpdate; at: number }
  | { type: 'agentsListed'; agents: string[] }
  | { type: 'agentSelected'; id: string }
  | { type: 'connectionChanged'; status: ConnectionStatus; at: number }
  | { type: 'agentIntroduced'; title: string; name?: string; version?: string; authMethods: AuthMethodView[] }
  | { type: 'bannerShown'; banner: Banner | null }
  | { type: 'sessionOpened'; sessionId: string; cwd: string; config: ConfigView[]; fresh: boolean }
  | { type: 'configChanged'; config: ConfigView[] }
  | { type: 'configValueSet'; id: string; value: string | boolean }
  | { type: 'promptSubmitted'; blocks: BlockView[]; at: number }
  | {
      type: 'turnEnded';
      turn: number;
      stopReason: string;
      at: number;
      modelCalls?: number;
      taskComplete?: string;
    }
  | { type: 'turnFailed'; turn: number; error: ErrorView; at: number }
  | { type: 'cancelRequested'; at: number }
  | { type: 'agentLost'; at: number }
  | { type: 'noticeShown'; severity: string; title: string; description?: string }
  | {
      type: 'permissionRequested';
      requestId: string;
      patch: ToolPatch;
      options: PermissionOptionView[];
      at: number;
    }
  | { type: 'permissionAnswered'; requestId: string; optionId: string | null; at: number }
  | { type: 'terminalStarted'; terminalId: string; command: string; cwd: string; at: number }
  | { type: 'terminalScreen'; terminalId: string; from: number; lines: StyledRun[][]; hiddenLines: number }
  | { type: 'terminalExited'; terminalId: string; code: number | null; signal: string | null; at: number }
  | { type: 'terminalReleased'; terminalId: string };
