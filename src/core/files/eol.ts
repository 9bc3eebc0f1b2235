/** How the lines of a text end. */
export type LineEnd = '\n' | '\r\n';

/** The line end that most lines of a text have; undefined where there is none, or only lone CRs. */
export function lineEndOf(text: string): LineEnd | undefined {
  const crlf = text.match(/\r\n/g)?.length ?? 0;
  const lf = (text.match(/\n/g)?.length ?? 0) - crlf;
  if (crlf === 0 && lf === 0) return undefined;
  return crlf > lf ? '\r\n' : '\n';
}

/** The text with all its line ends made the same. */
export function withLineEnd(text: string, end: LineEnd): string {
  return text.replace(/\r\n|\r|\n/g, end);
}

/** Whether all lines of a text end alike, by LF or by CRLF: an editor would change the others when it saves. */
export function isUniform(text: string): boolean {
  const crlf = text.match(/\r\n/g)?.length ?? 0;
  const [cr, lf] = [text.match(/\r/g)?.length ?? 0, text.match(/\n/g)?.length ?? 0];
  return cr === crlf && (crlf === 0 || lf === crlf);
}
