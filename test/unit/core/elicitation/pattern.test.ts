import assert from 'node:assert/strict';
import { matchesPattern } from '../../../../src/core/elicitation/pattern';

const VALUES = [
  '',
  'a',
  'b',
  'ab',
  'aab',
  'abab',
  'aaa',
  'abc-def',
  'abc-def-ghi',
  '-abc',
  'A1_b',
  '2024-02-30',
  'x@y.zz',
  'a b',
  'word here',
  'é',
  '中文',
  '😀',
  '😀😀',
  '\n',
  'a\nb',
  '.',
  ']',
  '\\',
  'a{2}',
  '\u0000',
  '\ud83d',
];

const PATTERNS = [
  '',
  'a',
  '^a$',
  'a|b',
  '^(a|b)+$',
  '^(?:a|ab)*$',
  '^(a*)*b$',
  '^(a+)+$',
  '^[a-z]+(?:-[a-z]+)*$',
  '^(?<year>\\d{4})-\\d{2}-\\d{2}$',
  '^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$',
  '^\\w+$',
  '\\bword\\b',
  '\\Bor\\B',
  '^.$',
  '^.{2}$',
  '^.{1,3}$',
  '^.{2,}$',
  '^\\p{L}+$',
  '^\\P{L}+$',
  '^\\u{1F600}$',
  '^\\uD83D\\uDE00+$',
  '^\\uD83D$',
  '^\\x61$',
  '^\\u0061?$',
  '^\\0$',
  '^\\cJ$',
  '^[\\]\\\\]$',
  '^[\\u{61}-\\x63]{2,3}?$',
  '^[^]$',
  '[]',
  '^\\.$',
  '^a\\{2\\}$',
  '^a{0}b$',
  '(|a)$',
  '^(?:)*$',
  '(?:^|-)abc',
  '^a??b',
  'a*?b+?',
  '()',
  '^(^a|b$)+$',
  '^[\\w-]+$',
];

/** What makes a backtracking engine work for ages: the pattern, and a part to repeat and an end that fails. */
const EXPLODING: [pattern: string, part: string, end: string][] = [
  ['^(a+)+$', 'a', '!'],
  ['^(a*)*$', 'a', '!'],
  ['^(a|a)*$', 'a', '!'],
  ['^(a|aa)+$', 'a', '!'],
  ['^([a-zA-Z]+)*$', 'a', '!'],
  ['^(\\w+\\s?)+$', 'word', '!'],
  ['^(.*a){20}$', 'a', '!'],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a', '!'],
  ['(x+x+)+y', 'x', ''],
  ['\\d*\\d*\\d*\\d*\\d*\\d*z', '1', ''],
  ['^(a?){50}a{50}b$', 'a', ''],
  ['^([0-9]+|[a-f0-9]+)*;$', '1', ''],
];

const seconds = (work: () => void): number => {
  const begin = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - begin) / 1e9;
};

describe('pattern of a form field', () => {
  it('EL-13 matches as JavaScript does', () => {
    for (const pattern of PATTERNS) {
      for (const value of VALUES) {
        assert.equal(
          matchesPattern(pattern, value),
          new RegExp(pattern, 'u').test(value),
          `${pattern} on ${JSON.stringify(value)}`,
        );
      }
    }
  });

  it('EL-14 answers patterns that explode, in time that grows with the length only', () => {
    for (const [pattern, part, end] of EXPLODING) {
      const valueOf = (length: number): string => part.repeat(length / part.length) + end;
      assert.equal(matchesPattern(pattern, valueOf(800)), false, pattern);
      const control = Math.min(...[1, 2, 3].map(() => seconds(() => matchesPattern(pattern, valueOf(200)))));
      const long = Math.min(...[1, 2, 3].map(() => seconds(() => matchesPattern(pattern, valueOf(800)))));
      // Four times the characters; the floor keeps the noise of a clock out.
      assert.ok(long < 16 * Math.max(control, 0.002), `${pattern}: ${long} s against ${control} s`);
    }
  });

  it('EL-14 the patterns of this test do explode in a backtracking engine', () => {
    const pattern = /^(a+)+$/u;
    const short = seconds(() => pattern.test(`${'a'.repeat(12)}!`));
    const longer = seconds(() => pattern.test(`${'a'.repeat(22)}!`));
    assert.ok(longer > 20 * short, `${longer} s against ${short} s`);
  });

  it('EL-14 bounds the work of the biggest pattern and value that it takes', () => {
    const control = seconds(() => {
      for (let i = 0; i < 1_000_000; i++) /^[^b]$/u.test('a');
    });
    const biggest = seconds(() => assert.equal(matchesPattern('[^b]{0,950}c', 'ad'.repeat(500)), false));
    assert.ok(biggest < 10 * control, `${biggest} s against ${control} s`);
  });

  it('EL-14 leaves unchecked what it can not check: look-around, back-references, invalid and too big patterns', () => {
    const unchecked = [
      '(?=a)a',
      '(?!a)b',
      '(?<=a)b',
      '(?<!a)b',
      '(a)\\1',
      '(?<x>a)\\k<x>',
      '(',
      'a{2,1}',
      '[z-a]',
      '\\-',
      '(?i:a)',
      'a{0,100000}',
      '(?:){1000000000}',
      '((((((a{90}){90}){90}){90}){90}){90})',
      'a'.repeat(1_001),
      `${'('.repeat(600)}${')'.repeat(600)}`,
    ];
    for (const pattern of unchecked) assert.equal(matchesPattern(pattern, 'b'), undefined, pattern);
    assert.equal(matchesPattern('^b', 'a'.repeat(1_001)), undefined);
    assert.equal(matchesPattern('^b', 'a'.repeat(1_000)), false);
  });
});
