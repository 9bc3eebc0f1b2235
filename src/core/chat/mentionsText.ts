/** A problem that the editor shows; line and column are 1-based. */
export interface Problem {
  path: string;
  line: number;
  column: number;
  severity: 'error' | 'warning' | 'info';
  message: string;
  /** Who found it, such as the compiler. */
  source?: string;
}

/** Most problems that are attached. */
const MAX_PROBLEMS = 200;

/** Longest attached text, in characters. */
export const MAX_CONTEXT = 100_000;

const RANK = { error: 0, warning: 1, info: 2 } as const;

/** The problems as text for the agent: a line each, errors first. */
export function problemsText(problems: readonly Problem[]): string {
  const sorted = [...problems].sort(
    (a, b) =>
      RANK[a.severity] - RANK[b.severity] || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line),
  );
  const lines = sorted.slice(0, MAX_PROBLEMS).map(({ path, line, column, severity, message, source }) => {
    const by = source === undefined ? '' : ` [${source}]`;
    return `${path}:${line}:${column}: ${severity}: ${message.replace(/\s*\n\s*/g, ' ')}${by}`;
  });
  const left = sorted.length - lines.length;
  return capped([...lines, ...(left > 0 ? [`(${left} more problems)`] : [])].join('\n'));
}

/** What git says of one repository. */
export interface RepositoryChanges {
  root: string;
  /** Diff of what is staged, and of what is not. */
  staged: string;
  unstaged: string;
  /** Paths of new files that git does not know yet. */
  untracked: readonly string[];
}

/** The changes as text for the agent; empty where there are none. */
export function changesText(repositories: readonly RepositoryChanges[]): string {
  const parts = repositories.flatMap(({ root, staged, unstaged, untracked }) => {
    const own = [
      ...section('Staged changes:', staged),
      ...section('Changes that are not staged:', unstaged),
      ...section('New files:', untracked.join('\n')),
    ];
    return own.length > 0 ? [`Repository ${root}`, ...own] : [];
  });
  return capped(parts.join('\n\n'));
}

function section(title: string, text: string): string[] {
  return text.trim() === '' ? [] : [`${title}\n${text.trimEnd()}`];
}

/** Cut at the end of a line, and says so. */
function capped(text: string): string {
  if (text.length <= MAX_CONTEXT) return text;
  const kept = text.slice(0, MAX_CONTEXT).replace(/\n[^\n]*$/, '');
  return `${kept}\n(cut here: ${text.length - kept.length} more characters)`;
}
