import type { McpServer } from '../../core/acp';
import { BUILT_IN_AGENT } from '../../core/agents/definition';
import type { Platform } from '../../core/launch/programPath';
import type { RemoteServer, ServerDefinition, StdioServer } from '../../core/mcp/config';
import { inputsOf, resolveServer, type VariableValues } from '../../core/mcp/variables';
import { visibleText } from '../../core/visibleText';
import {
  folderOf,
  folderSource,
  readSource,
  type ConfigSource,
  type ConfiguredServer,
  type ReadText,
  type SourceContent,
  type WorkspaceFolder,
} from './configSources';
import type { InputAnswers } from './inputAnswers';
import { remoteOffer, stdioOffer, workingFolder, type LaunchContext, type Offer } from './offeredServer';
import type { ServerProblem } from './serverProblem';
import type { ServerSwitches } from './serverSwitches';

/** Transports that an agent supports besides stdio (MC-4). */
export interface Transports {
  http: boolean;
  sse: boolean;
}

/** What an agent gets, and what is left out with a sentence for the person. */
export interface OfferedServers {
  servers: McpServer[];
  dropped: { name: string; reason: string }[];
}

/** A line of the list in which a person turns servers on and off. */
export interface ServerChoice {
  name: string;
  /** Where it is configured. */
  from: string;
  on: boolean;
  /** Why it can't be used as it is. */
  problem?: string;
}

/** Shows the list; `forget` is the wish to delete the kept answers, undefined that nothing changes. */
export interface ServerPicker {
  pick(agentId: string, choices: readonly ServerChoice[]): Promise<ServerChoice[] | 'forget' | undefined>;
  /** Says why there is no list: the agent uses none, no server is configured, or a file can't be used. */
  say(why: { what: 'usesNone'; agentId: string } | { what: 'noServers'; reason?: string }): void;
}

/** Localised sentences. */
export interface McpTexts {
  reason(problem: ServerProblem): string;
  from(source: ConfigSource): string;
}

export interface McpServersOptions {
  isTrusted(): boolean;
  /** Folders of the workspace on this machine. */
  folders(): readonly WorkspaceFolder[];
  /** The person's own `mcp.json`; absent where it lies on another machine. */
  userFile: string | undefined;
  userHome: string;
  platform: Platform;
  readText: ReadText;
  /** Environment of the login shell. */
  environment(): Promise<Readonly<Record<string, string | undefined>>>;
  inputs: InputAnswers;
  switches: ServerSwitches;
  picker: ServerPicker;
  texts: McpTexts;
  log(line: string): void;
}

/** The MCP servers that are configured in VS Code, as agents get them (MC-1 to MC-6). */
export class McpServers {
  constructor(private readonly options: McpServersOptions) {}

  /**
   * The servers that an agent gets for a session in a folder. Inputs that are not known yet are asked for; a person who cancels one
   * drops the server. In a workspace that is not trusted there are none: also a person's own server would run in its folder. The
   * built-in agent uses none, so nobody is asked for its sake.
   */
  async serversFor(agentId: string, cwd: string, transports: Transports): Promise<OfferedServers> {
    const offered: OfferedServers = { servers: [], dropped: [] };
    if (!this.options.isTrusted() || agentId === BUILT_IN_AGENT) return offered;
    const { platform, switches, texts } = this.options;
    const folder = folderOf(cwd, this.options.folders(), platform.windows);
    const contents = await this.read([...(folder ? [folderSource(folder)] : []), ...this.userSources()]);
    for (const { source, problem } of contents)
      if (problem) offered.dropped.push({ name: visibleText(nameOf(source)), reason: texts.reason(problem) });
    const servers = contents
      .flatMap((content) => content.servers)
      .filter(({ source, name }) => switches.isOn(agentId, source, name));
    for (const server of firstOfEachName(servers)) {
      const offer = await this.offer(server, { cwd, folder, transports });
      if ('server' in offer) offered.servers.push(offer.server);
      else offered.dropped.push({ name: visibleText(server.name), reason: texts.reason(offer.problem) });
    }
    this.report(agentId, offered);
    return offered;
  }

  /** Lets a person choose which servers an agent gets from the next session on; remembered per agent. */
  async choose(agentId: string): Promise<void> {
    const { picker, switches, texts, inputs } = this.options;
    if (agentId === BUILT_IN_AGENT) {
      picker.say({ what: 'usesNone', agentId });
      return;
    }
    const folders = this.options.isTrusted() ? this.options.folders() : [];
    const sources = [...folders.map(folderSource), ...this.userSources()];
    const contents = await this.read(sources);
    const servers = contents.flatMap((content) => content.servers);
    if (servers.length === 0) {
      const broken = contents.find(({ problem }) => problem);
      picker.say({
        what: 'noServers',
        ...(broken?.problem ? { reason: `${nameOf(broken.source)}: ${texts.reason(broken.problem)}` } : {}),
      });
      return;
    }
    const rows = servers.map(({ name, source, problem }) => ({
      source,
      choice: {
        name,
        from: texts.from(source),
        on: switches.isOn(agentId, source, name),
        ...(problem ? { problem: texts.reason(problem) } : {}),
      },
    }));
    const picked = await picker.pick(
      agentId,
      rows.map(({ choice }) => choice),
    );
    if (picked === 'forget') return this.forgetInputs();
    if (!picked) return;
    inputs.askAgain();
    await switches.set(
      agentId,
      rows.map(({ source, choice }) => ({ source, name: choice.name, on: picked.includes(choice) })),
    );
  }

  /** Deletes the kept answers to inputs of all workspaces. */
  forgetInputs(): Promise<void> {
    return this.options.inputs.forget();
  }

  private userSources(): ConfigSource[] {
    const { userFile } = this.options;
    return userFile === undefined ? [] : [{ file: userFile }];
  }

  private read(sources: readonly ConfigSource[]): Promise<(SourceContent & { source: ConfigSource })[]> {
    const { readText } = this.options;
    return Promise.all(sources.map(async (source) => ({ source, ...(await readSource(source, readText)) })));
  }

  private async offer(row: ConfiguredServer, session: SessionPlace): Promise<Offer> {
    const { definition, problem } = row;
    if (!definition) return { problem: problem ?? { cause: 'notObject' } };
    const { transport } = definition;
    if (transport !== 'stdio' && !session.transports[transport])
      return { problem: { cause: 'transportUnsupported', transport } };
    const values = await this.values(session);
    const answers = await this.answers(row, definition, values);
    if ('problem' in answers) return answers;
    const all = { ...values, ...answers };
    return definition.transport === 'stdio'
      ? this.offerProgram(row.source, definition, all, session.cwd)
      : offerRemote(definition, all);
  }

  private async offerProgram(
    source: ConfigSource,
    definition: StdioServer,
    values: VariableValues,
    cwd: string,
  ): Promise<Offer> {
    const resolved = resolveServer(definition, values);
    if ('unknown' in resolved) return unknownVariable(resolved.unknown);
    const { server } = resolved;
    const context = this.launchContext(source, values);
    if (server.cwd !== undefined && workingFolder(server, context) !== cwd)
      this.options.log(
        `The MCP server ${JSON.stringify(server.name)} asks for a folder of its own, which agents can't be told.`,
      );
    return stdioOffer(server, definition, context);
  }

  private async values({ folder }: SessionPlace): Promise<VariableValues> {
    const { userHome, platform } = this.options;
    return {
      ...(folder ? { folder: folder.path } : {}),
      folders: this.options.folders(),
      userHome,
      windows: platform.windows,
      env: await this.options.environment(),
      inputs: new Map(),
    };
  }

  /** The answers to the inputs of a server. Nobody is asked for a server that can't be used whatever they answer. */
  private async answers(
    { config, source }: ConfiguredServer,
    definition: ServerDefinition,
    values: VariableValues,
  ): Promise<{ inputs: Map<string, string> } | { problem: ServerProblem }> {
    const ids = inputsOf(definition);
    const known = ids.map((id) => config.inputs.find((input) => input.id === id) ?? id);
    for (const input of known) {
      if (typeof input !== 'string') continue;
      const bad = config.problems.find(({ row, name }) => row === 'input' && name === input)?.problem;
      const cause = bad === 'badInput' || bad === 'commandInput' ? bad : 'noInput';
      return { problem: { cause, input } };
    }
    const trial = resolveServer(definition, { ...values, inputs: new Map(ids.map((id) => [id, ''])) });
    if ('unknown' in trial) return unknownVariable(trial.unknown);
    const inputs = new Map<string, string>();
    for (const input of known) {
      if (typeof input === 'string') continue;
      const answer = await this.options.inputs.get(input, source);
      if (answer === undefined) return { problem: { cause: 'inputCancelled', input: input.id } };
      inputs.set(input.id, answer);
    }
    return { inputs };
  }

  private launchContext({ folder }: ConfigSource, { env }: VariableValues): LaunchContext {
    const { userHome, platform, readText } = this.options;
    return { base: folder?.path ?? userHome, userHome, env, platform, readText };
  }

  /** Names and transports alone: commands, addresses and variables may hold secrets (MC-6). */
  private report(agentId: string, { servers, dropped }: OfferedServers): void {
    if (servers.length + dropped.length === 0) return;
    const given = servers.map((server) => `${JSON.stringify(server.name)} (${transportOf(server)})`);
    const left = dropped.map(({ name }) => JSON.stringify(name));
    this.options.log(
      `MCP servers for ${agentId}: ${given.join(', ') || 'none'}${left.length > 0 ? `; left out: ${left.join(', ')}` : ''}`,
    );
  }
}

/** The session that servers are collected for. */
interface SessionPlace {
  cwd: string;
  folder: WorkspaceFolder | undefined;
  transports: Transports;
}

function offerRemote(definition: RemoteServer, values: VariableValues): Offer {
  const resolved = resolveServer(definition, values);
  return 'unknown' in resolved ? unknownVariable(resolved.unknown) : remoteOffer(resolved.server);
}

const unknownVariable = (variable: string): { problem: ServerProblem } => ({
  problem: { cause: 'unknownVariable', variable },
});

const nameOf = ({ file, folder }: ConfigSource): string => (folder ? '.vscode/mcp.json' : file);

const transportOf = (server: McpServer): string => ('type' in server ? server.type : 'stdio');

/** The first file comes first: the workspace wins over the person's own. */
function firstOfEachName(servers: readonly ConfiguredServer[]): ConfiguredServer[] {
  const names = new Set<string>();
  return servers.filter(({ name }) => !names.has(name) && names.add(name));
}
