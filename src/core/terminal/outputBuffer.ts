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
    this.pieces.push({ text, bytes });
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
    const kept = dropBytes(first.text, excess);
    const bytes = utf8Length(kept);
    this.total -= first.bytes - bytes;
    this.pieces[0] = { text: kept, bytes };
  }
}

/** Drops whole characters from the front until at least `excess` bytes are gone. */
function dropBytes(text: string, excess: number): string {
  let gone = 0;
  let at = 0;
  while (gone < excess && at < text.length) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    gone += utf8Length(character);
    at += character.length;
  }
  return text.slice(at);
}
