import { splitCommandLine } from '../../core/agents/commandLine';
import {
  BUILT_IN_AGENT,
  parseAgents,
  type AgentDefinition,
  type DefinitionProblem,
} from '../../core/agents/definition';
import {
  foundAgents,
  freeName,
  KNOWN_AGENTS,
  type AgentRow,
  type FoundAgent,
  type FoundProgram,
  type KnownAgent,
} from '../../core/agents/knownAgents';
import { installedAsFound, type InstalledAgent } from '../../core/agents/registryInstalls';
import { isObject } from '../../core/json';

/** What the person chose to add. */
export type AddChoice =
  | { type: 'found'; agent: FoundAgent }
  | { type: 'known'; agent: KnownAgent }
  | { type: 'own' }
  | { type: 'registry' }
  | { type: 'settings' };

/** Gives a sentence for a text that can't be used. */
export type Check = (text: string) => string | undefined;

/** How the person is asked; undefined where they went away. */
export interface AddAgentDialog {
  choose(found: readonly FoundAgent[], others: readonly KnownAgent[]): Promise<AddChoice | undefined>;
  askLine(problem: Check): Promise<string | undefined>;
  askName(proposed: string, problem: Check): Promise<string | undefined>;
  /** Tells how to get an agent that is not there. */
  tellHowToGet(agent: KnownAgent): Promise<void>;
  openSettings(): Promise<void>;
  /** Shows the agents that can be installed. */
  openRegistry(): Promise<void>;
}

/** The sentences for the person. */
export interface AddAgentTexts {
  notFound(agent: string): string;
  noObject(): string;
  rowProblem(problem: DefinitionProblem): string;
  emptyLine(): string;
  openQuote(): string;
  emptyName(): string;
  takenName(name: string): string;
}

export interface AddAgentOptions {
  /** The agents of the settings, read anew each time. */
  definitions: () => readonly AgentDefinition[];
  /** The agents that were installed from the registry. */
  installed: () => readonly InstalledAgent[];
  /** The programs of known agents by their names. */
  programs: (anew: boolean) => Promise<ReadonlyMap<string, FoundProgram>>;
  /** `parley.agents` of the user settings alone, as it stands there. */
  readRows: () => unknown;
  writeRows: (rows: Record<string, unknown>) => Promise<void>;
  /** Opens a session with an agent of the settings. */
  open: (id: string) => Promise<void>;
  dialog: AddAgentDialog;
  texts: AddAgentTexts;
  windows: boolean;
}

/** Adds agents to the user settings, each because the person asked for it, and opens a session with it. */
export class AddAgent {
  constructor(private readonly options: AddAgentOptions) {}

  /** The agents that were installed from the registry, and the known ones on this machine. */
  async found(anew: boolean): Promise<FoundAgent[]> {
    const { programs, definitions, installed } = this.options;
    const found = foundAgents(await programs(anew), definitions(), this.taken());
    return [...installedAsFound(installed(), definitions()), ...found];
  }

  /**
   * Opens a session with a known agent that was found; one that the settings do not have yet is added first.
   *
   * @throws a sentence for the person
   */
  async use(id: string): Promise<void> {
    const { texts, open } = this.options;
    const found = (await this.found(false)).find((agent) => agent.id === id);
    if (!found) throw new Error(texts.notFound(KNOWN_AGENTS.find((one) => one.id === id)?.title ?? id));
    await open(found.configured ?? (await this.add(found.name, found.row)));
  }

  /** Asks what to add, and adds it. */
  async ask(): Promise<void> {
    const { dialog } = this.options;
    const found = await this.found(true);
    const others = KNOWN_AGENTS.filter(({ id }) => !found.some((agent) => agent.id === id));
    const choice = await dialog.choose(found, others);
    if (choice?.type === 'found') await this.use(choice.agent.id);
    if (choice?.type === 'known') await dialog.tellHowToGet(choice.agent);
    if (choice?.type === 'registry') await dialog.openRegistry();
    if (choice?.type === 'settings') await dialog.openSettings();
    if (choice?.type === 'own') await this.askOwn();
  }

  private async askOwn(): Promise<void> {
    const { dialog, open } = this.options;
    const line = await dialog.askLine((text) => this.lineProblem(text));
    const [command, ...args] = line === undefined ? [] : this.words(line);
    if (command === undefined) return;
    const title = command.split(/[\\/]/).at(-1) ?? command;
    const name = await dialog.askName(freeName(title, this.taken()), (text) => this.nameProblem(text));
    if (name === undefined) return;
    await open(await this.add(name.trim(), { command, ...(args.length > 0 ? { args } : {}) }));
  }

  /** Writes a row beside those that stand there; gives its name. */
  private async add(name: string, row: AgentRow): Promise<string> {
    const { texts, readRows, writeRows } = this.options;
    const rows = readRows() ?? {};
    if (!isObject(rows)) throw new Error(texts.noObject());
    const [problem] = parseAgents({ [name]: row }).problems;
    if (problem) throw new Error(texts.rowProblem(problem));
    await writeRows({ ...rows, [name]: row });
    return name;
  }

  private words(line: string): string[] {
    const words = splitCommandLine(line, this.options.windows);
    return typeof words === 'string' ? [] : words;
  }

  private lineProblem(line: string): string | undefined {
    const { texts, windows } = this.options;
    const words = splitCommandLine(line, windows);
    if (words === 'empty') return texts.emptyLine();
    return words === 'openQuote' ? texts.openQuote() : undefined;
  }

  private nameProblem(text: string): string | undefined {
    const { texts } = this.options;
    const name = text.trim();
    if (name === '') return texts.emptyName();
    return this.taken().includes(name) ? texts.takenName(name) : undefined;
  }

  /** Names that a new row must not have; those of rows that can't be used are taken as well. */
  private taken(): string[] {
    const { definitions, installed, readRows } = this.options;
    const rows = readRows();
    return [
      BUILT_IN_AGENT,
      ...definitions().map(({ id }) => id),
      ...installed().map(({ name }) => name),
      ...(isObject(rows) ? Object.keys(rows) : []),
    ];
  }
}
