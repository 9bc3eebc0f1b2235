import { baseName } from './programName';
import { ShellReader } from './shellReader';

/** Simple commands as words. `sure` is false where the line does more than run these, or is not understood for certain. */
export interface CommandParts {
  parts: string[][];
  sure: boolean;
}

/** Longer lines are not read; a rule that denies then still looks at their raw text. */
const MAX_LINE = 20_000;
/** Shells within shells that are followed. */
const MAX_SHELLS = 4;

const POSIX_SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'ash', 'ksh', 'fish', 'busybox', 'su']);
const OTHER_SHELLS = new Set(['cmd', 'powershell', 'pwsh']);
/** Calls that run their script and nothing else, apart from a profile of the person. */
const PLAIN_SHELL = /^(?:\/(?:usr\/(?:local\/)?)?bin\/|\/opt\/homebrew\/bin\/)?(?:ba|z|da|k)?sh$/;

/**
 * Splits a shell line into simple commands (PE-4): at `;`, `&&`, `||`, `|`, `&` and newlines; what runs inside `$(…)`, backticks,
 * `<(…)`, `(…)` and `{…}` is a part of its own, and the script of `bash -c` takes the place of the call. Words are unquoted.
 * Never throws.
 */
export function commandParts(line: string, windows: boolean): CommandParts {
  return lineParts(line, windows, 0);
}

/** The same for a program with its arguments and no shell. */
export function argvParts(argv: readonly string[], windows: boolean): CommandParts {
  if (argv.length > MAX_LINE || argv.join(' ').length > MAX_LINE) return { parts: [], sure: false };
  const opened = openShells({ parts: [[...argv]], sure: (argv[0] ?? '') !== '' }, windows, 0);
  if (argv.length === 0) return { parts: [], sure: false };
  const calledShell = opened.parts.length !== 1 || opened.parts[0]?.[0] !== argv[0];
  // Some agents join the words to a line for a shell, where these would be operators.
  if (calledShell || !argv.some((word) => /[;&|<>`$\n]/.test(word))) return opened;
  return { parts: [...opened.parts, ...lineParts(argv.join(' '), windows, 0).parts], sure: false };
}

/** The words of a rule's command; undefined where it is not one plain command. */
export function ruleWords(command: string, windows: boolean): string[] | undefined {
  if (command.length > MAX_LINE) return undefined;
  const { parts, sure } = new ShellReader(command, windows).read();
  return sure && parts.length === 1 ? parts[0] : undefined;
}

/** True for one of the shells whose lines are read here, by its name or from a folder of the system. */
export function isPlainShell(program: string): boolean {
  return PLAIN_SHELL.test(program);
}

function lineParts(line: string, windows: boolean, shells: number): CommandParts {
  if (line.length > MAX_LINE) return { parts: [], sure: false };
  const { parts, sure } = new ShellReader(line, windows).read();
  return openShells({ parts, sure: sure && parts.length > 0 }, windows, shells);
}

/** Puts the commands of a shell's script in the place of its call, or beside it where the call is not a plain one. */
function openShells({ parts, sure }: CommandParts, windows: boolean, shells: number): CommandParts {
  const result: CommandParts = { parts: [], sure };
  for (const words of parts) {
    const scripts = scriptsOf(words);
    if (!scripts.plain) result.parts.push(words);
    if (scripts.lines.length > 0 && !scripts.plain) result.sure = false;
    if (scripts.other || (scripts.lines.length > 0 && shells >= MAX_SHELLS)) result.sure = false;
    for (const line of shells < MAX_SHELLS ? scripts.lines : []) {
      const inner = lineParts(line, windows, shells + 1);
      result.parts.push(...inner.parts);
      if (!inner.sure) result.sure = false;
    }
  }
  return result;
}

/** What shells that are called in these words would run; `plain` where the words do nothing but run one script. */
function scriptsOf(words: readonly string[]): { lines: string[]; plain: boolean; other: boolean } {
  const [program = '', flags = '', script = ''] = words;
  if (words.length === 3 && isPlainShell(program) && /^-[leu]*c[leu]*$/.test(flags))
    return { lines: [script], plain: true, other: false };
  const lines: string[] = [];
  const cFlag = /^(-\w*c\w*|--command)$/;
  const shell = words.findIndex((word) => POSIX_SHELLS.has(baseName(word)));
  const flag = shell < 0 ? -1 : words.findIndex((word, index) => index > shell && cFlag.test(word));
  if (flag >= 0) lines.push(...words.slice(flag + 1));
  const foreign = words.findIndex((word) => OTHER_SHELLS.has(baseName(word)));
  const after = foreign < 0 ? [] : words.slice(foreign + 1);
  if (after.length > 0) lines.push(after.filter((item) => !/^[-/]\w+$/.test(item)).join(' '));
  return { lines, plain: false, other: after.length > 0 };
}
