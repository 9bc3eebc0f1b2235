import { readdir } from 'node:fs/promises';
import { asString } from '../../core/json';
import { realPathInside, resolveInside, shownPath } from '../access/paths';
import { fenced } from '../markdown';
import { withNote } from './bounds';
import { objectSchema, textContent, type Tool } from './tool';

/** Most entries that are given. */
const MAX_ENTRIES = 500;

/** `list_directory {path?}`: the entries of a folder, one a line; folders end with a slash and come first. */
export const listDirectory: Tool = {
  name: 'list_directory',
  kind: 'search',
  changes: false,
  description: `Lists what is directly in a folder, one name a line: folders first, with a slash at the end, then files. At most ${MAX_ENTRIES} names are given. Use find_files to look deeper.`,
  inputSchema: objectSchema(
    {
      path: {
        type: 'string',
        description:
          'The folder: relative to the first folder of the session, which is the default, or absolute.',
      },
    },
    ['path'],
  ),
  start: (input, workspace) => {
    const path = resolveInside(workspace, asString(input['path']) ?? '.');
    return {
      title: `List ${shownPath(workspace, path)}`,
      locations: [{ path }],
      run: async () => {
        const names = await listFolder(await realPathInside(workspace, path));
        if (names.length === 0)
          return {
            output: withNote('', 'The folder is empty.'),
            content: [textContent('The folder is empty.')],
          };
        const output = names.slice(0, MAX_ENTRIES).join('\n');
        const left = names.length - MAX_ENTRIES;
        const note = `${left} more ${left === 1 ? 'name was' : 'names were'} left out. Look for certain names with find_files.`;
        return {
          output: left > 0 ? withNote(output, note) : output,
          content: [textContent(fenced(output) + (left > 0 ? `\n\n${note}` : ''))],
        };
      },
    };
  },
};

async function listFolder(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true });
  const names = (folders: boolean): string[] =>
    entries
      .filter((entry) => entry.isDirectory() === folders)
      .map(({ name }) => (folders ? `${name}/` : name))
      .sort();
  return [...names(true), ...names(false)];
}
