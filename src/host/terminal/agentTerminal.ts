import { PtyLineEnds } from '../../core/terminal/lineEnds';
import { OutputBuffer } from '../../core/terminal/outputBuffer';
import type { PresentedTerminal, TabShow, TerminalPresenter } from './presenter';
import type { PtyProcess, TerminalExit } from './ptyProcess';
import { TabFlow } from './tabFlow';
import { TerminalScreen, type ScreenChange } from './terminalScreen';

/** What happens to a command, told in order. */
export interface AgentTerminalEvents {
  onScreen(change: ScreenChange): void;
  /** After the last change of the screen. */
  onExit(exit: TerminalExit): void;
}

export interface AgentTerminalOptions {
  title: string;
  outputLimit: number;
  presenter: TerminalPresenter;
  show: TabShow;
  events: AgentTerminalEvents;
  spawn(onData: (text: string) => void): PtyProcess;
}

/** One command of an agent: the process, what it printed, its card and its tab. */
export class AgentTerminal {
  /** Settles when the process ended and all output was taken in. */
  readonly exited: Promise<TerminalExit>;
  exit: TerminalExit | undefined;
  private readonly process: PtyProcess;
  private readonly output: OutputBuffer;
  private readonly lineEnds = new PtyLineEnds();
  private readonly screen: TerminalScreen;
  private tab: { view: PresentedTerminal; flow: TabFlow } | undefined;
  /** Who can't keep up with the output. */
  private readonly slow = new Set<string>();

  constructor(private readonly options: AgentTerminalOptions) {
    this.process = options.spawn((text) => this.take(text));
    this.output = new OutputBuffer(options.outputLimit, this.process.mode === 'pty');
    this.screen = new TerminalScreen({
      convertEol: this.process.mode === 'pipe',
      onChange: (change) => options.events.onScreen(change),
      onPressure: (high) => this.setSlow('screen', high),
    });
    if (options.show !== 'none') this.present();
    if (options.show === 'visible') this.tab?.view.reveal(true);
    this.exited = this.process.exited.then((exit) => this.finish(exit));
  }

  /** 0 where nothing could be started. */
  get pid(): number {
    return this.process.pid;
  }

  get text(): string {
    return this.output.text();
  }

  get truncated(): boolean {
    return this.output.truncated;
  }

  /** Stops the command if it runs. */
  kill(): void {
    if (!this.exit) this.process.kill();
  }

  /** Stops at once the command and all that it left behind. */
  killNow(): void {
    this.process.killNow();
  }

  /** Shows the tab; one that was closed, or never was, is opened anew with the output that was kept. */
  reveal(): void {
    const { view } = this.tab ?? this.present(this.output.text().replace(/\r?\n/g, '\r\n'));
    view.reveal(false);
  }

  /** True while processes of the command run. */
  get lives(): boolean {
    return !this.exit || this.process.hasLeftovers();
  }

  closeTab(): void {
    this.tab?.flow.dispose();
    this.tab?.view.dispose();
    this.tab = undefined;
  }

  /** Closes the tab and stops drawing; the process is left alone. */
  dispose(): void {
    this.closeTab();
    this.screen.dispose();
  }

  private present(text = ''): { view: PresentedTerminal; flow: TabFlow } {
    const view = this.options.presenter.present(this.options.title, {
      onInput: (typed) => this.process.write(typed),
      onResize: (cols, rows) => {
        this.process.resize(cols, rows);
        this.screen.resize(cols, rows);
      },
      onClosed: () => {
        flow.dispose();
        this.tab = undefined;
        this.kill();
      },
    });
    const flow = new TabFlow({
      write: (portion) => view.write(portion),
      leftOut: (lines) => view.leftOut(lines),
      onPressure: (high) => this.setSlow('tab', high),
    });
    this.tab = { view, flow };
    flow.push(text);
    if (this.exit) this.endTab(this.exit);
    return this.tab;
  }

  private take(text: string): void {
    const pipe = this.process.mode === 'pipe';
    this.output.append(pipe ? text : this.lineEnds.push(text));
    this.screen.write(text);
    this.tab?.flow.push(pipe ? text.replaceAll('\n', '\r\n') : text);
  }

  /** The command waits while somebody does not keep up. */
  private setSlow(who: string, slow: boolean): void {
    const before = this.slow.size > 0;
    if (slow) this.slow.add(who);
    else this.slow.delete(who);
    const now = this.slow.size > 0;
    if (now === before) return;
    if (now) this.process.pause();
    else this.process.resume();
  }

  private endTab(exit: TerminalExit): void {
    this.tab?.flow.flush();
    this.tab?.view.exited(exit);
  }

  private finish(exit: TerminalExit): TerminalExit {
    this.output.append(this.lineEnds.end());
    this.exit = exit;
    this.endTab(exit);
    void this.screen.finish().then(() => {
      this.screen.dispose();
      this.options.events.onExit(exit);
    });
    return exit;
  }
}
