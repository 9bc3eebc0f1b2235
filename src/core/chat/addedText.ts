/** A problem as the editor shows it; line and column are 1-based. */
export interface AddedProblem {
  line: number;
  column: number;
  /** 1-based and inclusive. */
  toLine: number;
  severity: 'error' | 'warning' | 'info' | 'hint';
  message: string;
  /** Who found it, such as the compiler, and by which rule. */
  source?: string;
  code?: string;
}

/** A file in which problems are: its path as it is shown, and its lines. */
export interface ProblemPlace {
  path: string;
  lineCount: number;
  /** The text of a line, 1-based. */
  lineAt: (line: number) => string;
}

/** Lines shown before and after a problem. */
const AROUND = 3;

/** Most lines that are shown of a file. */
const MAX_LINES = 60;

/** Longest line, in UTF-16 units. */
const MAX_LINE = 500;

/** Most problems in one text. */
const MAX_PROBLEMS = 20;

/** Problems at one place as text for the agent: a line each, then the lines of the file around them. */
export function addedProblemText(problems: readonly AddedProblem[], place: ProblemPlace): string {
  const listed = problems.slice(0, MAX_PROBLEMS);
  const said = listed.map((problem) => problemLine(problem, place.path));
  const from = Math.max(1, Math.min(...listed.map(({ line }) => line)) - AROUND);
  const wanted = Math.max(...listed.map(({ toLine }) => toLine)) + AROUND;
  const to = Math.min(place.lineCount, wanted, from + MAX_LINES - 1);
  const marked = new Set(listed.map(({ line }) => line));
  const width = String(to).length;
  const lines: string[] = [];
  for (let line = from; line <= to; line++) {
    const number = String(line).padStart(width);
    lines.push(`${marked.has(line) ? '>' : ' '} ${number} | ${place.lineAt(line).slice(0, MAX_LINE)}`);
  }
  return [...said, '', `${place.path}, lines ${from}-${to}:`, ...lines].join('\n');
}

function problemLine({ line, column, severity, message, source, code }: AddedProblem, path: string): string {
  const by = [source, code].filter((part) => part !== undefined && part !== '').join(' ');
  const what = message.replace(/\s*\n\s*/g, ' ');
  return `${path}:${line}:${column}: ${severity}: ${what}${by === '' ? '' : ` [${by}]`}`;
}

/** Longest text that is added at once, in UTF-16 units. */
export const MAX_ADDED = 100_000;

/** The beginning of a text that is too long, cut at the end of a line; says so. */
export function keepStart(text: string): string {
  if (text.length <= MAX_ADDED) return text;
  const kept = text.slice(0, MAX_ADDED).replace(/\n[^\n]*$/, '');
  return `${kept}\n(cut here: ${text.length - kept.length} more characters)`;
}

/** The end of a text that is too long, as of output; says so. */
export function keepEnd(text: string): string {
  if (text.length <= MAX_ADDED) return text;
  const kept = text.slice(-MAX_ADDED).replace(/^[^\n]*\n/, '');
  return `(cut here: ${text.length - kept.length} earlier characters)\n${kept}`;
}
