import { readdir } from 'node:fs/promises';
import { asString } from '../../core/json';
import { realPathInside, resolveInside, shownPath } from '../access/paths';
import { fenced } from '../markdown';
import { textContent, type Tool } from './tool';

/** Most entries that are given. */
const MAX_ENTRIES = 500;

/** `list_directory {path?}`: the entries of a folder, one a line; folders end with a slash and come first. */
export const listDirectory: Tool = {
  name: 'list_directory',
  kind: 'search',
  changes: false,
  start: (input, cwd) => {
    const path = resolveInside(cwd, asString(input['path']) ?? '.');
    return {
      title: `List ${shownPath(cwd, path)}`,
      locations: [{ path }],
      run: async () => {
        const lines = await listFolder(await realPathInside(cwd, path));
        const output = lines.slice(0, MAX_ENTRIES).join('\n');
        return { output, content: [textContent(output === '' ? 'The folder is empty.' : fenced(output))] };
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
