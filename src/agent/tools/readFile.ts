import { sliceLines } from '../../core/files/slice';
import { asNumber } from '../../core/json';
import { resolveInside, shownPath } from '../access/paths';
import { fenced, languageOf } from '../markdown';
import { requiredString, textContent, type Tool } from './tool';

/** Longest text that the card shows; the model gets all of it. */
const SHOWN_CHARACTERS = 20_000;

/** `read_file {path, line?, limit?}`: the text of a file, or some lines of it. */
export const readFile: Tool = {
  name: 'read_file',
  kind: 'read',
  changes: false,
  start: (input, cwd) => {
    const path = resolveInside(cwd, requiredString(input, 'path'));
    const line = asNumber(input['line']);
    return {
      title: `Read ${shownPath(cwd, path)}`,
      locations: [{ path, ...(line === undefined ? {} : { line }) }],
      run: async ({ files, signal }) => {
        const text = sliceLines(await files.read(path, signal), { line, limit: asNumber(input['limit']) });
        return { output: text, content: [textContent(fenced(shorten(text), languageOf(path)))] };
      },
    };
  },
};

function shorten(text: string): string {
  return text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}\n…`;
}
