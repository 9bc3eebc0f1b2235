import type { IBufferCell, IBufferLine } from '@xterm/headless';
import type { StyledRun } from '../../core/session/state';

type Style = Omit<StyledRun, 'text'>;

/** A line of the screen as runs of one style each; blanks at its end are left out unless they are coloured. */
export function styledLine(line: IBufferLine, cell: IBufferCell): StyledRun[] {
  const runs: StyledRun[] = [];
  let look = PLAIN;
  const add = (text: string, next: Look, at: IBufferCell): void => {
    const last = runs.at(-1);
    if (last && next.fg === look.fg && next.bg === look.bg && next.flags === look.flags) last.text += text;
    else runs.push({ text, ...(next === PLAIN ? {} : styleOf(at)) });
    look = next;
  };
  // Most of a screen is empty, and what is empty up to the end of a line is not told.
  let empty = 0;
  for (let x = 0; x < line.length; x++) {
    const at = line.getCell(x, cell);
    // The second half of a wide character has no width and no text of its own.
    if (!at || at.getWidth() === 0) continue;
    const isPlain = at.isAttributeDefault();
    if (isPlain && at.getCode() === 0) {
      empty++;
      continue;
    }
    if (empty > 0) add(' '.repeat(empty), PLAIN, at);
    empty = 0;
    const text = at.isInvisible() ? ' '.repeat(at.getWidth()) : at.getChars() || ' ';
    add(text, isPlain ? PLAIN : lookOf(at), at);
  }
  return trimEnd(runs);
}

interface Look {
  fg: number;
  bg: number;
  flags: number;
}

/** No style at all; no number of a cell is the same. */
const PLAIN: Look = { fg: -2, bg: -2, flags: 0 };

/** Numbers that are equal for cells of equal style. The mode of a colour is in the bits above the colour. */
function lookOf(cell: IBufferCell): Look {
  let flags = 0;
  for (const flag of [cell.isInverse(), cell.isBold(), cell.isDim(), cell.isItalic(), cell.isUnderline()]) {
    flags = (flags << 1) | (flag ? 1 : 0);
  }
  return {
    fg: cell.getFgColorMode() | cell.getFgColor(),
    bg: cell.getBgColorMode() | cell.getBgColor(),
    flags,
  };
}

function trimEnd(runs: StyledRun[]): StyledRun[] {
  for (let last = runs.at(-1); last && last.bg === undefined && !last.underline; last = runs.at(-1)) {
    last.text = last.text.replace(/ +$/, '');
    if (last.text !== '') break;
    runs.pop();
  }
  return runs;
}

function styleOf(cell: IBufferCell): Style {
  let fg = cell.isFgDefault() ? undefined : colour(cell.getFgColor(), cell.isFgRGB());
  let bg = cell.isBgDefault() ? undefined : colour(cell.getBgColor(), cell.isBgRGB());
  // Of reversed default colours only the theme knows what they are: black on white comes closest.
  if (cell.isInverse()) [fg, bg] = [bg ?? '0', fg ?? '7'];
  const style: Style = {};
  if (fg !== undefined) style.fg = fg;
  if (bg !== undefined) style.bg = bg;
  if (cell.isBold()) style.bold = true;
  if (cell.isDim()) style.dim = true;
  if (cell.isItalic()) style.italic = true;
  if (cell.isUnderline()) style.underline = true;
  return style;
}

const hex = (...parts: number[]): string =>
  `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;

/** `0`–`15` stay numbers, for the theme to colour; the rest of the palette is fixed. */
function colour(value: number, rgb: boolean): string {
  if (rgb) return hex((value >> 16) & 255, (value >> 8) & 255, value & 255);
  if (value < 16) return String(value);
  if (value >= 232) {
    const grey = 8 + (value - 232) * 10;
    return hex(grey, grey, grey);
  }
  const level = (step: number): number => (step === 0 ? 0 : 55 + step * 40);
  const index = value - 16;
  return hex(level(Math.floor(index / 36)), level(Math.floor(index / 6) % 6), level(index % 6));
}
