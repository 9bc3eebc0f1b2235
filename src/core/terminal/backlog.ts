/** UTF-16 units that may wait; with more, lines in the middle are left out, or whoever writes has to pause. */
export const HIGH_WATER = 256 * 1024;
/** UTF-16 units below which a paused writer may go on. */
export const LOW_WATER = 64 * 1024;
/** UTF-16 units that are never exceeded: for a writer that can't be paused. */
const LIMIT = 8 * HIGH_WATER;
/** What stays of the end when lines are left out: as many lines, or units where they are long. More than a card or a screen shows. */
const KEEP_LINES = 640;
const KEEP_UNITS = HIGH_WATER / 2;
/** Changes of colour that are kept of what is left out; more than a program has in force at once. */
const KEEP_STYLES = 16;

/** What a terminal does more with than to print it in order: anything but text, line ends, tabs and styles. */
const MOVES = /[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f-\u009f]|\u001b(?!\[[\d;:]*m)/;
const STYLE = /\u001b\[[\d;:]*m/g;

/** A part of the output in its order: text, or the number of lines that are left out here. */
export type BacklogPart = string | number;

/**
 * Output on its way to something that shows it more slowly than it comes. Of a flood of plain lines those are left out that would
 * have scrolled away unseen, so that neither memory nor the command has to suffer; with anything else in it, `full` asks to pause.
 */
export class Backlog {
  /** At most one number, with text behind it that begins a line. */
  private parts: BacklogPart[] = [];
  private units = 0;
  /** Units at which to look again for what can be left out: a look reads all that waits. */
  private look = HIGH_WATER;

  /** UTF-16 units that wait. */
  get size(): number {
    return this.units;
  }

  /** True where more must not come before something is taken. */
  get full(): boolean {
    return this.units > HIGH_WATER;
  }

  /** True while lines are left out of what waits: nobody will see what is drawn before them. */
  get leavesOut(): boolean {
    return this.parts.some((part) => typeof part === 'number');
  }

  push(text: string): void {
    if (text === '') return;
    this.parts.push(text);
    this.units += text.length;
    if (this.units <= this.look) return;
    this.leaveOut();
    this.look = Math.max(HIGH_WATER, this.units + HIGH_WATER / 4);
  }

  /** Takes the next part; of a text at most `units`. Undefined if nothing waits. */
  take(units: number): BacklogPart | undefined {
    const part = this.parts[0];
    if (this.units <= HIGH_WATER) this.look = HIGH_WATER;
    if (part === undefined) return undefined;
    if (typeof part === 'number' || part.length <= units) {
      this.parts.shift();
      if (typeof part === 'string') this.units -= part.length;
      return part;
    }
    this.parts[0] = part.slice(units);
    this.units -= units;
    return part.slice(0, units);
  }

  private leaveOut(): void {
    const marker = this.parts.findIndex((part) => typeof part === 'number');
    const before = this.parts.slice(0, marker + 1);
    const text = this.parts.slice(marker + 1).join('');
    const forced = this.units > LIMIT;
    // The line that has begun is ended first; behind a number there is none.
    const from = marker < 0 ? text.indexOf('\n') + 1 : 0;
    const lineStart = keptFrom(text);
    const to = forced && lineStart <= from ? text.length - KEEP_UNITS : lineStart;
    this.parts = [...before, text];
    if (to <= from || (MOVES.test(text) && !forced)) return;
    const dropped = text.slice(from, to);
    const known = before.at(-1);
    const lines = countLines(dropped) + (typeof known === 'number' ? known : 0);
    const kept = stylesOf(dropped) + text.slice(to);
    this.parts = [...before.slice(0, -1), ...(from > 0 ? [text.slice(0, from)] : []), lines, kept];
    this.units -= text.length - from - kept.length;
  }
}

/** Index of the line from which on a text is kept. */
function keptFrom(text: string): number {
  let at = text.length;
  for (let lines = 0; lines <= KEEP_LINES && at > 0; lines++) {
    const end = text.lastIndexOf('\n', at - 1);
    if (end < 0 || text.length - end > KEEP_UNITS) break;
    at = end;
  }
  return at === text.length ? 0 : at + 1;
}

function countLines(text: string): number {
  let lines = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) === 10) lines++;
  return lines;
}

/** The styles that hold at the end of a text. */
function stylesOf(text: string): string {
  const styles = text.includes('\u001b') ? (text.match(STYLE) ?? []) : [];
  return styles.length > KEEP_STYLES ? `\u001b[0m${styles.slice(-KEEP_STYLES).join('')}` : styles.join('');
}
