/**
 * The only importer of the protocol's types. They come from the official SDK, as types alone: nothing of it is in a bundle.
 */
export type {
  AgentCapabilities,
  AuthMethod,
  AuthenticateRequest,
  CancelNotification,
  ClientCapabilities,
  ContentBlock,
  CreateTerminalRequest,
  CreateTerminalResponse,
  EnvVariable,
  Implementation,
  InitializeRequest,
  InitializeResponse,
  KillTerminalRequest,
  LoadSessionRequest,
  ListSessionsResponse,
  LoadSessionResponse,
  McpServer,
  NewSessionRequest,
  NewSessionResponse,
  PermissionOption,
  PermissionOptionKind,
  PlanEntry,
  PromptRequest,
  PromptResponse,
  ReadTextFileRequest,
  ReadTextFileResponse,
  ReleaseTerminalRequest,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionConfigOption,
  SessionModeState,
  SessionNotification,
  SessionUpdate,
  SetSessionConfigOptionRequest,
  SetSessionConfigOptionResponse,
  SetSessionModeRequest,
  StopReason,
  TerminalExitStatus,
  TerminalOutputRequest,
  TerminalOutputResponse,
  ToolCall,
  ToolCallContent,
  ToolCallUpdate,
  ToolKind,
  WaitForTerminalExitRequest,
  WaitForTerminalExitResponse,
  WriteTextFileRequest,
} from '@agentclientprotocol/sdk';

/** The version of the protocol that Parley speaks, as client and as agent (IN-2). */
export const PROTOCOL_VERSION = 1;

/** Methods that a client calls on an agent. */
export const AgentMethod = {
  initialize: 'initialize',
  authenticate: 'authenticate',
  newSession: 'session/new',
  logout: 'logout',
  loadSession: 'session/load',
  resumeSession: 'session/resume',
  listSessions: 'session/list',
  closeSession: 'session/close',
  deleteSession: 'session/delete',
  setMode: 'session/set_mode',
  setConfigOption: 'session/set_config_option',
  prompt: 'session/prompt',
  cancel: 'session/cancel',
} as const;

/** Methods that an agent calls on a client. */
export const ClientMethod = {
  update: 'session/update',
  requestPermission: 'session/request_permission',
  readTextFile: 'fs/read_text_file',
  writeTextFile: 'fs/write_text_file',
  createTerminal: 'terminal/create',
  terminalOutput: 'terminal/output',
  waitForTerminalExit: 'terminal/wait_for_exit',
  killTerminal: 'terminal/kill',
  releaseTerminal: 'terminal/release',
  createElicitation: 'elicitation/create',
  completeElicitation: 'elicitation/complete',
} as const;

/** The key of Parley's own extension in `_meta` (client-duties, section d.3). */
export const LOOP_META = 'parley.agentLoop';

/** Notifications of the agent loop: one pair per model call, sent only to clients that announced `turnEvents`. */
export const LoopMethod = { turnStart: '_parley/turn_start', turnEnd: '_parley/turn_end' } as const;

/** JSON-RPC error codes that the protocol gives a meaning (RP-3). */
export const ErrorCode = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  cancelled: -32800,
  authRequired: -32000,
  notFound: -32002,
} as const;
