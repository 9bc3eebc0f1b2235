import { asNumber, asString } from '../../core/json';
import type { FoundLine, LineQuery } from '../access/search/search';
import { quoted } from './bounds';
import {
  filterOf,
  foundOutput,
  inPlace,
  placesOf,
  searchOf,
  withinTime,
  type ShownPlace,
} from './searchPlaces';
import { objectSchema, requiredString, ToolFailure, type Tool, type ToolContext } from './tool';

const MAX_MATCHES = 100;
/** Most characters of a line that are shown; of a longer one the part around the match. */
const MAX_LINE = 300;
const MAX_CONTEXT = 10;
/** Most characters of an answer. */
const MAX_CHARACTERS = 50_000;

/** `search_text {text, path?, …}`: lines that hold a text, as `path:line: text`. */
export const searchText: Tool = {
  name: 'search_text',
  kind: 'search',
  changes: false,
  description:
    'Finds the lines of files that hold a text, as "path:line: text"; upper and lower case are the same unless caseSensitive is true. Leaves out what .gitignore names, .git, node_modules and files that are no text. Prefer it to commands such as grep.',
  inputSchema: objectSchema(
    {
      text: {
        type: 'string',
        minLength: 1,
        maxLength: 1000,
        description:
          'What to look for, within one line: plain text, or a regular expression with regex: true.',
      },
      path: {
        type: 'string',
        description: 'A file or folder to search in; by default all folders of the session.',
      },
      regex: { type: 'boolean', description: 'Take the text as a regular expression (Rust syntax).' },
      caseSensitive: { type: 'boolean', description: 'Tell upper from lower case.' },
      glob: {
        type: 'string',
        minLength: 1,
        maxLength: 1000,
        description: 'Only files that fit this glob, relative to "path", such as "*.ts" or "src/**/*.css".',
      },
      contextLines: {
        type: 'integer',
        minimum: 0,
        maximum: MAX_CONTEXT,
        description: 'How many lines before and after each match to give too, as "path-line- text".',
      },
    },
    ['path', 'regex', 'caseSensitive', 'glob', 'contextLines'],
  ),
  start: (input, workspace) => {
    const text = requiredString(input, 'text');
    if (text === '') throw new ToolFailure('There is nothing to search for.');
    if (/[\r\n]/.test(text))
      throw new ToolFailure('"text" must be one line: search for a part that is within a line.');
    const query: LineQuery = {
      text,
      regex: input['regex'] === true,
      caseSensitive: input['caseSensitive'] === true,
      contextLines: asNumber(input['contextLines']) ?? 0,
      filter: filterOf(asString(input['glob'])),
    };
    const path = asString(input['path']);
    return {
      title: `Search for ${quoted(text)}${inPlace(workspace, path)}`,
      run: async (context) => {
        const { lines, note } = await search(context, await placesOf(workspace, path), query);
        return foundOutput(lines, note, 'Nothing was found.');
      },
    };
  },
};

async function search(
  context: ToolContext,
  places: readonly ShownPlace[],
  query: LineQuery,
): Promise<{ lines: string[]; note?: string | undefined }> {
  const found = new FoundText(query.contextLines > 0);
  const files = searchOf(context);
  const timeNote = await withinTime(context.signal, async (signal) => {
    for (const place of places) {
      for await (const { path, lines } of files.lines(place, query, signal)) {
        if (!lines.every((line) => found.add(place.shown(path), line))) return;
      }
    }
  });
  return { lines: found.lines, note: found.isFull ? found.moreNote : timeNote };
}

/** The lines of an answer, up to the most matches. */
class FoundText {
  readonly lines: string[] = [];
  isFull = false;
  private matches = 0;
  private characters = 0;
  private last: { path: string; line: number } | undefined;

  constructor(private readonly groups: boolean) {}

  get moreNote(): string {
    return `Only the first ${this.matches} matches are given. Narrow the text, the path or the glob.`;
  }

  /** False where no more fits. */
  add(path: string, { line, text, at }: FoundLine): boolean {
    const isMatch = at !== undefined;
    if ((isMatch && this.matches >= MAX_MATCHES) || this.characters > MAX_CHARACTERS) this.isFull = true;
    if (this.isFull) return false;
    if (isMatch) this.matches++;
    const { last } = this;
    // Lines around matches are in groups, as grep shows them.
    if (this.groups && last && (last.path !== path || last.line + 1 !== line)) this.lines.push('--');
    const mark = isMatch ? ':' : '-';
    const shown = `${path}${mark}${line}${mark} ${excerpt(text, at ?? 0)}`;
    this.lines.push(shown);
    this.characters += shown.length;
    this.last = { path, line };
    return true;
  }
}

function excerpt(text: string, at: number): string {
  const line = text.trimEnd();
  if (line.length <= MAX_LINE) return line;
  const start = Math.max(0, Math.min(at - MAX_LINE / 3, line.length - MAX_LINE));
  const end = start + MAX_LINE;
  return `${start > 0 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`;
}
