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
  /** So many lines are left out here: they came faster than they can be shown, or are not known any more. */
  leftOut(lines: number): void;
  /** Shows the tab; the focus goes there unless it is to be kept where it is. */
  reveal(keepFocus: boolean): void;
}

/** Whether a command gets a tab by itself: in the background, in sight but without the focus, or not before the person asks. */
export type TabShow = 'silent' | 'visible' | 'none';

export interface TabSettings {
  show: TabShow;
  /** How many tabs of released commands stay open. */
  keep: number;
}

/** What holds where the settings say nothing. */
export const DEFAULT_TABS: TabSettings = { show: 'silent', keep: 10 };

/** Shows commands as terminals of the editor, without taking the focus. */
export interface TerminalPresenter {
  present(title: string, events: PresenterEvents): PresentedTerminal;
}
