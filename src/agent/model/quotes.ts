/** Opening marks and what closes them. An apostrophe opens only at the beginning of a word. */
const PAIRS: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '‘': '’',
  '「': '」',
};
const FIRST = 0xe000;
const LAST = 0xf8ff;

/**
 * A text in which each quoted part is replaced by one private character, so that patterns neither split nor misread what is in quotes.
 */
export class Masked {
  /** Matches one quoted part. */
  static readonly QUOTED = '[\\uE000-\\uF8FF]';

  private constructor(
    private readonly text: string,
    private readonly quoted: readonly string[],
  ) {}

  /** Undefined for a text that holds private characters itself. */
  static of(text: string): Masked | undefined {
    if (/[\uE000-\uF8FF]/.test(text)) return undefined;
    const quoted: string[] = [];
    let masked = '';
    for (let at = 0; at < text.length;) {
      const end = quoteEnd(text, at);
      if (end === undefined || FIRST + quoted.length > LAST) masked += text.charAt(at++);
      else {
        masked += String.fromCharCode(FIRST + quoted.length);
        quoted.push(text.slice(at, end));
        at = end;
      }
    }
    return new Masked(masked, quoted);
  }

  /** The parts between the separators, without empty ones. A line that begins with `$ ` is a command and is not split. */
  split(separator: RegExp): string[] {
    return this.text
      .split('\n')
      .flatMap((line) => (/^\s*\$\s/.test(line) ? [line] : line.split(separator)))
      .filter((part) => part.trim() !== '');
  }

  /** The part as it was typed. */
  raw(part: string): string {
    return this.replaced(part, (quoted) => quoted);
  }

  /** The part with the quotation marks taken off a part that is quoted as a whole. */
  inner(part: string): string {
    const trimmed = part.trim();
    const isQuoted = trimmed.length === 1 && this.quoted[trimmed.charCodeAt(0) - FIRST] !== undefined;
    return isQuoted ? this.replaced(trimmed, (quoted) => quoted.slice(1, -1)) : this.raw(trimmed);
  }

  private replaced(part: string, show: (quoted: string) => string): string {
    return part.replace(/[\uE000-\uF8FF]/g, (mark) => show(this.quoted[mark.charCodeAt(0) - FIRST] ?? ''));
  }
}

/** Where the quoted part that begins here ends. */
function quoteEnd(text: string, start: number): number | undefined {
  const open = text.charAt(start);
  const close = PAIRS[open];
  if (close === undefined) return undefined;
  if (open === "'" && /\w/.test(text.charAt(start - 1))) return undefined;
  for (let at = start + 1; at < text.length; at++) {
    if (text.charAt(at) === '\\' && close === '"') at++;
    else if (text.charAt(at) === close) return at + 1;
  }
  return undefined;
}
