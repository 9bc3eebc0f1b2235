/** Ids that package.json declares; a unit test compares the two. */
export const Command = {
  openChat: 'parley.openChat',
  newSession: 'parley.newSession',
  selectAgent: 'parley.selectAgent',
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
  mcpServers: 'parley.mcpServers',
  showLog: 'parley.showLog',
} as const;

export const Setting = {
  agents: 'parley.agents',
  defaultAgent: 'parley.defaultAgent',
  permissionPrompt: 'parley.permission.prompt',
} as const;

export const View = { chat: 'parley.chat' } as const;

export const ContextKey = {
  turnRunning: 'parley.turnRunning',
  permissionOpen: 'parley.permissionOpen',
} as const;
