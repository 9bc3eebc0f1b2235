/** Longest pattern, in UTF-16 units, that is looked at. */
const MAX_PATTERN = 1_000;
/** Longest value, in UTF-16 units, that is looked at. */
const MAX_VALUE = 1_000;
/** Most steps of a program; with the longest value it bounds the work of a match. */
const MAX_STEPS = 1_000;

/** The pattern has a part that a match in bounded time can't follow, or is too big. */
class Unsupported extends Error {}

type Test = (character: string) => boolean;

/** A part of a pattern. */
type Part =
  | { type: 'character'; test: Test }
  | { type: 'assertion'; token: string }
  | { type: 'sequence'; parts: Part[] }
  | { type: 'alternatives'; parts: Part[] }
  | { type: 'repeat'; part: Part; min: number; max: number };

/** A state of the automaton. `fork` goes on at each of its targets without taking a character. */
type Step =
  { op: 'take'; test: Test } | { op: 'assert'; token: string } | { op: 'fork'; to: number[] } | { op: 'end' };

/**
 * True if the value has a part that matches the agent's pattern, which is one of JavaScript with the flag `u`. Undefined where that
 * can't be told: an invalid pattern, one with look-around or a back-reference, or one that is too big.
 *
 * The pattern is not trusted (EL-14): instead of the engine's backtracking, which some patterns make exponential, all states of an
 * automaton are followed side by side. The work is at most steps times characters, whatever the pattern is.
 */
export function matchesPattern(pattern: string, value: string): boolean | undefined {
  if (pattern.length > MAX_PATTERN || value.length > MAX_VALUE) return undefined;
  try {
    new RegExp(pattern, 'u'); // Only parses; everything below relies on a valid pattern.
    return run(new Compiler().compile(new Parser(pattern).parse()), Array.from(value));
  } catch (error) {
    if (error instanceof Unsupported || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

// An escape, a class, the beginning of a group, a counted quantifier, or one character.
const TOKEN =
  /\\u\{[^}]*\}|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[\da-fA-F]{4}|\\x..|\\c.|\\[pP]\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|\(\?<?[=!]|\(\?:|\(\?<[^>]*>|\(\?|\{\d+(?:,\d*)?\}|./gsu;
const GROUP = /^\((?:\?:|\?<[^=!].*)?$/s;
const LOOK_AROUND_OR_REFERENCE = /^(?:\(\?|\\[1-9k])/;
const ASSERTION = /^(?:[$^]|\\b)$/i;
const QUANTIFIER = /^(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})$/;

/** Reads a pattern that is known to be valid. */
class Parser {
  private readonly tokens: string[];
  private next = 0;

  constructor(pattern: string) {
    this.tokens = pattern.match(TOKEN) ?? [];
  }

  parse(): Part {
    const parts = [this.sequence()];
    while (this.tokens[this.next] === '|') {
      this.next++;
      parts.push(this.sequence());
    }
    return { type: 'alternatives', parts };
  }

  private sequence(): Part {
    const parts: Part[] = [];
    for (;;) {
      const token = this.tokens[this.next];
      if (token === undefined || token === '|' || token === ')') return { type: 'sequence', parts };
      this.next++;
      parts.push(this.quantified(this.atom(token)));
    }
  }

  private atom(token: string): Part {
    if (GROUP.test(token)) {
      const part = this.parse();
      this.next++; // The closing parenthesis.
      return part;
    }
    if (LOOK_AROUND_OR_REFERENCE.test(token)) throw new Unsupported(token);
    if (ASSERTION.test(token)) return { type: 'assertion', token };
    return { type: 'character', test: testOf(token) };
  }

  private quantified(part: Part): Part {
    const token = this.tokens[this.next] ?? '';
    const match = QUANTIFIER.exec(token);
    if (!match) return part;
    this.next++;
    if (this.tokens[this.next] === '?') this.next++; // How much is taken first does not matter.
    const [, least, comma, most] = match;
    if (least === undefined)
      return { type: 'repeat', part, min: token === '+' ? 1 : 0, max: token === '?' ? 1 : Infinity };
    const max = comma === undefined ? Number(least) : most ? Number(most) : Infinity;
    return { type: 'repeat', part, min: Number(least), max };
  }
}

/** A test of one character, which repeated parts share; the regular expressions here have no quantifier. */
function testOf(token: string): Test {
  if (token !== '.' && !/^[\\[]/.test(token)) return (character) => character === token;
  const expression = new RegExp(`^${token}$`, 'u');
  let last: { character: string; passed: boolean } | undefined;
  return (character) => {
    if (last?.character !== character) last = { character, passed: expression.test(character) };
    return last.passed;
  };
}

/** Turns a pattern into steps; the first one is the beginning. */
class Compiler {
  private readonly steps: Step[] = [];
  private visits = 0;

  compile(part: Part): readonly Step[] {
    this.add(part);
    this.steps.push({ op: 'end' });
    return this.steps;
  }

  private add(part: Part): void {
    // Visits are counted, not steps: an empty group that is repeated a million times has no step.
    if (++this.visits > MAX_STEPS) throw new Unsupported('too big');
    switch (part.type) {
      case 'character':
        this.steps.push({ op: 'take', test: part.test });
        return;
      case 'assertion':
        this.steps.push({ op: 'assert', token: part.token });
        return;
      case 'sequence':
        for (const inner of part.parts) this.add(inner);
        return;
      case 'alternatives':
        return this.addAlternatives(part.parts);
      case 'repeat':
        return this.addRepeat(part.part, part.min, part.max);
    }
  }

  private addAlternatives(parts: readonly Part[]): void {
    const [only] = parts;
    if (parts.length === 1 && only) return this.add(only);
    const begin = this.fork();
    const ends = parts.map((part) => {
      begin.push(this.steps.length);
      this.add(part);
      return this.fork();
    });
    for (const end of ends) end.push(this.steps.length);
  }

  private addRepeat(part: Part, min: number, max: number): void {
    for (let i = 0; i < min; i++) this.add(part);
    const exits: number[][] = [];
    for (let i = min; i < max; i++) {
      const begin = this.steps.length;
      const fork = this.fork();
      fork.push(begin + 1);
      exits.push(fork);
      this.add(part);
      if (max !== Infinity) continue;
      this.fork().push(begin);
      break;
    }
    for (const exit of exits) exit.push(this.steps.length);
  }

  /** Adds a fork and gives its targets, to be filled in. */
  private fork(): number[] {
    const to: number[] = [];
    this.steps.push({ op: 'fork', to });
    return to;
  }
}

function run(steps: readonly Step[], characters: readonly string[]): boolean {
  let reached: number[] = [];
  for (let at = 0; ; at++) {
    // A match may begin anywhere.
    const takers = follow(steps, [...reached, 0], characters, at);
    if (takers === 'matched') return true;
    const character = characters[at];
    if (character === undefined) return false;
    reached = [];
    for (const index of takers) {
      const step = steps[index];
      if (step?.op === 'take' && step.test(character)) reached.push(index + 1);
    }
  }
}

/** The steps that take the next character, among all that can be reached without one. */
function follow(
  steps: readonly Step[],
  from: readonly number[],
  characters: readonly string[],
  at: number,
): number[] | 'matched' {
  const takers: number[] = [];
  const seen = new Uint8Array(steps.length);
  const open = [...from];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    if (seen[index]) continue;
    seen[index] = 1;
    const step = steps[index];
    if (!step) continue;
    if (step.op === 'end') return 'matched';
    if (step.op === 'take') takers.push(index);
    else if (step.op === 'fork') open.push(...step.to);
    else if (holds(step.token, characters, at)) open.push(index + 1);
  }
  return takers;
}

function holds(token: string, characters: readonly string[], at: number): boolean {
  if (token === '^') return at === 0;
  if (token === '$') return at === characters.length;
  const isWord = (index: number): boolean => /^\w$/.test(characters[index] ?? '');
  return (isWord(at - 1) !== isWord(at)) === (token === '\\b');
}
