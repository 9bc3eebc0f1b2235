import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import type { SessionAction } from '../../../src/core/session/actions';
import { emptySession, type TerminalView } from '../../../src/core/session/state';
import { applyTerminal } from '../../../src/core/session/terminals';
import { TerminalBridge, type TerminalBridgeOptions } from '../../../src/host/bridges/terminalBridge';
import type { PresentedTerminal, PresenterEvents, TabSettings } from '../../../src/host/terminal/presenter';
import type { TerminalExit } from '../../../src/host/terminal/ptyProcess';
import { PtySpawner } from '../../../src/host/terminal/ptySpawner';

/** The installed node-pty; undefined asks for pipes. */
export const spawnerFor = (mode: 'pty' | 'pipe', log: (line: string) => void = () => undefined): PtySpawner =>
  new PtySpawner({
    nodePty: mode === 'pty' ? createRequire(__filename).resolve('node-pty') : undefined,
    log,
  });

/** A tab that is only remembered. */
export class FakeTab implements PresentedTerminal {
  text = '';
  exit: TerminalExit | undefined;
  /** Each time, whether the focus stayed where it was. */
  readonly revealed: boolean[] = [];
  linesLeftOut = 0;
  open = true;

  constructor(
    readonly title: string,
    readonly events: PresenterEvents,
  ) {}

  write(text: string): void {
    this.text += text;
  }

  exited(exit: TerminalExit): void {
    this.exit = exit;
  }

  leftOut(lines: number): void {
    this.linesLeftOut += lines;
  }

  reveal(keepFocus: boolean): void {
    this.revealed.push(keepFocus);
  }

  dispose(): void {
    this.open = false;
  }

  /** As when the person closes it. */
  close(): void {
    this.open = false;
    this.events.onClosed();
  }
}

/** A bridge with two sessions, `s` and `other`, whose actions go into a state as in the extension. */
export class BridgeHarness {
  readonly tabs: FakeTab[] = [];
  readonly actions: SessionAction[] = [];
  readonly lines: string[] = [];
  readonly state = emptySession('test');
  readonly cwd = tmpdir();
  sessions = ['s', 'other'];
  /** Commands outside the folders of their session, as they were told. */
  readonly outside: string[] = [];
  tabSettings: TabSettings = { show: 'silent', keep: 10 };
  readonly bridge: TerminalBridge;
  /** What the person's rules say. */
  gate: TerminalBridgeOptions['gate'] = () => Promise.resolve();

  constructor(mode: 'pty' | 'pipe' = 'pty', base: NodeJS.ProcessEnv = process.env) {
    this.bridge = new TerminalBridge({
      session: (sessionId) =>
        this.sessions.includes(sessionId) ? { cwd: this.cwd, roots: [this.cwd] } : undefined,
      onOutside: (sessionId, cwd) => this.outside.push(`${sessionId} ${cwd}`),
      environment: () => Promise.resolve(base),
      dispatch: (_sessionId, action) => {
        this.actions.push(action);
        if ('terminalId' in action) applyTerminal(this.state, action, () => undefined);
      },
      agentTitle: () => 'Agent',
      extensionPath: '',
      tabs: () => this.tabSettings,
      gate: (key, act) => this.gate(key, act),
      presenter: {
        present: (title, events) => {
          const tab = new FakeTab(title, events);
          this.tabs.push(tab);
          return tab;
        },
      },
      spawner: spawnerFor(mode, (line) => this.lines.push(line)),
      log: (line) => this.lines.push(line),
    });
  }

  async create(command: string, more: object = {}): Promise<string> {
    const { terminalId } = await this.bridge.create({ sessionId: 's', command, ...more });
    return terminalId;
  }

  /** Runs node on a program text. */
  node(program: string, more: object = {}): Promise<string> {
    return this.create(process.execPath, { args: ['-e', program], ...more });
  }

  wait(terminalId: string): Promise<object> {
    return this.bridge.waitForExit({ sessionId: 's', terminalId });
  }

  output(terminalId: string): { output: string; truncated: boolean; exitStatus?: object } {
    return this.bridge.output({ sessionId: 's', terminalId }) as ReturnType<BridgeHarness['output']>;
  }

  kill(terminalId: string): object {
    return this.bridge.kill({ sessionId: 's', terminalId });
  }

  release(terminalId: string): object {
    return this.bridge.release({ sessionId: 's', terminalId });
  }

  view(terminalId: string): TerminalView | undefined {
    return this.state.terminals[terminalId];
  }
}

/** True while a process runs; one that ended but was not collected yet does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== 'linux') return true;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2)[0] !== 'Z';
  } catch {
    return false;
  }
}
