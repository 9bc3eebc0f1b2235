import { firstOf } from '../cutText';
import { sliceLines } from '../../core/files/slice';
import { asNumber } from '../../core/json';
import { resolveInside, shownPath } from '../access/paths';
import { fenced, languageOf } from '../markdown';
import { firstBytes, MAX_OUTPUT_BYTES, withNote } from './bounds';
import { objectSchema, requiredString, textContent, type Tool } from './tool';

/** Most lines that are given at once. */
const MAX_LINES = 2_000;

/** Longest text that the card shows; the model gets all of it. */
const SHOWN_CHARACTERS = 20_000;

/** `read_file {path, line?, limit?}`: the text of a file, or some lines of it. */
export const readFile: Tool = {
  name: 'read_file',
  kind: 'read',
  changes: false,
  description: `Reads a text file, or some of its lines, exactly as they are. At most ${MAX_LINES} lines or ${MAX_OUTPUT_BYTES / 1000} kB are given at once; a note at the end tells the line to read on with. Read a file before you change it.`,
  inputSchema: objectSchema(
    {
      path: {
        type: 'string',
        minLength: 1,
        description: 'The file: relative to the first folder of the session, or absolute.',
      },
      line: { type: 'integer', minimum: 1, description: 'The first line to give, counted from 1.' },
      limit: { type: 'integer', minimum: 1, description: 'How many lines to give.' },
    },
    ['line', 'limit'],
  ),
  start: (input, workspace) => {
    const path = resolveInside(workspace, requiredString(input, 'path'));
    const line = asNumber(input['line']);
    const limit = asNumber(input['limit']);
    return {
      title: `Read ${shownPath(workspace, path)}`,
      locations: [{ path, ...(line === undefined ? {} : { line }) }],
      run: async ({ files, signal }) => {
        const whole = await files.read(path, signal);
        const wanted = sliceLines(whole, { line, limit });
        const given = wholeLines(sliceLines(wanted, { limit: MAX_LINES }));
        return {
          output: outputOf({ whole, wanted, given, line: line ?? 1 }),
          content: [textContent(fenced(shorten(given), languageOf(path)))],
        };
      },
    };
  },
};

/** As many whole lines as fit; the beginning of the first one where that alone is too long. */
function wholeLines(text: string): string {
  const start = firstBytes(text, MAX_OUTPUT_BYTES);
  if (start.length === text.length) return text;
  const end = Math.max(start.lastIndexOf('\n'), start.lastIndexOf('\r')) + 1;
  return end === 0 ? start : start.slice(0, end);
}

interface Given {
  whole: string;
  /** What was asked for. */
  wanted: string;
  given: string;
  /** The first line that is given. */
  line: number;
}

function outputOf({ whole, wanted, given, line }: Given): string {
  if (whole === '') return withNote('', 'The file is empty.');
  if (wanted === '') return withNote('', `Line ${line} is the empty end of the file; there is nothing more.`);
  if (given.length === wanted.length) return given;
  const next = line + lineEndsIn(given);
  if (next === line)
    return withNote(
      given,
      `Line ${line} is too long and was cut off here. Find a part of it with search_text.`,
    );
  const all = lineEndsIn(whole) + (/[\r\n]$/.test(whole) ? 0 : 1);
  return withNote(given, `These are lines ${line} to ${next - 1} of ${all}. Read on with "line": ${next}.`);
}

function lineEndsIn(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}

function shorten(text: string): string {
  return text.length <= SHOWN_CHARACTERS ? text : `${firstOf(text, SHOWN_CHARACTERS)}\n…`;
}
