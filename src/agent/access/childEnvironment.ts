/** The environment of programs that the agent starts: the agent's own, without its settings and keys, which are for nobody else. */
export function childEnvironment(own: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  // ELECTRON_RUN_AS_NODE: the editor may have started the agent with it; a program that is an Electron one must not inherit it.
  const isOwn = (name: string): boolean => /^(PARLEY_AGENT_|ELECTRON_RUN_AS_NODE$)/i.test(name);
  return Object.fromEntries(Object.entries(own).filter(([name]) => !isOwn(name)));
}
