import * as vscode from 'vscode';
import type { PresentedTerminal, PresenterEvents, TerminalPresenter } from './presenter';
import type { TerminalExit } from './ptyProcess';

/** UTF-16 units that are kept for a tab that the editor has not opened yet. */
const MAX_EARLY = 1 << 20;

/** Shows the commands of agents as integrated terminals. */
export class PseudoterminalPresenter implements TerminalPresenter {
  present(title: string, events: PresenterEvents): PresentedTerminal {
    return new AgentPseudoterminal(title, events);
  }
}

class AgentPseudoterminal implements vscode.Pseudoterminal, PresentedTerminal {
  private readonly writer = new vscode.EventEmitter<string>();
  private readonly terminal: vscode.Terminal;
  private early = '';
  private opened = false;
  private over = false;
  /** Whether the tab was ever in view: before that the editor tells a made-up size of 80 columns. */
  private seen = false;
  private size: vscode.TerminalDimensions | undefined;
  private readonly activation: vscode.Disposable;

  readonly onDidWrite = this.writer.event;

  constructor(
    title: string,
    private readonly events: PresenterEvents,
  ) {
    this.terminal = vscode.window.createTerminal({
      name: title,
      pty: this,
      iconPath: new vscode.ThemeIcon('robot'),
      isTransient: true,
    });
    this.activation = vscode.window.onDidChangeActiveTerminal((active) => {
      if (active === this.terminal) this.inView();
    });
  }

  open(size: vscode.TerminalDimensions | undefined): void {
    this.opened = true;
    if (this.early !== '') this.writer.fire(this.early);
    this.early = '';
    if (size) this.setDimensions(size);
  }

  private inView(): void {
    this.seen = true;
    if (this.size) this.setDimensions(this.size);
  }

  close(): void {
    if (this.over) return;
    this.end();
    this.events.onClosed();
  }

  handleInput(text: string): void {
    this.events.onInput(text);
  }

  setDimensions(size: vscode.TerminalDimensions): void {
    this.size = size;
    if (this.seen) this.events.onResize(size.columns, size.rows);
  }

  write(text: string): void {
    if (this.over) return;
    if (this.opened) this.writer.fire(text);
    else this.early = (this.early + text).slice(-MAX_EARLY);
  }

  exited({ code, signal }: TerminalExit): void {
    let how = vscode.l10n.t('The command ended.');
    if (signal !== null) how = vscode.l10n.t('The command was ended by {0}.', signal);
    else if (code !== null) how = vscode.l10n.t('The command ended with exit code {0}.', String(code));
    // Colours and modes that the command left on are reset; the tab is for reading from now on.
    this.write(`\u001b[0m\u001b[?25l\r\n\u001b[2m${how}\u001b[0m\r\n`);
  }

  leftOut(lines: number): void {
    this.write(`\u001b[0m\u001b[2m${vscode.l10n.t('({0} lines are not shown here)', lines)}\u001b[0m\r\n`);
  }

  reveal(keepFocus: boolean): void {
    this.terminal.show(keepFocus);
  }

  dispose(): void {
    // `close` comes later, by the editor, and is not the person's.
    this.end();
    this.terminal.dispose();
  }

  private end(): void {
    this.over = true;
    this.activation.dispose();
    this.writer.dispose();
  }
}
