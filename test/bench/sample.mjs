const CHUNK_LENGTH = 40;

/** The last words of the message: they are on screen when all of it is. */
export const lastWords = 'The last word';

const part = `## Part {n}

The build has **three** parts, see [the file](src/build{n}.ts:12), and \`code\` with *emphasis*, so that a paragraph has some length.

1. First of all, something that is longer than one line of a narrow panel
   - nested, with \`code\`
2. Second

| name | size |
|------|-----:|
| page | {n} KB |

\`\`\`ts
export const value{n} = compute({n});
if (value{n} > 3) throw new Error('too much');
\`\`\`

`;

/**
 * Mixed Markdown in chunks of 40 bytes, as an agent streams it.
 * @param {number} count how many chunks
 * @param {string} [first] what the message begins with
 * @returns {string[]}
 */
export function sampleChunks(count, first = '') {
  const length = count * CHUNK_LENGTH;
  const end = `\n\n${lastWords}`;
  let text = first;
  for (let n = 0; text.length < length; n++) {
    const next = part.replaceAll('{n}', String(n));
    if (text.length + next.length + end.length > length) break;
    text += next;
  }
  text += 'x '.repeat(length).slice(0, length - text.length - end.length) + end;
  return Array.from({ length: count }, (_, at) => text.slice(at * CHUNK_LENGTH, (at + 1) * CHUNK_LENGTH));
}
