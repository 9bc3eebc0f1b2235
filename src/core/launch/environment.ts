type Variables = Readonly<Record<string, string | undefined>>;

/** Where the environment of agents comes from. */
export interface EnvironmentOrigin {
  /** `editor` where the shell could not be asked, and on Windows, where there is none to ask. */
  source: 'shell' | 'editor';
  /** Path of the shell that was asked. */
  shell?: string;
  /** ms that its answer took. */
  ms?: number;
  /** Why its answer is not used. */
  problem?: ShellProblem;
}

/** Why a shell did not tell its environment. */
export type ShellProblem =
  | { cause: 'late'; seconds: number }
  /** It ended without an answer. */
  | { cause: 'silent'; code: number | null }
  | { cause: 'notStarted'; message: string };

/** Variables of the editor's own processes. A Node.js or Electron program that inherits them behaves as a part of the editor. */
const EDITOR_VARIABLE = /^(ELECTRON_.+|VSCODE_.+|CHROME_DESKTOP|SNAP|SNAP_.+|GDK_PIXBUF_.+)$/i;

/** True for a variable that belongs to the editor's process and that no program started from it must inherit. */
export const isEditorVariable = (name: string): boolean => EDITOR_VARIABLE.test(name);

/** Adds variables to an environment, or replaces them; Windows has one variable however its name is spelled. */
export function withVariables(env: Variables, added: Variables, windows: boolean): Record<string, string> {
  const result = new Map<string, [name: string, value: string]>();
  for (const [name, value] of [...Object.entries(env), ...Object.entries(added)]) {
    if (value !== undefined) result.set(windows ? name.toLowerCase() : name, [name, value]);
  }
  return Object.fromEntries(result.values());
}
