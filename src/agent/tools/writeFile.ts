import { resolveInside, shownPath } from '../access/paths';
import { EDITS } from './permissionScopes';
import { requiredString, ToolFailure, type Tool } from './tool';

/** `write_file {path, text}`: makes a new file; one that exists is changed with `edit_file` alone. */
export const writeFile: Tool = {
  name: 'write_file',
  kind: 'edit',
  changes: true,
  start: (input, cwd) => {
    const path = resolveInside(cwd, requiredString(input, 'path'));
    const text = requiredString(input, 'text');
    return {
      title: `Create ${shownPath(cwd, path)}`,
      locations: [{ path }],
      run: async ({ files, signal, permit }) => {
        if (await files.exists(path)) throw new ToolFailure(`${shownPath(cwd, path)} exists already.`);
        await permit(EDITS, [{ type: 'diff', path, oldText: null, newText: text }]);
        await files.write(path, text, signal);
        return { output: 'Created.' };
      },
    };
  },
};
