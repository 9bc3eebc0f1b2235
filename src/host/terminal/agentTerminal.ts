import { PtyLineEnds } from '../../core/terminal/lineEnds';
import { OutputBuffer } from '../../core/terminal/outputBuffer';
import type { PresentedTerminal, TerminalPresenter } from './presenter';
import type { PtyProcess, TerminalExit } from './ptyProcess';
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
  private tab: PresentedTerminal | undefined;

  constructor(private readonly options: AgentTerminalOptions) {
    this.output = new OutputBuffer(options.outputLimit);
    this.process = options.spawn((text) => this.take(text));
    const {
      process,
      options: { events },
    } = this;
    this.screen = new TerminalScreen({
      convertEol: process.mode === 'pipe',
      onChange: (change) => events.onScreen(change),
      onPressure: (high) => (high ? process.pause() : process.resume()),
    });
    this.tab = this.present();
    this.exited = process.exited.then((exit) => this.finish(exit));
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

  /** Shows the tab; one that was closed is opened anew with the output that was kept. */
  reveal(): void {
    if (!this.tab) {
      this.tab = this.present();
      this.tab.write(this.output.text().replace(/\r?\n/g, '\r\n'));
      if (this.exit) this.tab.exited(this.exit);
    }
    this.tab.reveal();
  }

  /** True while processes of the command run. */
  get lives(): boolean {
    return !this.exit || this.process.hasLeftovers();
  }

  closeTab(): void {
    this.tab?.dispose();
    this.tab = undefined;
  }

  /** Closes the tab and stops drawing; the process is left alone. */
  dispose(): void {
    this.closeTab();
    this.screen.dispose();
  }

  private present(): PresentedTerminal {
    return this.options.presenter.present(this.options.title, {
      onInput: (text) => this.process.write(text),
      onResize: (cols, rows) => {
        this.process.resize(cols, rows);
        this.screen.resize(cols, rows);
      },
      onClosed: () => {
        this.tab = undefined;
        this.kill();
      },
    });
  }

  private take(text: string): void {
    const pipe = this.process.mode === 'pipe';
    this.output.append(pipe ? text : this.lineEnds.push(text));
    this.screen.write(text);
    this.tab?.write(pipe ? text.replaceAll('\n', '\r\n') : text);
  }

  private finish(exit: TerminalExit): TerminalExit {
    this.output.append(this.lineEnds.end());
    this.exit = exit;
    this.tab?.exited(exit);
    void this.screen.finish().then(() => {
      this.screen.dispose();
      this.options.events.onExit(exit);
    });
    return exit;
  }
}
