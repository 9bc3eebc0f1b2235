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

/**
 * Keeps the tail of a terminal's output within a limit of UTF-8 bytes, cut at a character (TE-6, TE-7). Whole pieces are dropped
 * from the front and only the first one is cut, so adding is cheap however long the output is.
 */
export class OutputBuffer {
  private pieces: { text: string; bytes: number }[] = [];
  private total = 0;
  private cut = false;

  /** @param limit bytes; 0 keeps nothing. */
  constructor(private readonly limit: number) {}

  append(text: string): void {
    if (text === '') return;
    const bytes = utf8Length(text);
    const last = this.pieces.at(-1);
    // Few and not too small pieces: a program may print character by character.
    if (last && last.bytes + bytes <= PIECE) {
      last.text += text;
      last.bytes += bytes;
    } else this.pieces.push({ text, bytes });
    this.total += bytes;
    while (this.total > this.limit) this.dropFront();
  }

  /** True from the first dropped byte on. */
  get truncated(): boolean {
    return this.cut;
  }

  text(): string {
    // Joined once, so that reading often does not cost again.
    if (this.pieces.length > 1)
      this.pieces = [{ text: this.pieces.map((piece) => piece.text).join(''), bytes: this.total }];
    return this.pieces[0]?.text ?? '';
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
    const { units, bytes } = leadingUnits(first.text, excess);
    // Counted by what goes, not by what stays: that may be the whole buffer.
    this.total -= bytes;
    this.pieces[0] = { text: first.text.slice(units), bytes: first.bytes - bytes };
  }
}

/** The whole characters at the front that take at least `least` bytes. */
function leadingUnits(text: string, least: number): { units: number; bytes: number } {
  let units = 0;
  let bytes = 0;
  while (bytes < least && units < text.length) {
    const character = String.fromCodePoint(text.codePointAt(units) ?? 0);
    bytes += utf8Length(character);
    units += character.length;
  }
  return { units, bytes };
}
