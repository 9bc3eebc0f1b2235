import { asString } from '../../core/json';
import {
  filterOf,
  foundOutput,
  inPlace,
  placesOf,
  searchOf,
  withinTime,
  type ShownPlace,
} from './searchPlaces';
import { objectSchema, requiredString, type Tool, type ToolContext } from './tool';
import type { FileFilter } from '../access/search/search';

/** Most files that are given. */
const MAX_FILES = 500;

/** `find_files {pattern, path?}`: the files whose paths fit a glob, one a line. */
export const findFiles: Tool = {
  name: 'find_files',
  kind: 'search',
  changes: false,
  description:
    'Finds files by name: gives the paths that fit a glob, sorted, one a line. Leaves out what .gitignore names, .git and node_modules. Use it to learn where files are; use search_text to find text in them.',
  inputSchema: objectSchema(
    {
      pattern: {
        type: 'string',
        minLength: 1,
        maxLength: 1000,
        description:
          'A glob relative to "path", such as "*.ts" (at any depth, since it has no slash), "src/**/*.{ts,tsx}" or "**/package.json".',
      },
      path: {
        type: 'string',
        description: 'The folder to look in; by default all folders of the session.',
      },
    },
    ['path'],
  ),
  start: (input, workspace) => {
    const pattern = requiredString(input, 'pattern');
    const filter = filterOf(pattern);
    const path = asString(input['path']);
    return {
      title: `Find ${pattern}${inPlace(workspace, path)}`,
      run: async (context) => {
        const { found, note } = await find(context, await placesOf(workspace, path), filter);
        return foundOutput(found, note, 'No file was found.');
      },
    };
  },
};

async function find(
  context: ToolContext,
  places: readonly ShownPlace[],
  filter: FileFilter,
): Promise<{ found: string[]; note?: string | undefined }> {
  const found: string[] = [];
  const search = searchOf(context);
  let isMore = false;
  const timeNote = await withinTime(context.signal, async (signal) => {
    for (const place of places) {
      for await (const path of search.files(place, filter, signal)) {
        isMore = found.length >= MAX_FILES;
        if (isMore) return;
        found.push(place.shown(path));
      }
    }
  });
  const moreNote = `Only the first ${MAX_FILES} files are given. Narrow the pattern or the path.`;
  return { found, note: isMore ? moreNote : timeNote };
}
