import { withoutPtyCr } from './lineEnds';

/** Bytes of UTF-8 that a text takes; a lone surrogate counts as the replacement character. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (isHigh(unit) && isLow(text.charCodeAt(i + 1))) {
      bytes += 4;
      i++;
    } else bytes += 3;
  }
  return bytes;
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** Bytes up to which what comes is added to the last piece. */
const PIECE = 8_192;

interface Piece {
  text: string;
  bytes: number;
  /** The text has the CRs of the pty, which are not counted. */
  raw: boolean;
}

/**
 * Keeps the tail of a terminal's output within a limit of UTF-8 bytes, cut at a character (TE-6, TE-7). Whole pieces are dropped
 * from the front and only the first one is cut, so adding is cheap however long the output is.
 */
export class OutputBuffer {
  private pieces: Piece[] = [];
  private total = 0;
  private cut = false;

  /**
   * @param limit bytes; 0 keeps nothing.
   * @param pty True where the output comes from a pty, its CRLF in one piece: each counts as LF, and is one in `text`. Done only for
   * what is read, since of a flood nearly nothing is.
   */
  constructor(
    private readonly limit: number,
    private readonly pty = false,
  ) {}

  append(text: string): void {
    if (text === '') return;
    const bytes = this.pty ? bytesWithoutCr(text) : utf8Length(text);
    const last = this.pieces.at(-1);
    // Few and not too small pieces: a program may print character by character.
    if (last?.raw === this.pty && last.bytes + bytes <= PIECE) {
      last.text += text;
      last.bytes += bytes;
    } else this.pieces.push({ text, bytes, raw: this.pty });
    this.total += bytes;
    while (this.total > this.limit) this.dropFront();
  }

  /** True from the first dropped byte on. */
  get truncated(): boolean {
    return this.cut;
  }

  text(): string {
    const [first] = this.pieces;
    if (!first) return '';
    // Joined once, so that reading often does not cost again.
    if (this.pieces.length > 1 || first.raw) {
      const text = this.pieces.map((piece) => (piece.raw ? withoutPtyCr(piece.text) : piece.text)).join('');
      this.pieces = [{ text, bytes: this.total, raw: false }];
      return text;
    }
    return first.text;
  }

  private dropFront(): void {
    const [first] = this.pieces;
    if (!first) return;
    this.cut = true;
    const excess = this.total - this.limit;
    if (excess >= first.bytes) {
      this.pieces.shift();
      this.total -= first.bytes;
      return;
    }
    const { units, bytes } = leadingUnits(first, excess);
    // Counted by what goes, not by what stays: that may be the whole buffer.
    this.total -= bytes;
    this.pieces[0] = { ...first, text: first.text.slice(units), bytes: first.bytes - bytes };
  }
}

const LF = 10;
const CR = 13;

/** As `utf8Length`, with each CRLF counted as LF. Plain text, which most output is, takes one pass. */
function bytesWithoutCr(text: string): number {
  let pairs = 0;
  let before = 0;
  let all = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    all |= unit;
    if (unit === LF && before === CR) pairs++;
    before = unit;
  }
  return (all < 0x80 ? text.length : utf8Length(text)) - pairs;
}

/** The whole characters at the front that take at least `least` bytes. */
function leadingUnits({ text, raw }: Piece, least: number): { units: number; bytes: number } {
  let units = 0;
  let bytes = 0;
  while (bytes < least && units < text.length) {
    const character = String.fromCodePoint(text.codePointAt(units) ?? 0);
    const isCrlf = raw && character === '\r' && text.charCodeAt(units + 1) === LF;
    bytes += isCrlf ? 1 : utf8Length(character);
    units += isCrlf ? 2 : character.length;
  }
  return { units, bytes };
}
