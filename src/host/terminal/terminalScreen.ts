import type { IBuffer, IBufferCell, IMarker, Terminal } from '@xterm/headless';
import type { Disposable } from '../../core/lifecycle';
import type { StyledRun } from '../../core/session/state';
import { MAX_TERMINAL_LINES } from '../../core/session/terminals';
import { COLS, ROWS } from './ptyProcess';
import { styledLine } from './screenLine';

/** ms between two updates of a card. */
const INTERVAL = 50;
/** UTF-16 units and lines that are written to the screen at once; fewer lines than it keeps, so that a marker survives. */
const PIECE = 8_192;
const PIECE_LINES = 200;
/** UTF-16 units that may wait to be drawn; above the first the command is paused, below the second it goes on. */
const HIGH_WATER = 512 * 1024;
const LOW_WATER = 128 * 1024;

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
  private waiting = 0;
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
    this.opened = this.open().catch(() => this.dispose());
  }

  write(text: string): void {
    if (this.disposed || text === '') return;
    this.waiting += text.length;
    if (!this.paused && this.waiting > HIGH_WATER) {
      this.paused = true;
      this.options.onPressure(true);
    }
    for (const piece of pieces(text)) void this.opened.then(() => this.draw(piece));
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
    if (this.waiting > 0 && !this.disposed) await new Promise<void>((resolve) => this.drawn.push(resolve));
    this.report();
  }

  dispose(): void {
    this.disposed = true;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.terminal?.dispose();
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

  private draw(piece: string): void {
    if (this.disposed) return;
    this.terminal?.write(piece, () => {
      this.followTop();
      this.waiting -= piece.length;
      if (this.paused && this.waiting < LOW_WATER) {
        this.paused = false;
        this.options.onPressure(false);
      }
      if (this.waiting === 0) for (const resolve of this.drawn.splice(0)) resolve();
    });
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
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.report();
      // More is in the queue of the emulator: it will be there by then.
      if (this.waiting > 0) this.schedule();
    }, INTERVAL);
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
