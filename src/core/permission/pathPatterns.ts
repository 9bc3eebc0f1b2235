import picomatch from 'picomatch/posix';
import { isAbsolutePath } from '../files/containment';
import type { PathContext } from './rules';

const MAX_PATTERN = 500;
/** Stars in one segment: each makes the time to match a long name longer by a power. */
const MAX_STARS = 3;
/** No file system has longer names. */
const MAX_SEGMENT = 255;
const MAX_DEPTH = 200;

/** `exact`: the pattern matches. `within`: it matches, or matches a folder above. */
export interface PathMatcher {
  exact(path: string): boolean;
  within(path: string): boolean;
}

type Segment = '**' | ((name: string) => boolean);

/**
 * Compiles a glob of a path: absolute, from `~/`, or relative to any root. `**` stands for folders, `dir/**` matches `dir` too; `*`,
 * `?`, `[…]` and `{…}` stand for what is in one name. Undefined for a pattern that cannot be matched in a short time, or at all.
 */
export function pathMatcher(pattern: string, context: PathContext): PathMatcher | undefined {
  const segments = compile(pattern, context);
  if (!segments) return undefined;
  const bases = anchors(pattern, context);
  const test = (path: string, within: boolean): boolean => {
    const names = namesOf(path, context);
    if (names.length > MAX_DEPTH || names.some((name) => name.length > MAX_SEGMENT)) return within;
    return bases.some((base) => matches([...base, ...segments], names, within));
  };
  return { exact: (path) => test(path, false), within: (path) => test(path, true) };
}

/** An absolute path without `.`, `..` and doubled separators, with `/` between names; undefined if it is not absolute. */
export function normalPath(path: string, context: PathContext): string | undefined {
  if (!isAbsolutePath(path, context.windows)) return undefined;
  const names = namesOf(path, context);
  return context.windows && !/^[\\/]/.test(path) ? names.join('/') : `/${names.join('/')}`;
}

/** Tests a name without separators against a glob; undefined for a pattern that cannot be matched. */
export function nameMatcher(pattern: string, ignoreCase: boolean): ((name: string) => boolean) | undefined {
  if (pattern === '' || pattern.length > MAX_PATTERN || pattern.split('*').length - 1 > MAX_STARS)
    return undefined;
  // What picomatch hands on to the regular expression is taken as it is written.
  const literal = pattern.replaceAll(/\\[^]|\[!?[^\]]+\]|[()|+@^$!"]/g, (found) =>
    /^(\\|\[.)/.test(found) ? found : `\\${found}`,
  );
  try {
    const test = picomatch(literal, {
      dot: true,
      nocase: ignoreCase,
      noextglob: true,
      nonegate: true,
      keepQuotes: true,
      windows: false,
    });
    return (name) => test(name);
  } catch {
    return undefined;
  }
}

/** Escapes a name so that as a pattern it matches only itself; undefined where that cannot be written. */
export function literalPattern(name: string): string | undefined {
  return name.includes('\\') ? undefined : name.replaceAll(/[*?[\]{}]/g, '[$&]');
}

function compile(pattern: string, context: PathContext): Segment[] | undefined {
  if (pattern === '' || pattern.length > MAX_PATTERN) return undefined;
  const segments: Segment[] = [];
  for (const segment of patternNames(pattern, context)) {
    const matcher = segment === '**' ? '**' : nameMatcher(segment, context.ignoreCase);
    // A brace or bracket that is open here goes on behind the separator, which is not supported.
    if (segment === '..' || !matcher || !isBalanced(segment)) return undefined;
    segments.push(matcher);
  }
  return segments;
}

function patternNames(pattern: string, context: PathContext): string[] {
  const path = context.windows ? pattern.replaceAll('\\', '/') : pattern;
  const names = path.replace(/^~(?=\/|$)/, '').split('/');
  return names.filter((name) => name !== '' && name !== '.');
}

function isBalanced(segment: string): boolean {
  const open = segment.replaceAll(/\\[^]|\[[^\]]\]/g, '');
  return open.split('{').length === open.split('}').length;
}

/** What stands before the pattern: nothing, the home folder, or each root. */
function anchors(pattern: string, context: PathContext): Segment[][] {
  if (isAbsolutePath(pattern, context.windows)) return [[]];
  const folders = /^~([\\/]|$)/.test(pattern) ? [context.home] : context.roots;
  return folders.map((folder) => namesOf(folder, context).map((name) => literalMatcher(name, context)));
}

function literalMatcher(name: string, context: PathContext): Segment {
  const folded = context.ignoreCase ? name.toLowerCase() : name;
  return (other) => (context.ignoreCase ? other.toLowerCase() : other) === folded;
}

function namesOf(path: string, context: PathContext): string[] {
  const names: string[] = [];
  for (const name of (context.windows ? path.replaceAll('\\', '/') : path).split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return names;
}

/** Walks the names once and keeps the set of places in the pattern, so that `**` costs no backtracking. */
function matches(segments: readonly Segment[], names: readonly string[], within: boolean): boolean {
  let places = skipStars(segments, new Set([0]));
  for (const name of names) {
    if (within && places.has(segments.length)) return true;
    const next = new Set<number>();
    for (const place of places) {
      const segment = segments[place];
      if (segment === '**') next.add(place);
      else if (segment?.(name)) next.add(place + 1);
    }
    places = skipStars(segments, next);
  }
  return places.has(segments.length);
}

function skipStars(segments: readonly Segment[], places: Set<number>): Set<number> {
  // A set hands out what is added while it is walked.
  for (const place of places) if (segments[place] === '**') places.add(place + 1);
  return places;
}
