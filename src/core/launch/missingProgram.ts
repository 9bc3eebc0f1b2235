/** How shells and `env` say that a program is not there; its name is the first group. They end with 127. */
const COMPLAINTS = [
  /^(?:\S*\/)?env: [‘'"`]?([^\s‘’'"`:]+)[’'"`]?: No such file or directory$/m,
  /(?:^|: )(?:exec: )?([^\s:]+): (?:command )?not found$/m,
  /command not found: (\S+)$/m,
];
/** cmd.exe, whose script may end with any code. */
const OF_WINDOWS = /^'([^'\n]+)' is not recognized as an internal or external command/m;

/**
 * The name of the program that an agent needed and did not find, by its exit code and what it printed before; undefined where nothing
 * says so.
 */
export function missingProgram(printed: string, code: number | null): string | undefined {
  const text = printed.replaceAll('\r\n', '\n');
  const complaints = code === 127 ? [OF_WINDOWS, ...COMPLAINTS] : [OF_WINDOWS];
  return complaints.map((complaint) => complaint.exec(text)?.[1]).find((name) => name !== undefined);
}

/** The program that the first line of a script names, such as `node` in `#!/usr/bin/env node`; undefined for another file. */
export function interpreterOf(start: string): string | undefined {
  const [program, ...args] = (/^#![ \t]*([^\r\n]+)/.exec(start)?.[1] ?? '').trim().split(/[ \t]+/);
  if (!program) return undefined;
  if (!/(^|\/)env$/.test(program)) return program;
  return args.find((arg) => !arg.startsWith('-') && !arg.includes('=')) ?? program;
}
