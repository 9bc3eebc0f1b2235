import type { Disposable } from '../../core/lifecycle';
import type { TerminalExit } from './ptyProcess';

/** What a person does in the tab of a command. */
export interface PresenterEvents {
  onInput(text: string): void;
  onResize(cols: number, rows: number): void;
  /** The person closed the tab. Not told for `dispose`. */
  onClosed(): void;
}

/** The tab of a command. */
export interface PresentedTerminal extends Disposable {
  write(text: string): void;
  /** The command ended; the tab stays. */
  exited(exit: TerminalExit): void;
  reveal(): void;
}

/** Shows commands as terminals of the editor, without taking the focus. */
export interface TerminalPresenter {
  present(title: string, events: PresenterEvents): PresentedTerminal;
}
