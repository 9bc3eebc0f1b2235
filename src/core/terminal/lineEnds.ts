/**
 * Keeps the CRLF of a pty in one piece: a CR at the end of a chunk waits for what follows. A pty puts one CR before each LF;
 * `withoutPtyCr` takes that one away.
 */
export class PtyLineEnds {
  private pendingCr = false;

  push(chunk: string): string {
    if (chunk === '') return '';
    const text = this.pendingCr ? `\r${chunk}` : chunk;
    this.pendingCr = text.endsWith('\r');
    return this.pendingCr ? text.slice(0, -1) : text;
  }

  /** What is still held back, after the last chunk. */
  end(): string {
    const rest = this.pendingCr ? '\r' : '';
    this.pendingCr = false;
    return rest;
  }
}

/** The text as the program wrote it: of each CRLF the LF. */
export const withoutPtyCr = (text: string): string => text.replaceAll('\r\n', '\n');
