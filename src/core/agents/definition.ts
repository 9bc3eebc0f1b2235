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
  /** Seconds that the agent may take to answer `initialize`. */
  startTimeout: number;
}

/** Seconds; cold starts of real agents take up to 16 s (architecture, section 7). */
const DEFAULT_START_TIMEOUT = 60;

/** The name of the agent that comes with Parley. */
export const BUILT_IN_AGENT = 'Built-in';

/** A row of the setting that can't be used, with a sentence that says why. */
export interface DefinitionProblem {
  id: string;
  problem:
    'notObject' | 'noCommand' | 'badArgs' | 'badEnv' | 'badCwd' | 'badShell' | 'badTimeout' | 'reservedName';
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
  const { command, args = [], env = {}, cwd, shell = false, startTimeout = DEFAULT_START_TIMEOUT } = row;
  if (typeof command !== 'string' || command.trim() === '') return 'noCommand';
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string')) return 'badArgs';
  if (!isObject(env) || !Object.values(env).every((item) => typeof item === 'string')) return 'badEnv';
  if (cwd !== undefined && typeof cwd !== 'string') return 'badCwd';
  if (typeof shell !== 'boolean') return 'badShell';
  if (typeof startTimeout !== 'number' || !(startTimeout > 0)) return 'badTimeout';
  return {
    id,
    command,
    args,
    env: env as Record<string, string>,
    shell,
    startTimeout,
    ...(cwd ? { cwd } : {}),
  };
}
