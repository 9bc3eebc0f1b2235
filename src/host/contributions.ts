/** Ids that package.json declares; a unit test compares the two. */
export const Command = {
  openChat: 'parley.openChat',
  openInEditor: 'parley.openInEditor',
  newSession: 'parley.newSession',
  selectAgent: 'parley.selectAgent',
  addAgent: 'parley.addAgent',
  setUpModel: 'parley.setUpModel',
  removeModelKey: 'parley.removeModelKey',
  openWalkthrough: 'parley.openWalkthrough',
  sendPrompt: 'parley.sendPrompt',
  cancelTurn: 'parley.cancelTurn',
  forceStop: 'parley.forceStop',
  restartAgent: 'parley.restartAgent',
  setMode: 'parley.setMode',
  authenticate: 'parley.authenticate',
  showPermission: 'parley.showPermission',
  listSessions: 'parley.listSessions',
  closeSession: 'parley.closeSession',
  deleteSession: 'parley.deleteSession',
  setConfigOption: 'parley.setConfigOption',
  logout: 'parley.logout',
  addSelection: 'parley.addSelection',
  addFile: 'parley.addFile',
  addFolder: 'parley.addFolder',
  addChanges: 'parley.addChanges',
  addProblem: 'parley.addProblem',
  addTerminalSelection: 'parley.addTerminalSelection',
  mcpServers: 'parley.mcpServers',
  permissionRules: 'parley.permissionRules',
  reviewChanges: 'parley.reviewChanges',
  undoTurn: 'parley.undoTurn',
  redoTurn: 'parley.redoTurn',
  keepFile: 'parley.keepFile',
  revertFile: 'parley.revertFile',
  keepAll: 'parley.keepAll',
  revertAll: 'parley.revertAll',
  keepHunk: 'parley.keepHunk',
  revertHunk: 'parley.revertHunk',
  sendComment: 'parley.sendComment',
  deleteComment: 'parley.deleteComment',
  followAgent: 'parley.followAgent',
  copyTranscript: 'parley.copyTranscript',
  exportTranscript: 'parley.exportTranscript',
  showLog: 'parley.showLog',
} as const;

export const Setting = {
  agents: 'parley.agents',
  defaultAgent: 'parley.defaultAgent',
  builtinProvider: 'parley.builtin.provider',
  builtinEndpoint: 'parley.builtin.endpoint',
  builtinModel: 'parley.builtin.model',
  builtinContextTokens: 'parley.builtin.contextTokens',
  permissionPrompt: 'parley.permission.prompt',
  follow: 'parley.follow',
  notifications: 'parley.notifications',
  sendOn: 'parley.composer.sendOn',
  terminalShow: 'parley.terminal.show',
  terminalKeep: 'parley.terminal.keep',
  permissionRules: 'parley.permission.rules',
} as const;

export const View = { chat: 'parley.chat' } as const;

/** Types of editor tabs whose pages come back after a reload of the window. */
export const PanelType = { chat: 'parley.chatEditor' } as const;

export const ContextKey = {
  turnRunning: 'parley.turnRunning',
  permissionOpen: 'parley.permissionOpen',
  /** The file of the active editor waits for a review. */
  reviewing: 'parley.reviewing',
} as const;
