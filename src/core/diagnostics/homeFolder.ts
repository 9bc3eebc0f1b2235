/** A separator of a path: also doubled for a string of a program, and encoded for an address, once or more. */
const SEPARATOR = String.raw`(?:\\{1,4}|\\?/|%(?:25)*(?:2F|5C))`;

/** Nothing of a name stands before; an option's letters and an escaped line end may. */
const START = String.raw`(?:(?<![\p{L}\p{N}_.~)\]-])|(?<=(?:^|[\s"'=])-[A-Za-z]{1,2})|(?<=\\[nrt]))`;

/** The name ends here: `/home/ann2` is another's folder, `/home/ann.` may end a sentence. */
const END = String.raw`(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}])`;

/** Names of accounts that say nothing about a person, and are folders of many systems. */
const NOBODY = new Set(
  'admin administrator app bin coder codespace dev etc gitpod home lib mnt node opt public root runner runneradmin src tmp ubuntu user users usr var vscode work workspace'.split(
    ' ',
  ),
);

/** Finds the home folder as a shell, Windows, a program's string or an address writes it; undefined where there is none to find. */
export function homePattern(home: string): RegExp | undefined {
  const [first = '', ...rest] = segmentsOf(home);
  const drive = /^([A-Za-z]):$/.exec(first)?.[1];
  if (first === '' || (drive !== undefined && rest.length === 0)) return undefined;
  const letter = drive ?? '';
  const start =
    drive === undefined
      ? SEPARATOR + anyForm(first)
      : String.raw`(?:/?${letter}(?::|%(?:25)*3A)|(?:/mnt|/cygdrive)?/${letter})`;
  return new RegExp(START + [start, ...rest.map(anyForm)].join(SEPARATOR) + END, 'giu');
}

/** Finds the names as parts of paths, also of those that are one word (`-home-ann-work`); undefined for names that are nobody's. */
export function userPattern(names: readonly string[]): RegExp | undefined {
  const own = [...new Set(names)].filter((name) => name.length > 1 && !NOBODY.has(name.toLowerCase()));
  if (own.length === 0) return undefined;
  const before = String.raw`(?<=${SEPARATOR}|[-_](?:home|users)[-_])`;
  return new RegExp(String.raw`${before}(?:${own.map(anyForm).join('|')})(?![\p{L}\p{N}])`, 'giu');
}

/** The last part of the folder, which mostly is the name of its person. */
export function folderName(home: string): string {
  return segmentsOf(home).at(-1) ?? '';
}

function segmentsOf(path: string): string[] {
  return path.split(/[\\/]+/).filter((part) => part !== '');
}

function anyForm(name: string): string {
  return Array.from(name.normalize('NFC'), anyFormOf).join('');
}

/** A character as it is, taken apart, encoded for an address, or escaped as JSON does. */
function anyFormOf(char: string): string {
  if (/^[A-Za-z\d_]$/.test(char)) return char;
  const forms = [char, char.normalize('NFD')];
  const encoded = forms.flatMap(inAddress);
  const units = Array.from({ length: char.length }, (_, at) => char.charCodeAt(at));
  const escaped = units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  const shell = char === ' ' ? ['\\ '] : [];
  const all = [...new Set([...shell, ...forms, ...encoded, escaped])];
  return `(?:${all.map(literal).join('|')})`;
}

/** The text as an address has it; none for half of a character, which has no such form. */
export function inAddress(text: string): string[] {
  return /\p{Cs}/u.test(text) ? [] : [encodeURIComponent(text)];
}

/** The text as a part of a regular expression with the flag `u`. */
export function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
