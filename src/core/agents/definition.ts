import { compact, isObject } from '../json';

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

/** What each field must be, checked in this order; absent fields have defaults. */
const CHECKS: readonly [
  field: string,
  problem: DefinitionProblem['problem'],
  valid: (value: unknown) => boolean,
][] = [
  ['command', 'noCommand', (value) => typeof value === 'string' && value.trim() !== ''],
  ['args', 'badArgs', (value) => Array.isArray(value) && value.every((arg) => typeof arg === 'string')],
  [
    'env',
    'badEnv',
    (value) => isObject(value) && Object.values(value).every((item) => typeof item === 'string'),
  ],
  ['cwd', 'badCwd', (value) => value === undefined || typeof value === 'string'],
  ['shell', 'badShell', (value) => typeof value === 'boolean'],
  ['startTimeout', 'badTimeout', (value) => typeof value === 'number' && value > 0],
];

function parseAgent(id: string, row: unknown): AgentDefinition | DefinitionProblem['problem'] {
  if (id === BUILT_IN_AGENT) return 'reservedName';
  if (!isObject(row)) return 'notObject';
  const filled: Record<string, unknown> = {
    args: [],
    env: {},
    shell: false,
    startTimeout: DEFAULT_START_TIMEOUT,
    ...row,
  };
  const wrong = CHECKS.find(([field, , valid]) => !valid(filled[field]));
  if (wrong) return wrong[1];
  const { command, args, env, cwd, shell, startTimeout } = filled;
  return compact({ id, command, args, env, cwd, shell, startTimeout }) as unknown as AgentDefinition;
}
