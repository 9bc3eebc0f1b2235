import type { AgentDefinition } from './definition';

/** An agent that Parley knows how to start, without having asked it. */
export interface KnownAgent {
  id: string;
  /** Its name for people, and its name in the settings. */
  title: string;
  /** Names of its program, the usual one first. */
  commands: readonly [string, ...string[]];
  /** Arguments that make it speak the protocol on its standard input and output. */
  args: readonly string[];
  /** The line that installs it in a terminal; absent where its page has the way. */
  install?: string;
  /** Its page. */
  link: string;
}

/** Agents that people are likely to have. */
export const KNOWN_AGENTS: readonly KnownAgent[] = [
  {
    id: 'copilot',
    title: 'GitHub Copilot',
    commands: ['copilot'],
    args: ['--acp'],
    install: 'npm install -g @github/copilot',
    link: 'https://github.com/github/copilot-cli',
  },
  {
    id: 'claude',
    title: 'Claude Code',
    commands: ['claude-agent-acp', 'claude-code-acp'],
    args: [],
    install: 'npm install -g @agentclientprotocol/claude-agent-acp',
    link: 'https://github.com/agentclientprotocol/claude-agent-acp',
  },
  {
    id: 'codex',
    title: 'Codex',
    commands: ['codex-acp'],
    args: [],
    install: 'npm install -g @agentclientprotocol/codex-acp',
    link: 'https://github.com/agentclientprotocol/codex-acp',
  },
  {
    id: 'gemini',
    title: 'Gemini CLI',
    commands: ['gemini'],
    args: ['--acp'],
    install: 'npm install -g @google/gemini-cli',
    link: 'https://github.com/google-gemini/gemini-cli',
  },
  {
    id: 'opencode',
    title: 'OpenCode',
    commands: ['opencode'],
    args: ['acp'],
    install: 'npm install -g opencode-ai',
    link: 'https://opencode.ai/docs',
  },
  {
    id: 'cursor',
    title: 'Cursor CLI',
    commands: ['cursor-agent'],
    args: ['acp'],
    link: 'https://cursor.com/docs/cli/acp',
  },
  {
    id: 'qwen',
    title: 'Qwen Code',
    commands: ['qwen'],
    args: ['--acp'],
    install: 'npm install -g @qwen-code/qwen-code',
    link: 'https://github.com/QwenLM/qwen-code',
  },
  {
    id: 'kimi',
    title: 'Kimi CLI',
    commands: ['kimi'],
    args: ['acp'],
    link: 'https://github.com/MoonshotAI/kimi-cli',
  },
  {
    id: 'goose',
    title: 'Goose',
    commands: ['goose'],
    args: ['acp'],
    link: 'https://block.github.io/goose/docs/guides/acp-clients',
  },
  {
    id: 'cline',
    title: 'Cline',
    commands: ['cline'],
    args: ['--acp'],
    install: 'npm install -g cline',
    link: 'https://github.com/cline/cline',
  },
  {
    id: 'kilo',
    title: 'Kilo Code',
    commands: ['kilo'],
    args: ['acp'],
    install: 'npm install -g @kilocode/cli',
    link: 'https://github.com/Kilo-Org/kilocode',
  },
  {
    id: 'pi',
    title: 'Pi',
    commands: ['pi-acp'],
    args: [],
    install: 'npm install -g pi-acp',
    link: 'https://github.com/svkozak/pi-acp',
  },
  {
    id: 'auggie',
    title: 'Auggie',
    commands: ['auggie'],
    args: ['--acp'],
    install: 'npm install -g @augmentcode/auggie',
    link: 'https://docs.augmentcode.com/cli/overview',
  },
  {
    id: 'droid',
    title: 'Droid',
    commands: ['droid'],
    args: ['exec', '--output-format', 'acp'],
    install: 'npm install -g droid',
    link: 'https://docs.factory.ai',
  },
  {
    id: 'vibe',
    title: 'Mistral Vibe',
    commands: ['vibe-acp'],
    args: [],
    link: 'https://github.com/mistralai/mistral-vibe',
  },
  {
    id: 'kiro',
    title: 'Kiro CLI',
    commands: ['kiro-cli'],
    args: ['acp'],
    link: 'https://kiro.dev/docs/cli/acp',
  },
];

/** A program that was found. */
export interface FoundProgram {
  path: string;
  /** True where its bare name leads to it and to nothing else; false where the name might start a file of the project. */
  byName: boolean;
}

/** A row of `parley.agents`, as it is written. */
export interface AgentRow {
  command: string;
  args?: string[];
}

/** A known agent that is on this machine. */
export interface FoundAgent {
  id: string;
  title: string;
  /** Where its program lies. */
  path: string;
  /** What starts it. */
  row: AgentRow;
  /** The name of the agent of the settings that starts it already; null where there is none. */
  configured: string | null;
  /** Its version, where it was installed from the registry. */
  installed?: string;
  /** The name that its row gets where it is added. */
  name: string;
}

/** Every program name that may belong to a known agent. */
export const knownCommands = (): string[] => KNOWN_AGENTS.flatMap(({ commands }) => commands);

type Definition = Pick<AgentDefinition, 'id' | 'command' | 'args'>;

/**
 * The known agents among the programs that were found, by their names, in the order of the table.
 *
 * @param taken names that no new row may have
 */
export function foundAgents(
  programs: ReadonlyMap<string, FoundProgram>,
  configured: readonly Definition[],
  taken: readonly string[] = [],
): FoundAgent[] {
  return KNOWN_AGENTS.flatMap((agent) => {
    const name = agent.commands.find((command) => programs.has(command)) ?? agent.commands[0];
    const program = programs.get(name);
    if (!program) return [];
    const own = configured.find((definition) => startsKnown(definition, agent));
    const row = rowFor(name, program, agent.args);
    const { id, title } = agent;
    return [
      { id, title, path: program.path, row, configured: own?.id ?? null, name: freeName(title, taken) },
    ];
  });
}

/** The line that a row starts, for people. */
export const lineOf = ({ command, args = [] }: AgentRow): string => [command, ...args].join(' ');

/** Whether a definition starts a known agent: by its program, or through another one that gets its name. */
function startsKnown({ command, args }: Definition, { commands, install }: KnownAgent): boolean {
  const pack = install?.split(' ').at(-1);
  const names = [command, ...args].map(programName);
  return names.some((name) => commands.includes(name)) || args.some((arg) => withoutVersion(arg) === pack);
}

const programName = (path: string): string =>
  (path.split(/[\\/]/).at(-1) ?? path).replace(/\.(exe|cmd|bat|ps1)$/i, '');

const withoutVersion = (pack: string): string => pack.replace(/(.)@[^@/]*$/, '$1');

/** By name, so that an update in another folder is used as well, where that is safe. */
function rowFor(name: string, { path, byName }: FoundProgram, args: readonly string[]): AgentRow {
  return { command: byName ? name : path, ...(args.length > 0 ? { args: [...args] } : {}) };
}

/** The title, or the title with a number where that name is taken. */
export function freeName(title: string, taken: readonly string[]): string {
  let name = title;
  for (let number = 2; taken.includes(name); number++) name = `${title} ${number}`;
  return name;
}
