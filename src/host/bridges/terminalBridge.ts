import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { TerminalPort } from '../../acp/agentClient';
import { WireError } from '../../core/errors';
import type { JsonObject } from '../../core/json';
import type { Disposable } from '../../core/lifecycle';
import type { SessionAction } from '../../core/session/actions';
import type { TerminalView } from '../../core/session/state';
import { toAnsi } from '../../core/terminal/ansi';
import { visibleText } from '../../core/visibleText';
import type { CommandSubject } from '../../core/permission/rules';
import type { CommandAct } from '../permission/actionGate';
import { AgentTerminal } from '../terminal/agentTerminal';
import {
  CommandLineError,
  commandEnvironment,
  displayCommand,
  planCommand,
  type CommandPlan,
  type CommandRequest,
} from '../terminal/commandLine';
import { isOutside, parseCreate, thisPlatform, type CreateRequest } from '../terminal/createRequest';
import { failedCommand } from '../terminal/pipeProcess';
import {
  DEFAULT_TABS,
  type PresentedTerminal,
  type TabSettings,
  type TerminalPresenter,
} from '../terminal/presenter';
import type { PtyProcess, SpawnerState, TerminalExit, TerminalSpawner } from '../terminal/ptyProcess';
import type { Watchdog } from '../terminal/watchdog';
import { PtySpawner } from '../terminal/ptySpawner';

/** UTF-16 units of a command in the title of its tab. */
const TITLE = 60;

export interface TerminalBridgeOptions {
  /** Undefined for a session that is not open. `sessionId` is Parley's key, here and below. */
  session(sessionId: string): { cwd: string; roots?: readonly string[] } | undefined;
  /** The environment of the person's shell. */
  environment(): Promise<NodeJS.ProcessEnv>;
  dispatch(sessionId: string, action: SessionAction): void;
  agentTitle(sessionId: string): string;
  /** Folder of the extension; node-pty is in its `dist`. */
  extensionPath: string;
  presenter: TerminalPresenter;
  /** The person's settings, asked for each command. */
  tabs?: () => TabSettings;
  /** A command runs in a folder outside the session's, told once for each; it might change there anyway (client-duties, section e.22). */
  onOutside?: (sessionId: string, cwd: string) => void;
  /** Asked before anything is started; a WireError that it rejects with is the answer to the agent. */
  gate: (sessionId: string, act: CommandAct) => Promise<void>;
  /** Ends what runs where the extension host can't do it any more. */
  watchdog?: Pick<Watchdog, 'watch' | 'unwatch'>;
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
  /** Tabs to read of commands that are forgotten. */
  private readonly records = new Map<string, PresentedTerminal>();
  /** Whose processes may still run, released or not. */
  private readonly living = new Set<Entry>();
  private readonly spawner: TerminalSpawner;
  /** Folders outside those of their session that were told. */
  private readonly outside = new Set<string>();
  private disposed = false;

  constructor(private readonly options: TerminalBridgeOptions) {
    this.spawner =
      options.spawner ??
      new PtySpawner({
        nodePty: join(options.extensionPath, 'dist', 'node-pty', 'lib', 'index.js'),
        log: (line) => options.log(line),
      });
  }

  /** How commands are started. */
  get spawning(): SpawnerState {
    return this.spawner.state?.() ?? { mode: 'pipes' };
  }

  /**
   * Starts a command (TE-2). A program that is missing or can't be run gives a terminal that says so and has ended with 127 or 126, as a
   * shell would: an agent hands output and exit code on to its model, whereas an error answer ends the turn of some.
   */
  async create(params: JsonObject): Promise<{ terminalId: string }> {
    const sessionId = String(params['sessionId']);
    const { cwd: sessionCwd, roots } = this.sessionOf(sessionId);
    const request = parseCreate(params, sessionCwd);
    await this.options.gate(sessionId, { command: subjectOf(request), cwd: request.cwd });
    const env = commandEnvironment(await this.environment(), request.env, thisPlatform.windows);
    // The session may have ended meanwhile.
    this.sessionOf(sessionId);
    const { command, args, cwd } = request;
    if (roots && isOutside(cwd, roots)) this.tellOutside(sessionId, cwd);
    const plan = choose({ command, args, cwd, env });
    const terminalId = randomUUID();
    const shown = displayCommand(command, args);
    const terminal = new AgentTerminal({
      title: tabTitle(this.options.agentTitle(sessionId), shown),
      outputLimit: request.outputLimit,
      presenter: this.options.presenter,
      show: this.tabs().show,
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

  /** Shows the tab of a command. Of one that is forgotten, as after a reload, what its card shows is shown in a tab to read. */
  openTerminal(terminalId: string, view?: TerminalView): void {
    const entry = this.terminals.get(terminalId) ?? this.released.get(terminalId);
    if (entry) entry.terminal.reveal();
    else if (view) this.openRecord(view);
  }

  private openRecord({ terminalId, command, lines, hiddenLines, exit }: TerminalView): void {
    const open = this.records.get(terminalId);
    if (open) {
      open.reveal(false);
      return;
    }
    const record = this.options.presenter.present(tabTitle('', command), {
      onInput: () => undefined,
      onResize: () => undefined,
      onClosed: () => this.records.delete(terminalId),
    });
    this.records.set(terminalId, record);
    if (hiddenLines > 0) record.leftOut(hiddenLines);
    record.write(toAnsi(lines));
    if (exit) record.exited(exit);
    record.reveal(false);
  }

  /** Ends all commands of a session, also what they left running (TE-13). */
  releaseSession(sessionId: string): void {
    for (const [terminalId, entry] of this.terminals) {
      if (entry.sessionId === sessionId) this.giveBack(terminalId);
    }
    for (const entry of this.living) {
      if (entry.sessionId !== sessionId || !entry.terminal.exit) continue;
      entry.terminal.killNow();
      this.forget(entry);
    }
  }

  /** Kills everything at once: nothing may wait when the editor closes. */
  dispose(): void {
    this.disposed = true;
    for (const { terminal } of this.living) terminal.killNow();
    for (const { terminal } of [...this.terminals.values(), ...this.released.values()]) terminal.dispose();
    for (const record of this.records.values()) record.dispose();
    this.records.clear();
    this.living.clear();
    this.terminals.clear();
    this.released.clear();
  }

  private tabs(): TabSettings {
    return this.options.tabs?.() ?? DEFAULT_TABS;
  }

  private sessionOf(sessionId: string): { cwd: string; roots?: readonly string[] } {
    const session = this.disposed ? undefined : this.options.session(sessionId);
    if (!session) throw WireError.notFound(`The session "${sessionId}"`);
    return session;
  }

  private tellOutside(sessionId: string, cwd: string): void {
    const key = `${sessionId} ${cwd}`;
    if (this.outside.has(key)) return;
    this.outside.add(key);
    this.options.onOutside?.(sessionId, cwd);
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
    this.options.watchdog?.watch(entry.terminal.pid);
    void entry.terminal.exited.then(() => {
      if (!entry.terminal.lives) this.forget(entry);
    });
  }

  /** Nothing of a command runs any more. */
  private forget(entry: Entry): void {
    this.living.delete(entry);
    this.options.watchdog?.unwatch(entry.terminal.pid);
  }

  private giveBack(terminalId: string): void {
    const entry = this.terminals.get(terminalId);
    if (!entry) return;
    this.terminals.delete(terminalId);
    this.released.set(terminalId, entry);
    entry.terminal.kill();
    this.dispatch(entry.sessionId, { type: 'terminalReleased', terminalId });
    const { keep } = this.tabs();
    for (const [oldest, { terminal }] of this.released) {
      if (this.released.size <= keep) break;
      terminal.closeTab();
      this.released.delete(oldest);
    }
  }

  private dispatch(sessionId: string, action: SessionAction): void {
    if (!this.disposed) this.options.dispatch(sessionId, action);
  }
}

const toStatus = ({ code, signal }: TerminalExit): object => ({ exitCode: code, signal });

/** As rules see it: with arguments no shell reads it. */
const subjectOf = ({ command, args }: CreateRequest): CommandSubject =>
  args.length > 0 ? { argv: [command, ...args] } : { line: command };

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
  const line = visibleText(command.replace(/\s+/g, ' ').trim());
  return `${agent === '' ? '' : `${agent}: `}${line.length > TITLE ? `${line.slice(0, TITLE)}…` : line}`;
}
