/** The words of a command line, or what is wrong with it. */
export type WordsOrProblem = string[] | 'empty' | 'openQuote';

/** Pieces of a line: what is quoted, blanks between words, a quote that is not closed, and all else. */
const PIECES =
  /\\(?<taken>.)|'(?<quoted>[^']*)'|"(?<escaped>(?:\\.|[^"\\])*)"|(?<blank>\s+)|(?<open>['"])|(?<rest>[^\s'"\\]+|\\)/gs;
const WINDOWS_PIECES = /"(?<quoted>[^"]*)"|(?<blank>\s+)|(?<open>")|(?<rest>[^\s"]+)/g;

/**
 * Splits a command line into its words: quotes join, and outside Windows a backslash takes the next character as it is. Nothing is
 * expanded, since no shell runs the line.
 */
export function splitCommandLine(line: string, windows: boolean): WordsOrProblem {
  const words: string[] = [];
  let word: string | undefined;
  for (const { groups = {} } of line.matchAll(windows ? WINDOWS_PIECES : PIECES)) {
    if (groups['open'] !== undefined) return 'openQuote';
    if (groups['blank'] === undefined) word = (word ?? '') + pieceOf(groups);
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  if (word !== undefined) words.push(word);
  return words.length === 0 || words[0] === '' ? 'empty' : words;
}

function pieceOf({ taken, quoted, escaped, rest }: Record<string, string | undefined>): string {
  return taken ?? quoted ?? escaped?.replace(/\\(.)/gs, '$1') ?? rest ?? '';
}
