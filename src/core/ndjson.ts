const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** What the splitter found: a whole line without its end, or the size of a line that was dropped for its length. */
export type SplitLine = { line: Uint8Array } | { droppedBytes: number };

/**
 * Cuts a stream of bytes into lines at LF (TR-3); a CR before it is removed (TR-11). Bytes, not text: a character that is cut by a
 * chunk's end stays whole, and U+2028 does not end a line. Each byte is copied once at most, however the stream is cut.
 * A line is to be used before the stream goes on: it may be a view of the chunk.
 */
export class LineSplitter {
  private parts: Uint8Array[] = [];
  private size = 0;
  private dropping = false;

  /** @param maxBytes longest line that is kept; a longer one is reported by its size and skipped. */
  constructor(private readonly maxBytes: number) {}

  push(chunk: Uint8Array): SplitLine[] {
    const found: SplitLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      if (this.size === 0 && end - start <= this.maxBytes) {
        // Whole in this chunk, as nearly all are.
        found.push({ line: withoutReturn(chunk.subarray(start, end)) });
      } else {
        this.keep(chunk.subarray(start, end));
        found.push(this.take());
      }
      start = end + 1;
    }
    this.keep(chunk.subarray(start));
    return found;
  }

  /** The last line, if the stream ended without LF. */
  end(): SplitLine[] {
    return this.size > 0 ? [this.take()] : [];
  }

  private keep(part: Uint8Array): void {
    if (part.length === 0) return;
    this.size += part.length;
    if (this.size > this.maxBytes) {
      this.dropping = true;
      this.parts = [];
    }
    // Copied, since the stream may use its buffer again.
    if (!this.dropping) this.parts.push(part.slice());
  }

  private take(): SplitLine {
    const found: SplitLine = this.dropping ? { droppedBytes: this.size } : { line: this.join() };
    this.parts = [];
    this.size = 0;
    this.dropping = false;
    return found;
  }

  private join(): Uint8Array {
    const [first] = this.parts;
    let line = first ?? new Uint8Array();
    if (this.parts.length > 1) {
      line = new Uint8Array(this.size);
      let at = 0;
      for (const part of this.parts) {
        line.set(part, at);
        at += part.length;
      }
    }
    return withoutReturn(line);
  }
}

const withoutReturn = (line: Uint8Array): Uint8Array =>
  line.at(-1) === RETURN ? line.subarray(0, -1) : line;
