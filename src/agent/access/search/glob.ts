/** Tests a path with slashes. */
type GlobTest = (path: string) => boolean;

/** Part of a pattern: any number of items, or one item that passes. */
type Token = 'run' | ((item: string) => boolean);

/** Longest pattern, in UTF-16 units. */
const MAX_PATTERN = 2_000;

/** Most ways in which the braces of a pattern can be read. */
const MAX_WAYS = 100;

/**
 * Compiles a glob: `*`, `?` and `[…]` are of one name, `**` is of folders, also of none. Each test takes time that grows with pattern and
 * path alone: by a regular expression a pattern with many stars could take for ever, and nothing would stop that.
 *
 * @param braces `{a,b}` means one of several; else braces are as they are.
 * @returns undefined for a pattern that is too long, or whose braces have too many ways.
 */
export function compileGlob(pattern: string, { braces }: { braces: boolean }): GlobTest | undefined {
  if (pattern.length > MAX_PATTERN) return undefined;
  const ways = braces ? waysOf(pattern) : [pattern];
  if (!ways) return undefined;
  const compiled = ways.map((way) => splitOutside(way, '/').map(segmentToken)).map(endsInNames);
  return (path) => {
    const names = path.split('/');
    return compiled.some((tokens) => fits(tokens, names));
  };
}

function segmentToken(segment: string): Token {
  if (segment === '**') return 'run';
  const tokens = nameTokens(segment);
  return (name) => fits(tokens, Array.from(name));
}

/** `a/**` is what is in `a`, not `a` itself. */
function endsInNames(tokens: Token[]): Token[] {
  return tokens.at(-1) === 'run' ? [...tokens, () => true] : tokens;
}

/** Going back to the last run is enough: what an earlier one takes more can only be worse. */
function fits(tokens: readonly Token[], items: readonly string[]): boolean {
  let [at, item, run, from] = [0, 0, -1, 0];
  while (item < items.length) {
    const token = tokens[at];
    if (token === 'run') [run, from, at] = [at, item, at + 1];
    else if (token?.(items[item] ?? '')) [at, item] = [at + 1, item + 1];
    else if (run < 0) return false;
    else [from, item, at] = [from + 1, from + 1, run + 1];
  }
  return tokens.slice(at).every((token) => token === 'run');
}

function nameTokens(segment: string): Token[] {
  return [...segment.matchAll(/\*+|\?|\[[!^]?\]?(?:\\.|[^\]\\])*\]|\\?[^]/gu)].map(([part]) => {
    if (part.startsWith('*')) return 'run';
    if (part === '?') return () => true;
    if (part.length > 2 && part.startsWith('[')) return classTest(part.slice(1, -1));
    const literal = part.length > 1 && part.startsWith('\\') ? part.slice(1) : part;
    return (character) => character === literal;
  });
}

function classTest(inside: string): (character: string) => boolean {
  const isNot = /^[!^]/.test(inside);
  const members = inside.slice(isNot ? 1 : 0).matchAll(/\\?([^])(?:-\\?([^]))?/gu);
  const ranges = [...members].map(([, first = '', last = first]) => [codeOf(first), codeOf(last)] as const);
  return (character) => {
    const code = codeOf(character);
    return ranges.some(([first, last]) => code >= first && code <= last) !== isNot;
  };
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

/** A pattern without braces for each way to read it; undefined if there are too many. */
function waysOf(pattern: string): string[] | undefined {
  const done: string[] = [];
  const open = [pattern];
  for (let way = open.pop(); way !== undefined; way = open.pop()) {
    const found = firstBraces(way);
    if (!found) done.push(way);
    else for (const choice of found.choices) open.push(found.before + choice + found.after);
    if (done.length + open.length > MAX_WAYS) return undefined;
  }
  return done;
}

function firstBraces(pattern: string): { before: string; choices: string[]; after: string } | undefined {
  for (let start = 0; start < pattern.length; start++) {
    if (pattern[start] === '\\') start++;
    else if (pattern[start] === '{') {
      const end = endOfBraces(pattern, start);
      const choices = end === undefined ? [] : splitOutside(pattern.slice(start + 1, end), ',');
      if (end !== undefined && choices.length > 1)
        return { before: pattern.slice(0, start), choices, after: pattern.slice(end + 1) };
    }
  }
  return undefined;
}

function endOfBraces(pattern: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === '\\') at++;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return at;
  }
  return undefined;
}

/** The parts between separators that are neither escaped nor in braces. */
function splitOutside(text: string, separator: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const [part] of text.matchAll(/\\?[^]/gu)) {
    if (part === '{') depth++;
    else if (part === '}') depth--;
    if (part === separator && (depth <= 0 || separator === '/')) parts.push('');
    else parts.push((parts.pop() ?? '') + part);
  }
  return parts;
}
