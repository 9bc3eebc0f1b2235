import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { TerminalPort } from '../../acp/agentClient';
import { WireError } from '../../core/errors';
import type { JsonObject } from '../../core/json';
import type { Disposable } from '../../core/lifecycle';
import type { SessionAction } from '../../core/session/actions';
import { AgentTerminal } from '../terminal/agentTerminal';
import {
  CommandLineError,
  commandEnvironment,
  displayCommand,
  planCommand,
  type CommandPlan,
  type CommandRequest,
} from '../terminal/commandLine';
import { parseCreate, thisPlatform, type CreateRequest } from '../terminal/createRequest';
import { failedCommand } from '../terminal/pipeProcess';
import type { TerminalPresenter } from '../terminal/presenter';
import type { PtyProcess, TerminalExit, TerminalSpawner } from '../terminal/ptyProcess';
import { PtySpawner } from '../terminal/ptySpawner';

/** Tabs of released commands that stay open. */
const KEPT_TABS = 10;
/** UTF-16 units of a command in the title of its tab. */
const TITLE = 60;

export interface TerminalBridgeOptions {
  /** Undefined for a session that is not open. `sessionId` is Parley's key, here and below. */
  session(sessionId: string): { cwd: string } | undefined;
  /** The environment of the person's shell. */
  environment(): Promise<NodeJS.ProcessEnv>;
  dispatch(sessionId: string, action: SessionAction): void;
  agentTitle(sessionId: string): string;
  /** Folder of the extension; node-pty is in its `dist`. */
  extensionPath: string;
  presenter: TerminalPresenter;
  log(line: string): void;
  /** Replaces node-pty, in tests. */
  spawner?: TerminalSpawner;
}

interface Entry {
  sessionId: string;
  terminal: AgentTerminal;
}

/** Runs the commands of agents, each in a terminal of its own (TE-1 to TE-16). */
export class TerminalBridge implements TerminalPort, Disposable {
  /** Those that the agent may name. */
  private readonly terminals = new Map<string, Entry>();
  /** The last ones that it gave back: their tabs stay readable. */
  private readonly released = new Map<string, Entry>();
  /** Whose processes may still run, released or not. */
  private readonly living = new Set<Entry>();
  private readonly spawner: TerminalSpawner;
  private disposed = false;

  constructor(private readonly options: TerminalBridgeOptions) {
    this.spawner =
      options.spawner ??
      new PtySpawner({
        nodePty: join(options.extensionPath, 'dist', 'node-pty', 'lib', 'index.js'),
        log: (line) => options.log(line),
      });
  }

  /**
   * Starts a command (TE-2). A program that is missing or can't be run gives a terminal that says so and has ended with 127 or 126, as a
   * shell would: an agent hands output and exit code on to its model, whereas an error answer ends the turn of some.
   */
  async create(params: JsonObject): Promise<{ terminalId: string }> {
    const sessionId = String(params['sessionId']);
    const request = parseCreate(params, this.cwdOf(sessionId));
    const env = commandEnvironment(await this.environment(), request.env, thisPlatform.windows);
    // The session may have ended while the environment was read.
    this.cwdOf(sessionId);
    const { command, args, cwd } = request;
    const plan = choose({ command, args, cwd, env });
    const terminalId = randomUUID();
    const shown = displayCommand(command, args);
    const terminal = new AgentTerminal({
      title: tabTitle(this.options.agentTitle(sessionId), shown),
      outputLimit: request.outputLimit,
      presenter: this.options.presenter,
      spawn: (onData) => this.start(plan, { request, env }, onData),
      events: {
        onScreen: (change) => this.dispatch(sessionId, { type: 'terminalScreen', terminalId, ...change }),
        onExit: ({ code, signal }) =>
          this.dispatch(sessionId, { type: 'terminalExited', terminalId, code, signal, at: Date.now() }),
      },
    });
    this.dispatch(sessionId, { type: 'terminalStarted', terminalId, command: shown, cwd, at: Date.now() });
    this.add(terminalId, { sessionId, terminal });
    return { terminalId };
  }

  output(params: JsonObject): object {
    const { text, truncated, exit } = this.find(params).terminal;
    return { output: text, truncated, ...(exit ? { exitStatus: toStatus(exit) } : {}) };
  }

  /** Never times out: the agent has its own limits (TE-14). */
  async waitForExit(params: JsonObject): Promise<object> {
    return toStatus(await this.find(params).terminal.exited);
  }

  kill(params: JsonObject): object {
    this.find(params).terminal.kill();
    return {};
  }

  release(params: JsonObject): object {
    const { terminalId } = this.find(params);
    this.giveBack(terminalId);
    return {};
  }

  /** Stops a command for the person; the agent's id stays valid. */
  stopTerminal(terminalId: string): void {
    this.terminals.get(terminalId)?.terminal.kill();
  }

  /** Shows the tab of a command; false if the command is forgotten. */
  openTerminal(terminalId: string): boolean {
    const entry = this.terminals.get(terminalId) ?? this.released.get(terminalId);
    entry?.terminal.reveal();
    return entry !== undefined;
  }

  /** Ends all commands of a session, also what they left running (TE-13). */
  releaseSession(sessionId: string): void {
    for (const [terminalId, entry] of this.terminals) {
      if (entry.sessionId === sessionId) this.giveBack(terminalId);
    }
    for (const entry of this.living) {
      if (entry.sessionId !== sessionId || !entry.terminal.exit) continue;
      entry.terminal.killNow();
      this.living.delete(entry);
    }
  }

  /** Kills everything at once: nothing may wait when the editor closes. */
  dispose(): void {
    this.disposed = true;
    for (const { terminal } of this.living) terminal.killNow();
    for (const { terminal } of [...this.terminals.values(), ...this.released.values()]) terminal.dispose();
    this.living.clear();
    this.terminals.clear();
    this.released.clear();
  }

  private cwdOf(sessionId: string): string {
    const session = this.disposed ? undefined : this.options.session(sessionId);
    if (!session) throw WireError.notFound(`The session "${sessionId}"`);
    return session.cwd;
  }

  /** An id is good for its own session alone (TE-16). */
  private find({ sessionId, terminalId }: JsonObject): Entry & { terminalId: string } {
    if (typeof terminalId !== 'string') throw WireError.invalidParams('"terminalId" is missing.');
    const entry = this.terminals.get(terminalId);
    if (entry?.sessionId !== sessionId || !entry) throw WireError.notFound(`The terminal "${terminalId}"`);
    return { ...entry, terminalId };
  }

  private async environment(): Promise<NodeJS.ProcessEnv> {
    try {
      return await this.options.environment();
    } catch (error) {
      this.options.log(`The environment of the shell could not be read: ${String(error)}`);
      return process.env;
    }
  }

  private start(
    plan: CommandPlan,
    { request, env }: { request: CreateRequest; env: Record<string, string> },
    onData: (text: string) => void,
  ): PtyProcess {
    if (plan.kind === 'missing') return missing(request, onData);
    const { file, args, verbatim } = plan;
    try {
      return this.spawner.spawn({
        file,
        args,
        cwd: request.cwd,
        env,
        onData,
        ...(verbatim === undefined ? {} : { verbatim }),
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return failedCommand(`${request.command}: ${reason}`, 126, onData);
    }
  }

  private add(terminalId: string, entry: Entry): void {
    this.terminals.set(terminalId, entry);
    this.living.add(entry);
    void entry.terminal.exited.then(() => {
      if (!entry.terminal.lives) this.living.delete(entry);
    });
  }

  private giveBack(terminalId: string): void {
    const entry = this.terminals.get(terminalId);
    if (!entry) return;
    this.terminals.delete(terminalId);
    this.released.set(terminalId, entry);
    entry.terminal.kill();
    this.dispatch(entry.sessionId, { type: 'terminalReleased', terminalId });
    for (const [oldest, { terminal }] of this.released) {
      if (this.released.size <= KEPT_TABS) break;
      terminal.closeTab();
      this.released.delete(oldest);
    }
  }

  private dispatch(sessionId: string, action: SessionAction): void {
    if (!this.disposed) this.options.dispatch(sessionId, action);
  }
}

const toStatus = ({ code, signal }: TerminalExit): object => ({ exitCode: code, signal });

function choose(request: CommandRequest): CommandPlan {
  try {
    return planCommand(request, thisPlatform);
  } catch (error) {
    if (error instanceof CommandLineError) throw WireError.invalidParams(error.message);
    throw error;
  }
}

/** Says what a shell says of a program that it can't start. */
function missing({ command, cwd }: CreateRequest, onData: (text: string) => void): PtyProcess {
  const found = /[\\/]/.test(command) && statSync(resolve(cwd, command), { throwIfNoEntry: false });
  if (!found) return failedCommand(`${command}: command not found`, 127, onData);
  return failedCommand(
    `${command}: ${found.isDirectory() ? 'is a directory' : 'permission denied'}`,
    126,
    onData,
  );
}

function tabTitle(agent: string, command: string): string {
  const line = command.replace(/\s+/g, ' ').trim();
  return `${agent}: ${line.length > TITLE ? `${line.slice(0, TITLE)}…` : line}`;
}
