import { isObject } from '../json';

/** How to start an agent. */
export interface AgentDefinition {
  /** The name in the settings; what a person picks. */
  id: string;
  command: string;
  args: string[];
  env: Record<string, string>;
  /** Where the process runs; by default the session's folder. */
  cwd?: string;
  /** True runs `command` as a line of the platform's shell. */
  shell: boolean;
}

/** The name of the agent that comes with Parley. */
export const BUILT_IN_AGENT = 'Built-in';

/** A row of the setting that can't be used, with a sentence that says why. */
export interface DefinitionProblem {
  id: string;
  problem: 'notObject' | 'noCommand' | 'badArgs' | 'badEnv' | 'badCwd' | 'badShell' | 'reservedName';
}

/** Reads the setting `parley.agents`. Rows that are wrong are reported and left out; the others work. */
export function parseAgents(value: unknown): { agents: AgentDefinition[]; problems: DefinitionProblem[] } {
  const agents: AgentDefinition[] = [];
  const problems: DefinitionProblem[] = [];
  for (const [id, row] of Object.entries(isObject(value) ? value : {})) {
    const parsed = parseAgent(id, row);
    if (typeof parsed === 'string') problems.push({ id, problem: parsed });
    else agents.push(parsed);
  }
  return { agents, problems };
}

function parseAgent(id: string, row: unknown): AgentDefinition | DefinitionProblem['problem'] {
  if (id === BUILT_IN_AGENT) return 'reservedName';
  if (!isObject(row)) return 'notObject';
  const { command, args = [], env = {}, cwd, shell = false } = row;
  if (typeof command !== 'string' || command.trim() === '') return 'noCommand';
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string')) return 'badArgs';
  if (!isObject(env) || !Object.values(env).every((item) => typeof item === 'string')) return 'badEnv';
  if (cwd !== undefined && typeof cwd !== 'string') return 'badCwd';
  if (typeof shell !== 'boolean') return 'badShell';
  return { id, command, args, env: env as Record<string, string>, shell, ...(cwd ? { cwd } : {}) };
}
