/**
 * Turns the CRLF of a pty back into the LF that the program wrote: a pty puts one CR before each LF, so one is taken away. A CR at the
 * end of a chunk waits for what follows.
 */
export class PtyLineEnds {
  private pendingCr = false;

  push(chunk: string): string {
    if (chunk === '') return '';
    const text = this.pendingCr ? `\r${chunk}` : chunk;
    this.pendingCr = text.endsWith('\r');
    return (this.pendingCr ? text.slice(0, -1) : text).replaceAll('\r\n', '\n');
  }

  /** What is still held back, after the last chunk. */
  end(): string {
    const rest = this.pendingCr ? '\r' : '';
    this.pendingCr = false;
    return rest;
  }
}
