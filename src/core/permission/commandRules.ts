import { ruleWords } from './commandParts';
import { baseName } from './programName';
import type { PermissionRule } from './rules';

/** Programs that run the command in their arguments. */
const WRAPPERS = new Set(
  (
    'sudo doas env nohup nice ionice time timeout command exec builtin xargs stdbuf setsid chroot unshare nsenter ' +
    'flock watch strace ltrace script parallel busybox toybox caffeinate winpty npx bunx pnpx uvx find fd chrt taskset runuser ' +
    'su ssh systemd-run pkexec fakeroot prlimit numactl noglob nocorrect repeat uv poetry pipx bundle'
  ).split(' '),
);

/** Programs whose arguments may be a script that calls others. */
const INTERPRETERS = /^(python[\d.]*|perl|ruby|node|deno|bun|php|lua|osascript|tclsh|expect|[gmn]?awk)$/;

/** Options with which a harmless program writes files or runs other programs. A rule allows them only where it names them. */
const HAZARDS: Readonly<Record<string, RegExp>> = {
  find: /^-(exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/,
  fd: /^(-[a-zA-Z]*[xX]|--exec.*)/,
  fdfind: /^(-[a-zA-Z]*[xX]|--exec.*)/,
  rg: /^--(pre|hostname-bin)/,
  sort: /^-[a-zA-Z]*o/,
  tree: /^-[a-zA-Z]*o/,
  git: /^(-O|-x|--ext-diff)/,
  go: /^--?(exec|toolexec|vettool|overlay|modfile|ldflags|C|o)\b/,
  npm: /^-[a-zA-Z]*C/,
  pnpm: /^(-C|--config\.)/,
  yarn: /^--use-yarnrc/,
  bun: /^(-r|-c|--(cwd|config|preload|require|import))/,
  // What is set may be run: make expands it as it does its own text.
  make: /^-[a-zA-Z]*[CfE]|=/,
  // Its first word takes letters without a dash.
  tar: /^-?[a-zA-Z]*[IF]/,
  env: /^/,
};

/** The same in words, for programs that take the beginning of a long option for the whole. */
const LONG_HAZARDS: Readonly<Record<string, readonly string[]>> = {
  sort: ['output', 'compress-program'],
  git: [
    'output',
    'upload-pack',
    'receive-pack',
    'exec',
    'extcmd',
    'open-files-in-pager',
    'textconv',
    'template',
  ],
  npm: ['script-shell', 'prefix', 'globalconfig', 'userconfig', 'node-options'],
  pnpm: ['dir', 'prefix', 'script-shell', 'shell-emulator', 'workspace-dir', 'node-options'],
  yarn: ['cwd', 'script-shell'],
  cargo: ['config', 'manifest-path'],
  make: ['directory', 'file', 'makefile', 'eval'],
  tar: [
    ...['to-command', 'use-compress-program', 'checkpoint-action', 'rsh-command'],
    ...['info-script', 'new-volume-script'],
  ],
};

/** What the shell puts in place of itself: the word may become any option. */
const EXPANDS = /\$[\w({@*#?!-]|`/;

/**
 * True if a rule that allows `command` matches the part: its words are the first of the part, as written, and with `exact` all of it
 * (PE-4).
 */
export function allowsPart(
  { command = '', exact = false }: Pick<PermissionRule, 'command' | 'exact'>,
  part: readonly string[],
  windows: boolean,
): boolean {
  const words = ruleWords(command, windows);
  if (!words || words.length > part.length || !words.every((word, index) => word === part[index]))
    return false;
  const rest = part.slice(words.length);
  if (exact) return rest.length === 0;
  const program = baseName(part[0] ?? '');
  return rest.every((word) => !isHazard(program, word));
}

function isHazard(program: string, word: string): boolean {
  const short = Object.hasOwn(HAZARDS, program) ? HAZARDS[program] : undefined;
  const long = Object.hasOwn(LONG_HAZARDS, program) ? LONG_HAZARDS[program] : undefined;
  if (!short && !long) return false;
  if (short?.test(word) || EXPANDS.test(word)) return true;
  const [, given = ''] = /^--([^=]+)/.exec(word) ?? [];
  return given !== '' && long?.some((name) => name.startsWith(given) || given.startsWith(name)) === true;
}

/**
 * True if a rule that asks or denies matches the part: also with the program's folder or `.exe`, with options between its words, and
 * behind programs that run another one, such as `sudo`.
 */
export function ruleTouchesPart(command: string, part: readonly string[], windows: boolean): boolean {
  const words = ruleWords(command, windows) ?? looseWords(command);
  if (words.length === 0) return false;
  if (startsWith(part, words)) return true;
  const program = baseName(part[0] ?? '');
  if (INTERPRETERS.test(program))
    return part.slice(1).some((word) => /[\s("'`]/.test(word) && mentionsCommand(command, word));
  // Such as `env -S "rm x"`, where one word is a line.
  if (!WRAPPERS.has(program)) return false;
  return (
    part.some((_, from) => startsWith(part.slice(from), words)) || mentionsCommand(command, part.join(' '))
  );
}

function startsWith(part: readonly string[], words: readonly string[]): boolean {
  const [program = '', ...rest] = words;
  const [name = ''] = part;
  if (name !== program && baseName(name) !== baseName(program)) return false;
  let at = 1;
  for (const word of rest) {
    at = find(part, at, word);
    if (at < 0) return false;
    at++;
  }
  return true;
}

/** The place of a word, with only options, each with one value at most, before it; -1 where there is none. */
function find(part: readonly string[], from: number, word: string): number {
  for (let at = from; at < part.length; at++) {
    if (part[at] === word) return at;
    const isOption = part[at]?.startsWith('-') === true;
    const isValue = at > from && part[at - 1]?.startsWith('-') === true;
    if (!isOption && !isValue) return -1;
  }
  return -1;
}

/** True if the words of a rule's command stand in a text one after the other, whatever the quotes. */
export function mentionsCommand(command: string, text: string): boolean {
  const words = looseWords(command);
  if (words.length === 0) return false;
  const pattern = new RegExp(
    `(?<![\\w-])${words.map((word) => word.replaceAll(/[^\w\s]/g, '\\$&')).join('\\s+')}(?![\\w-])`,
    'i',
  );
  return pattern.test(text) || pattern.test(text.replaceAll(/["'\\^`]/g, ''));
}

function looseWords(command: string): string[] {
  return command
    .replaceAll(/["'\\^`]/g, '')
    .split(/\s+/)
    .filter(Boolean);
}
