import type { JsonObject } from '../../core/json';
import type { Disposable } from '../../core/lifecycle';
import type { SessionAction } from '../../core/session/actions';
import { byId } from '../../core/session/byId';
import type { SessionState } from '../../core/session/state';
import { readDisplayEvents, type DisplayEvent } from '../../core/terminal/displayEvents';
import { TerminalScreen } from './terminalScreen';

/** Emulators of a session that may be open at a time; some agents never tell that a command ended. */
const MAX_OPEN = 32;

/** Where the terminals are kept: the session's store, or that of a replay. */
export interface DisplayStore {
  readonly state: SessionState;
  dispatch(action: SessionAction): void;
}

interface Open {
  screen: TerminalScreen;
  ended: boolean;
}

/**
 * The terminals that the agent of a session runs itself. They are drawn like those that Parley runs, and only shown: they can be
 * neither stopped nor typed into, and their writer can't be paused. The one place that knows of them.
 */
export class DisplayTerminals implements Disposable {
  /** The oldest first; one that has ended stays until all is drawn. */
  private readonly screens = new Map<string, Open>();
  /** The turn in which a terminal began: agents use an id again in a later one. */
  private readonly turns = new Map<string, number>();

  /** @param store The store that counts at the moment: it changes when a replay begins or ends. */
  constructor(private readonly store: () => DisplayStore) {}

  /** Takes what an update of a tool call says under `_meta`; `at`: ms since the epoch. */
  take(meta: JsonObject, at: number): void {
    for (const event of readDisplayEvents(meta)) this.handle(event, at);
  }

  /** Nothing more comes: the agent is gone. */
  dispose(): void {
    for (const terminalId of this.screens.keys()) this.close(terminalId);
    this.turns.clear();
  }

  private handle(event: DisplayEvent, at: number): void {
    const { terminalId } = event;
    const known = byId(this.store().state.terminals, terminalId);
    // Of a terminal that Parley runs it knows better itself.
    if (known && !known.agents) return;
    const isOver = known?.exit !== undefined;
    if (event.type === 'started') {
      if (!this.screens.has(terminalId) && !(isOver && this.isOfThisTurn(terminalId)))
        this.start(terminalId, event.cwd ?? '', at);
      return;
    }
    if (!isOver) this.goOn(event, at);
  }

  /** Some agents repeat the announcement after the result. */
  private isOfThisTurn(terminalId: string): boolean {
    return this.turns.get(terminalId) === this.store().state.turn.number;
  }

  private goOn(event: Exclude<DisplayEvent, { type: 'started' }>, at: number): void {
    const { terminalId } = event;
    const { screen, ended } = this.screens.get(terminalId) ?? this.start(terminalId, '', at);
    if (ended) return;
    if (event.type === 'output') screen.write(event.text);
    else {
      const { code, signal } = event;
      this.end(terminalId, { type: 'terminalExited', terminalId, code, signal, at });
    }
  }

  private start(terminalId: string, cwd: string, at: number): Open {
    const running = [...this.screens].filter(([, { ended }]) => !ended);
    for (const [oldest] of running.slice(0, Math.max(0, running.length + 1 - MAX_OPEN))) this.close(oldest);
    const screen = new TerminalScreen({
      // The output comes by messages, not by a pty.
      convertEol: true,
      onChange: (change) => this.store().dispatch({ type: 'terminalScreen', terminalId, ...change }),
      onPressure: () => undefined,
    });
    const open = { screen, ended: false };
    this.screens.set(terminalId, open);
    const { turn } = this.store().state;
    this.turns.set(terminalId, turn.number);
    this.store().dispatch({ type: 'terminalStarted', terminalId, command: '', cwd, agents: true, at });
    return open;
  }

  /** No more is drawn; how the command ended is not known. */
  private close(terminalId: string): void {
    this.end(terminalId, { type: 'terminalReleased', terminalId });
  }

  /** Draws what is left, then says that it is over. */
  private end(terminalId: string, how: SessionAction): void {
    const open = this.screens.get(terminalId);
    if (!open || open.ended) return;
    open.ended = true;
    void open.screen.finish().then(() => {
      open.screen.dispose();
      this.screens.delete(terminalId);
      this.store().dispatch(how);
    });
  }
}
