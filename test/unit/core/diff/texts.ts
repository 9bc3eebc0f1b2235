import fc from 'fast-check';

/** One of few lines, so that texts of them have much in common. */
export const someLine: fc.Arbitrary<string> = fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', 'a longer line\n');

/** A text of lines that repeat, with or without a line feed at its end. */
export const aText: fc.Arbitrary<string> = fc
  .tuple(fc.array(someLine, { maxLength: 30 }), fc.constantFrom('', 'a', 'end'))
  .map(([lines, end]) => lines.join('') + end);

/** The lines of a file as code has them: most are there once, and every fifth is a brace. */
export const bigFile = (count: number): string[] =>
  Array.from({ length: count }, (_, at) =>
    at % 5 === 4 ? '  }\n' : `    const value${at} = compute(${at});\n`,
  );
