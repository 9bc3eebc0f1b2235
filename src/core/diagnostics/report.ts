import type { CapabilityRow } from './capabilities';

/** The last time that an agent was started in this window. */
export interface StartReport {
  /** ms since the epoch. */
  at: number;
  status: 'starting' | 'running' | 'ended' | 'failed';
  pid?: number;
  /** ms after the start at which its process was there and it had introduced itself; ms that opening its first session took. */
  times: { spawned?: number; initialized?: number; session?: number };
  exit?: { code: number | null; signal: string | null };
  /** Why it failed: one sentence for the person. */
  problem?: string;
  /** The last lines that it printed: stderr, and what was no message on stdout. */
  printed: string;
  /** `agentInfo` of its answer. */
  info: { name?: string; title?: string; version?: string };
  protocolVersion?: string;
  /** What Parley told the agent, and the agent told Parley. */
  announced: CapabilityRow[];
  capabilities: CapabilityRow[];
  authMethods: { name: string; id: string; type: string }[];
  /** Names of the MCP servers that the last session was given; undefined where none was asked for yet. */
  servers?: string[];
  habits: { name: string; reason: string }[];
}

/** How an agent is started. */
export interface LaunchReport {
  /** As the settings have it. */
  command: string;
  /** The file that runs; undefined where none can be found or run. */
  resolved?: string;
  /** Why nothing could run now: one sentence for the person. */
  problem?: string;
  /** True where the platform's shell runs it as a line, and finds it by itself. */
  shell: boolean;
  args: string[];
  cwd: string;
  cwdExists: boolean;
  /** Names of the variables that the definition adds. */
  variables: string[];
  /** Folders of the agent's PATH. */
  path: string[];
}

/** Everything that is known of an agent, for the person and for whoever is to help them. */
export interface AgentReport {
  /** Its name in the settings. */
  agent: string;
  /** ms since the epoch. */
  madeAt: number;
  /** Undefined where it can't be told; `launchProblem` says why. */
  launch?: LaunchReport;
  launchProblem?: string;
  /** Undefined for the built-in agent, which needs none but for its commands. */
  environment?: { source: 'shell' | 'editor'; shell?: string; ms?: number; problem?: string };
  /** Undefined where it was not started in this window. */
  start?: StartReport;
  sessions: { open: number; wantSignIn: boolean };
  terminals: { mode: 'pty' | 'pipes'; problem?: string };
  parley: string;
  editor: string;
  platform: string;
  /** Where the extension runs, if not on the person's machine. */
  remote?: string;
  ui: 'desktop' | 'web';
  trusted: boolean;
}
