import type { IBuffer, IBufferCell, IMarker, Terminal } from '@xterm/headless';
import type { Disposable } from '../../core/lifecycle';
import type { StyledRun } from '../../core/session/state';
import { MAX_TERMINAL_LINES } from '../../core/session/terminals';
import { Backlog, LOW_WATER } from '../../core/terminal/backlog';
import { COLS, ROWS } from './ptyProcess';
import { styledLine } from './screenLine';

/** ms between two updates of a card, and in a flood, where every line is another one each time. */
const INTERVAL = 50;
const FLOOD_INTERVAL = 200;
/** UTF-16 units and lines that are written to the screen at once; fewer lines than it keeps, so that a marker survives. */
const PIECE = 8_192;
const PIECE_LINES = 200;
/** UTF-16 units that the emulator is given before it has drawn them. */
const IN_FLIGHT = 64 * 1024;
/** Pieces that it is given between two updates. */
const PIECES = 32;
/** The same in a flood, and UTF-16 units of one. */
const FLOOD_PIECES = 4;
const FLOOD_PIECE = 2_048;

/** What changed on the screen: the lines from `from` on, counted from the first line ever printed. */
export interface ScreenChange {
  from: number;
  lines: StyledRun[][];
  /** Lines before the last `MAX_TERMINAL_LINES`. */
  hiddenLines: number;
}

export interface ScreenOptions {
  /** True where the output has bare LF: without a pty nothing adds the CR. */
  convertEol: boolean;
  onChange(change: ScreenChange): void;
  /** Asks to stop, and to start again, the flow of output. */
  onPressure(high: boolean): void;
}

/**
 * Draws the output of a command as a terminal does, with carriage returns, cursor moves and colours, and tells at most every 50 ms
 * which lines changed (TE-10). No timer runs while nothing happens.
 */
export class TerminalScreen implements Disposable {
  private terminal: Terminal | undefined;
  private cell: IBufferCell | undefined;
  private readonly opened: Promise<void>;
  private timer: NodeJS.Timeout | undefined;
  /** What the emulator was not given yet. */
  private readonly backlog = new Backlog();
  /** UTF-16 units that it was given and has not drawn. */
  private inFlight = 0;
  /** Pieces that it was given since the last update. */
  private fed = 0;
  private finishing = false;
  /** True while lines are left out: what nobody will see is not worth the work. */
  private flood = false;
  private ready = false;
  private paused = false;
  private disposed = false;
  private size = { cols: COLS, rows: ROWS };
  /** Resolvers of those who wait until all is drawn. */
  private drawn: (() => void)[] = [];

  /** Lines that left the buffer at its top. */
  private gone = 0;
  /** Follows a line of the buffer, to count what leaves it. */
  private marker: { at: IMarker; line: number } | undefined;
  /** First line, absolute, that may have changed since the last report: what has scrolled off the screen stays as it is. */
  private unsettled = 0;
  /** What was told last: lines from `hidden` on, as JSON. */
  private told: { hidden: number; lines: string[] } = { hidden: 0, lines: [] };

  constructor(private readonly options: ScreenOptions) {
    // Without the emulator a card shows no output; the command itself must not suffer.
    this.opened = this.open().then(
      () => {
        this.ready = true;
        this.feed();
      },
      () => this.dispose(),
    );
  }

  write(text: string): void {
    if (this.disposed || text === '') return;
    this.backlog.push(text);
    this.flood = this.backlog.leavesOut || (this.flood && !this.backlog.full);
    if (!this.paused && this.backlog.full) {
      this.paused = true;
      this.options.onPressure(true);
    }
    this.feed();
    this.schedule();
  }

  resize(cols: number, rows: number): void {
    this.size = { cols: Math.max(2, cols), rows: Math.max(1, rows) };
    void this.opened.then(() => {
      if (this.disposed || !this.terminal) return;
      this.followTop();
      this.terminal.resize(this.size.cols, this.size.rows);
      // Lines are wrapped anew, which moves the marker without anything having left.
      this.mark(this.terminal);
      this.unsettled = this.gone;
      this.schedule();
    });
  }

  /** Draws and tells what is left. */
  async finish(): Promise<void> {
    await this.opened;
    this.finishing = true;
    this.feed();
    if (this.isDrawing && !this.disposed) await new Promise<void>((resolve) => this.drawn.push(resolve));
    this.finishing = false;
    this.report();
  }

  dispose(): void {
    this.disposed = true;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.terminal?.dispose();
    // A released command is remembered for a while, what it was drawn with is not.
    this.terminal = undefined;
    this.cell = undefined;
    this.marker = undefined;
    this.told = { hidden: 0, lines: [] };
    if (this.paused) this.options.onPressure(false);
    this.paused = false;
    for (const resolve of this.drawn.splice(0)) resolve();
  }

  /** The emulator is big: it is loaded at the first command. */
  private async open(): Promise<void> {
    const loaded = await import('@xterm/headless');
    // As a bundle it has named exports; Node.js gives a CommonJS module as the default.
    const { Terminal: Emulator } =
      'Terminal' in loaded ? loaded : (loaded as { default: typeof loaded }).default;
    if (this.disposed) return;
    this.terminal = new Emulator({
      ...this.size,
      scrollback: MAX_TERMINAL_LINES,
      allowProposedApi: true,
      convertEol: this.options.convertEol,
      logLevel: 'off',
    });
    this.cell = this.terminal.buffer.normal.getNullCell();
    this.followTop();
  }

  private get isDrawing(): boolean {
    return this.inFlight > 0 || this.backlog.size > 0;
  }

  /** Pieces until the next update: more nobody sees, but what can't be left out has to be drawn. */
  private get budget(): number {
    if (this.finishing || this.backlog.full) return Infinity;
    return this.flood ? FLOOD_PIECES : PIECES;
  }

  /** Gives the emulator as much as it should have at once. */
  private feed(): void {
    while (this.ready && !this.disposed && this.inFlight < IN_FLIGHT) {
      if (this.fed >= this.budget) return;
      const part = this.backlog.take(this.flood ? FLOOD_PIECE : PIECE);
      if (part === undefined) return;
      if (typeof part === 'number') this.terminal?.write('', () => this.skip(part));
      else for (const piece of pieces(part)) this.draw(piece);
    }
  }

  private draw(piece: string): void {
    this.inFlight += piece.length;
    this.fed++;
    this.terminal?.write(piece, () => {
      this.followTop();
      this.inFlight -= piece.length;
      this.feed();
      if (this.paused && this.backlog.size < LOW_WATER) {
        this.paused = false;
        this.options.onPressure(false);
      }
      if (!this.isDrawing) for (const resolve of this.drawn.splice(0)) resolve();
    });
  }

  /**
   * Counts lines that are not drawn. More lines than the buffer has follow, so it makes no difference that they are counted as if
   * they had come before what is in the buffer now.
   */
  private skip(lines: number): void {
    if (this.terminal?.buffer.active.type !== 'normal') return;
    this.gone += lines;
    this.unsettled = Math.max(this.unsettled, this.gone);
  }

  /**
   * Counts the lines that left the buffer since the last call, by a marker on the line above the screen: programs don't change that
   * one any more. With no line there the buffer is far from full, and nothing can have left it.
   */
  private followTop(): void {
    const { terminal, marker } = this;
    // The other screen of a full-screen program has no scrollback and can't be marked.
    if (!terminal || terminal.buffer.active.type !== 'normal') return;
    if (marker) {
      // The marker went with its line: the program erased what had scrolled out.
      const erased = marker.at.isDisposed;
      this.gone += erased ? marker.line + 1 : Math.max(0, marker.line - marker.at.line);
      if (erased) this.unsettled = this.gone;
    }
    this.mark(terminal);
  }

  private mark(terminal: Terminal): void {
    this.marker?.at.dispose();
    const { baseY, cursorY, type } = terminal.buffer.active;
    const at = type === 'normal' && baseY > 0 ? terminal.registerMarker(-cursorY - 1) : undefined;
    this.marker = at ? { at, line: at.line } : undefined;
  }

  private schedule(): void {
    if (this.disposed) return;
    const interval = this.flood ? FLOOD_INTERVAL : INTERVAL;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.report();
      this.fed = 0;
      this.flood &&= this.backlog.size > FLOOD_PIECES * FLOOD_PIECE;
      this.feed();
      // More is in the queue of the emulator: it will be there by then.
      if (this.isDrawing) this.schedule();
    }, interval);
  }

  private report(): void {
    const { terminal, cell } = this;
    if (this.disposed || !terminal || !cell) return;
    const { normal, active } = terminal.buffer;
    const fullScreen = active.type === 'alternate';
    const first = Math.max(this.unsettled, this.gone, this.told.hidden);
    // A full-screen program is shown after what was printed before it.
    const end = fullScreen ? normal.baseY + normal.cursorY + (normal.cursorX > 0 ? 1 : 0) : normal.length;
    const fresh = linesOf(normal, { from: first - this.gone, to: end }, cell);
    if (fullScreen) fresh.push(...linesOf(active, { from: 0, to: active.length }, cell));
    while (fresh.at(-1)?.length === 0) fresh.pop();
    this.tell(first, fresh);
    this.unsettled = Math.min(this.gone + normal.baseY, this.told.hidden + this.told.lines.length);
  }

  /**
   * Tells the lines that differ from what was told, given all from `first` on. `first` continues what was told, or is the first line
   * that there still is.
   */
  private tell(first: number, fresh: StyledRun[][]): void {
    const { hidden, lines } = this.told;
    const next = hidden + lines.length;
    const json = fresh.map((line) => JSON.stringify(line));
    const end = first + fresh.length;
    const nowHidden = Math.max(hidden, this.gone, end - MAX_TERMINAL_LINES);
    let from = first;
    while (from < end && from < next && json[from - first] === lines[from - hidden]) from++;
    if (from === end && end === next && nowHidden === hidden) return;
    this.told = {
      hidden: nowHidden,
      lines:
        first > next
          ? json.slice(nowHidden - first)
          : splice(lines, first - hidden, json).slice(nowHidden - hidden),
    };
    from = Math.max(from, nowHidden);
    // Lines went by unseen: the old ones go first, so that none of the new ones is counted among those that scrolled out.
    if (from > next) this.options.onChange({ from: hidden, lines: [], hiddenLines: nowHidden });
    this.options.onChange({ from, lines: fresh.slice(from - first), hiddenLines: nowHidden });
  }
}

const splice = (old: readonly string[], at: number, added: readonly string[]): string[] => [
  ...old.slice(0, at),
  ...added,
];

function linesOf(
  buffer: IBuffer,
  { from, to }: { from: number; to: number },
  cell: IBufferCell,
): StyledRun[][] {
  const lines: StyledRun[][] = [];
  for (let y = Math.max(0, from); y < to; y++) {
    const line = buffer.getLine(y);
    lines.push(line ? styledLine(line, cell) : []);
  }
  return lines;
}

/** Cuts text where it has too many units or lines for one write. */
function* pieces(text: string): Generator<string> {
  let start = 0;
  let lines = 0;
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) === 10) lines++;
    if (lines < PIECE_LINES && i - start < PIECE) continue;
    yield text.slice(start, i + 1);
    start = i + 1;
    lines = 0;
  }
  if (start < text.length) yield text.slice(start);
}
